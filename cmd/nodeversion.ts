import { failureLine } from './failureline.ts'

/** The oldest release that runs this; `engines` in package.json says the same. */
const oldest = 24

/** Ends the program with one line on a Node that could not even read the rest of it. */
export function requireNode(version = process.versions.node): void {
  if (Number.parseInt(version, 10) >= oldest) return
  process.stderr.write(failureLine('pilothouse', `needs Node ${oldest} or later; this is Node ${version}`))
  process.exit(1)
}

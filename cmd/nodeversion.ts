import { failureLine } from './failureline.ts'

/** The oldest supported release, as `engines` in package.json. */
const oldest = 24

/** Ends the program with one line on a Node that could not parse the rest of it. */
export function requireNode(version = process.versions.node): void {
  if (Number.parseInt(version, 10) >= oldest) return
  process.stderr.write(failureLine('pilothouse', `needs Node ${oldest} or later; this is Node ${version}`))
  process.exit(1)
}

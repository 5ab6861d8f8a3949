import { realpathSync } from 'node:fs'

/** The words that start this program again, by absolute paths. The binary has a file of its own in this one's place. */
export function ownCommand(): string[] {
  const [node, main = ''] = process.argv
  return [node ?? process.execPath, ...process.execArgv, realpathSync(main)]
}

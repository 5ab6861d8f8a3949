import { dirname, join } from 'node:path'

/** The version in the nearest package.json above this file. The binary has a file of its own in this one's place. */
export function packageVersion(): string {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    try {
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string }
      if (version !== undefined) return version
    } catch {
      // Not in this folder: go up.
    }
  return '0.0.0'
}

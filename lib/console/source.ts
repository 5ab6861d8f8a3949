import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the files of the page are. */
export interface ConsoleSource {
  readonly names: readonly string[]
  read(name: string): Promise<Uint8Array>
}

/** The page's file; the other ones are loaded by it. */
export const page = 'index.html'

/**
 * The files that hack/bundle.ts wrote beside the programs' own folder. Undefined in a program that runs from sources. The
 * binary has another function in this place (hack/binary/parts.ts).
 */
export function findConsoleSource(from: string = import.meta.dirname): ConsoleSource | undefined {
  for (const folder of [join(from, '../page'), join(from, '../../page')]) {
    const names = namesIn(folder)
    if (names.includes(page)) return { names, read: async (name) => await readFile(join(folder, name)) }
  }
  return undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

import { type EngineOptions, replaceableMain, runWithSettings } from './engine.ts'
import type { ProgramName } from './scripts.ts'
import { reportInJson } from './strayoutput.ts'

/** Must run before the rest of a program is imported. May replace the process: in a clone, by one that runs the bundled program. */
export async function prepare(program: string, options: EngineOptions): Promise<void> {
  reportInJson(program)
  const main = replaceableMain()
  if (main === undefined) return
  const name = program.replace(/^pilothouse-/, '') as ProgramName
  runWithSettings(name, (await bundledInClone(main)) ?? main, options)
}

async function bundledInClone(main: string): Promise<string | undefined> {
  // Bundles and packages have no sources.
  if (!import.meta.filename.endsWith('.ts')) return undefined
  const { bundledMain } = await import('./clonebundle.ts')
  return bundledMain(main)
}

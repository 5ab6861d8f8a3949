import { useCompileCache } from './compilecache.ts'
import type { EngineOptions } from './engine.ts'
import { requireNode } from './nodeversion.ts'

/**
 * Starts a program: checks Node, replaces the process by one with the engine's settings, and runs the module of `load`.
 * Imports by this file are compiled again by each start, as the compile cache is not in use yet.
 */
export async function launch(
  program: string,
  load: () => Promise<{ run(): Promise<void> }>,
  options: EngineOptions = {},
): Promise<void> {
  requireNode()
  useCompileCache()
  // Version managers and tests ask for this alone, which needs none of the flags.
  if (process.argv.length === 3 && process.argv[2] === '--version') {
    const { versionLine } = await import('./versionline.ts')
    process.stdout.write(versionLine())
    return
  }
  const { prepare } = await import('./prepare.ts')
  await prepare(program, options)
  const { run } = await load()
  await run()
}

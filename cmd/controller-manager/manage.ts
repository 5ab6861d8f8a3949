import type { ParsedFlags } from '../../lib/flags/index.ts'
import { programVersion } from '../apiserver/build.ts'
import { configure } from './configure.ts'
import type { managerFlags } from './flags.ts'
import { runManager } from './run.ts'

/** Runs a controller manager with these flags until a signal ends it; returns the exit code. */
export async function manage(program: string, parsed: ParsedFlags<typeof managerFlags>): Promise<number> {
  const { values, warnings } = parsed
  const config = await configure(values)
  return await runManager(program, values, config, programVersion(config.emulation), warnings)
}

import type { ParsedFlags } from '../../lib/flags/index.ts'
import { programVersion } from './build.ts'
import { configure } from './configure.ts'
import { configureObserving } from './configureobserving.ts'
import type { apiserverFlags } from './flags.ts'
import { checkFlags, checkServerFlags } from './rules.ts'
import { runApiserver } from './run.ts'

/** Runs an API server with these flags until a signal ends it; returns the exit code. */
export async function serve(program: string, parsed: ParsedFlags<typeof apiserverFlags>): Promise<number> {
  const { values, warnings } = parsed
  checkFlags(parsed)
  checkServerFlags(parsed)
  return await runApiserver({
    program,
    warnings,
    observe: await configureObserving(values),
    configure: (services) => configure(values, services, programVersion, parsed.given),
  })
}

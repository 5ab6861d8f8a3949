import { systemClock } from '../../lib/base/index.ts'
import type { ParsedFlags } from '../../lib/flags/index.ts'
import { programVersion } from './build.ts'
import { configure } from './configure.ts'
import { configureObserving } from './configureobserving.ts'
import type { apiserverFlags } from './flags.ts'
import { joinGroup } from './processes/child.ts'
import { checkFlags, checkServerFlags } from './rules.ts'
import { runApiserver } from './run.ts'

/** Runs an API server with these flags until a signal ends it; returns the exit code. */
export async function serve(program: string, parsed: ParsedFlags<typeof apiserverFlags>): Promise<number> {
  const { values, warnings } = parsed
  checkFlags(parsed)
  checkServerFlags(parsed)
  const observe = await configureObserving(values)
  return await runApiserver({
    program,
    warnings,
    observe,
    place: await joinGroup(systemClock),
    configure: (services) => configure(values, services, programVersion, parsed.given),
  })
}

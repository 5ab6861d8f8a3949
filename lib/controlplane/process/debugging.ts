import { createProfiler } from '../../observe/index.ts'
import { type DebugSocketDependencies, openDebugSocket } from '../../server/index.ts'
import type { ProgramServices } from '../compose.ts'
import type { ApiserverConfig } from '../config.ts'
import { reasonOf, StartError } from './failure.ts'

interface Debugging {
  /** For the pages below /debug of the secure port. */
  readonly pages: Pick<DebugSocketDependencies, 'profiler' | 'setVerbosity'>
  close(): Promise<void>
}

/**
 * The profiler and the log level of this process, with a socket for them where one is configured. Rejects with
 * StartError.
 */
export async function openDebugging(
  { debugSocketPath = '' }: Pick<ApiserverConfig, 'debugSocketPath'>,
  { clock, random, log, setVerbosity }: ProgramServices,
): Promise<Debugging> {
  await using opened = new AsyncDisposableStack()
  const profiler = createProfiler(clock)
  opened.defer(() => profiler.close())
  const pages = { profiler, ...(setVerbosity && { setVerbosity }) }
  if (debugSocketPath !== '') {
    try {
      const socket = await openDebugSocket({ log: log.named('debug'), clock, random, ...pages }, debugSocketPath)
      opened.defer(() => socket.close())
    } catch (error) {
      throw new StartError(`--debug-socket-path: can't listen at ${debugSocketPath}: ${reasonOf(error)}`, {
        cause: error,
      })
    }
  }
  const held = opened.move()
  return { pages, close: () => held.disposeAsync() }
}

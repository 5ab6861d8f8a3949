import nodeModule from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ThreadData } from './messages.ts'
import type { MessageEnd } from './workerchannel.ts'

/** A thread that runs the program for large objects, or a process in its place. */
export interface LargeWorker extends MessageEnd {
  /** `error`: it ends by this; `exit`: it has ended. */
  on(event: 'message', receive: (message: unknown) => void): unknown
  on(event: 'error', receive: (error: unknown) => void): unknown
  on(event: 'exit', receive: () => void): unknown
  /** It does not keep the process alive. */
  unref(): void
  terminate(): Promise<unknown>
}

/**
 * A thread with at most so much memory for objects. Programs in a snapshot have a process in its place (hack/scripts.ts), as Node's
 * threads there abort when they load node:net.
 */
export function startWorker(program: URL, data: ThreadData, heapMegabytesMax: number): LargeWorker {
  return new Worker(program, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    env: workerEnvironment(),
  })
}

/** Nothing of the process, which may hold credentials, but its cache of compiled code: threads begin without one. */
export function workerEnvironment(): NodeJS.ProcessEnv {
  const cache = nodeModule.getCompileCacheDir()
  // The cache keeps a folder for each version of Node within the one that it was given.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}

import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { memoryMb } from '../../test/bench/process.ts'
import { heldMsBound } from '../../test/support/holdmeter.ts'
import type { LoopWatched } from './loopwatch.ts'
import type { AttackedPlane } from './plane.ts'

/** Watches everything that an attack may harm, whatever its target. */
export interface Watchdog {
  /** How long the event loop may be held at a time on this machine, in ms of CPU. */
  readonly heldMsMax: number
  /** The longest wait since the last call. */
  loop(): Promise<LoopWatched>
  /** Resident memory of the server, in MB. */
  memoryMb(): number
  close(): Promise<void>
}

export async function startWatchdog({ server, pid }: AttackedPlane): Promise<Watchdog> {
  const heldMsMax = heldMsBound()
  const worker = new Worker(join(import.meta.dirname, 'loopwatch.ts'), { workerData: { url: server.url, pid } })
  const loop = (): Promise<LoopWatched> =>
    new Promise((resolve) => {
      worker.once('message', resolve)
      worker.postMessage('')
    })
  // The first request connects.
  await new Promise((resolve) => setTimeout(resolve, 200))
  await loop()
  return {
    heldMsMax,
    loop,
    memoryMb: () => memoryMb(pid).resident,
    close: async () => void (await worker.terminate()),
  }
}

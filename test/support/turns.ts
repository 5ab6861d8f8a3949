import { setImmediate } from 'node:timers/promises'

/** Lets the event loop turn so often: what has arrived at this process is worked on. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

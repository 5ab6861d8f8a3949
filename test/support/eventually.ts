import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until the condition holds, or fails with what was waited for. The limit is there to end a test that fails, and
 * says nothing of how long a thing may take: machines differ.
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 50_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`)
    await sleep(5)
  }
}

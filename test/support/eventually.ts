import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until the condition holds; fails after the limit with the text of `what`. The limit ends a failing test; it is no
 * bound on how long a thing may take, as machines differ. A condition that answers no boolean has forgotten to answer: it
 * fails at once.
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 50_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const holds: unknown = await condition()
    if (typeof holds !== 'boolean')
      throw new TypeError(`the condition answered ${String(holds)}, not a boolean: ${what}`)
    if (holds) return
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`)
    await sleep(5)
  }
}

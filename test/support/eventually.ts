import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'

/** Ends a failing test; it is no bound on how long a thing may take, as machines differ. */
const timeoutMsDefault = 50_000
const pauseMsMin = 5
/** A condition that asks a server or runs a program may take a third of the time: what it waits for needs the processors. */
const pausePerMs = 2
const pauseMsMax = 200
/** Characters of a state in the text of a failure. */
const stateMax = 4000

/**
 * Waits until the condition answers true. It answers false, or the state that it saw instead: `pods.length === 3 || pods`. After
 * the limit this rejects with the text of `what` and the last such state. A condition that answers undefined has forgotten to
 * answer: it fails at once.
 */
export async function eventually(condition: () => unknown, what: string, timeoutMs = timeoutMsDefault): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const began = performance.now()
    const state = await condition()
    if (state === true) return
    const tookMs = performance.now() - began
    if (state === undefined) throw new TypeError(`the condition answered undefined: ${what}`)
    if (performance.now() > deadline) {
      const seen = state === false ? '' : `; last seen: ${textOf(state)}`
      throw new Error(`waited ${timeoutMs} ms in vain: ${what}${seen}`)
    }
    await sleep(Math.min(pauseMsMax, Math.max(pauseMsMin, pausePerMs * tookMs)))
  }
}

/** Waits until what is read equals what is wanted, in depth; rejects with what was read last. */
export async function eventuallyEquals<T>(
  read: () => T | Promise<T>,
  wanted: T,
  what: string,
  timeoutMs = timeoutMsDefault,
): Promise<void> {
  await eventually(
    async () => {
      const state = await read()
      return isDeepStrictEqual(state, wanted) || { seen: state, wanted }
    },
    what,
    timeoutMs,
  )
}

function textOf(state: unknown): string {
  const text = typeof state === 'string' ? state : inspect(state, { depth: 6, breakLength: 160 })
  return text.length > stateMax ? `${text.slice(0, stateMax)}…` : text
}

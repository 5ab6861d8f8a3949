import type { Entry } from '../../cache/index.ts'
import type { HeldConversions } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'

/** Runs `run` while the webhook-converted forms of these entries are held. */
export function withConverted<Result>(
  endpoint: Endpoint,
  entries: readonly Entry[],
  run: () => Result | Promise<Result>,
): Result | Promise<Result> {
  return whileHeld(holdConverted(endpoint, entries), run)
}

type Held = HeldConversions | undefined

/** Undefined: no webhook conversion is needed. Throws for an entry that can't be read. */
export function holdConverted(endpoint: Endpoint, entries: readonly Entry[]): Held | Promise<Held> {
  const { codec, gvk } = endpoint.main ?? endpoint
  return codec.prepare?.(entries, gvk)
}

/** Runs `run`, then releases what is held. */
export function whileHeld<Result>(
  held: Held | Promise<Held>,
  run: () => Result | Promise<Result>,
): Result | Promise<Result> {
  if (!held) return run()
  if (held instanceof Promise) return held.then((converted) => whileHeld(converted, run))
  let result: Result | Promise<Result>
  try {
    result = run()
  } catch (error) {
    held.release()
    throw error
  }
  if (result instanceof Promise) return result.finally(() => held.release())
  held.release()
  return result
}

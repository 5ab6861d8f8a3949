import type { Entry } from '../../cache/index.ts'
import type { HeldConversions } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'

/** Runs `run` while the converted forms of these entries are held, where other parts convert them. */
export function withConverted<Result>(
  endpoint: Endpoint,
  entries: readonly Entry[],
  run: () => Result | Promise<Result>,
): Result | Promise<Result> {
  const { codec, gvk } = endpoint.main ?? endpoint
  const held = codec.prepare?.(entries, gvk)
  return held ? runHeld(held, run) : run()
}

async function runHeld<Result>(
  preparing: HeldConversions | Promise<HeldConversions>,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const held = await preparing
  try {
    return await run()
  } finally {
    held.release()
  }
}

import type { ResourceQuota } from '../../../api/gen/core/v1.ts'
import { type Clock, nextTurn } from '../../base/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'
import { type Amounts, addAmounts, type Evaluator, maskAmounts, matchesScopes, scopesOf } from '../../quota/index.ts'
import type { Source } from './sources.ts'

/** How long counting may hold the event loop at a time. */
const sliceMs = 10

export type UsageOf = (evaluator: Evaluator, object: Frozen<Pick<ApiObject, 'metadata'>>) => Amounts

/** Remembers the usage of objects, which are immutable. The usage of a terminating object changes with time. */
export function createUsageMemory(): UsageOf {
  const memory = new WeakMap<object, Amounts>()
  return (evaluator, object) => {
    const known = memory.get(object)
    if (known) return known
    const usage = evaluator.usage(object)
    if (object.metadata.deletionTimestamp === undefined) memory.set(object, usage)
    return usage
  }
}

/** The usage of the quota's resources in `sources`. */
export async function countUsage(
  clock: Clock,
  sources: readonly Source[],
  { spec, metadata: { namespace = '' } }: Frozen<ResourceQuota>,
  usageOf: UsageOf,
): Promise<Amounts> {
  const hard = Object.keys(spec?.hard ?? {})
  const scopes = scopesOf(spec)
  let total: Amounts = {}
  let untilMs = clock.monotonicMs() + sliceMs
  for (const { evaluator, objects } of sources) {
    const names = evaluator.matching(hard)
    total = addAmounts(total, Object.fromEntries(names.map((name) => [name, '0'])))
    for (const object of Array.from(objects(namespace))) {
      if (scopes.length > 0 && !matchesScopes(evaluator, scopes, object)) continue
      total = addAmounts(total, maskAmounts(usageOf(evaluator, object), names))
      if (clock.monotonicMs() < untilMs) continue
      await nextTurn(clock)
      untilMs = clock.monotonicMs() + sliceMs
    }
  }
  return total
}

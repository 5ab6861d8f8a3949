import type * as core from '../../../api/gen/core/v1.ts'
import { type Frozen, StatusError } from '../../object/index.ts'
import {
  type Amounts,
  addAmounts,
  type Evaluator,
  exceeding,
  formatAmounts,
  isSameAmounts,
  maskAmounts,
  matchesScopes,
  negativeAmounts,
  positiveAmounts,
  type QuotaScope,
  scopesOf,
  subtractAmounts,
} from '../../quota/index.ts'
import type { AdmissionAttributes } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import type { LimitedResource } from './limited.ts'

export type Quota = Frozen<core.ResourceQuota>

/** A write that quotas may count. */
export interface Charge {
  readonly attributes: AdmissionAttributes
  readonly evaluator: Evaluator
}

/**
 * The quotas that count the write, each with the amounts used after it. Throws the refusal of the write, also for a
 * limited resource (`limited`) that no quota covers.
 */
export function chargeQuotas(
  quotas: readonly Quota[],
  charge: Charge,
  limited: readonly LimitedResource[],
): ReadonlyMap<Quota, Amounts> {
  const counting = quotas
    .map((quota) => ({ quota, names: namesFor(quota, charge) }))
    .filter(({ names }) => names.length > 0)
  if (counting.length === 0 && limited.length === 0) return new Map()
  const deltas = deltasOf(charge)
  const added = counting
    .map(({ quota, names }) => ({ quota, delta: deltas(quota), names }))
    .filter(({ delta }) => Object.keys(delta).length > 0)
  const usesMore = counting.length > 0 ? added.length > 0 : Object.keys(deltas(undefined)).length > 0
  if (!usesMore) return new Map()
  checkCovered(quotas, charge, limited)
  const charged = new Map<Quota, Amounts>()
  for (const { quota, delta, names } of added) {
    const used = usedAfter(quota, maskAmounts(delta, names), charge)
    if (!isSameAmounts(used, quota.status?.used ?? {})) charged.set(quota, used)
  }
  return charged
}

/** The resources of the quota that the write uses. Throws when the amount can't be determined. */
function namesFor(quota: Quota, { attributes, evaluator }: Charge): readonly string[] {
  const { object } = attributes
  const names = evaluator.matching(Object.keys(quota.spec?.hard ?? {}))
  if (names.length === 0 || !object || !matchesScopes(evaluator, scopesOf(quota.spec), object)) return []
  const { name = '' } = quota.metadata
  const lacking = evaluator.missing?.(names, object)
  if (lacking !== undefined) throw refusal(attributes, `failed quota: ${name}: ${lacking}`)
  const { hard = {}, used = {} } = quota.status ?? {}
  if (!names.every((each) => Object.hasOwn(hard, each) && Object.hasOwn(used, each)))
    throw refusal(attributes, `status unknown for quota: ${name}, resources: ${names.toSorted().join(',')}`)
  return names
}

/**
 * The usage that the write adds: for a quota that has counted the object before, the difference; for a quota whose
 * scopes newly match the object, all of it.
 */
function deltasOf({ attributes, evaluator }: Charge): (quota: Quota | undefined) => Amounts {
  const { object, oldObject, operation } = attributes
  const usage = evaluator.usage(object ?? {})
  const negative = negativeAmounts(usage)
  if (negative.length > 0) throw refusal(attributes, `quota usage is negative for resource(s): ${negative.join(',')}`)
  const whole = positiveAmounts(usage)
  if (operation !== 'UPDATE') return () => whole
  if (!oldObject) throw refusal(attributes, 'unable to get previous usage since prior version of object was not found')
  const more = positiveAmounts(subtractAmounts(usage, evaluator.usage(oldObject)))
  return (quota) => (quota && !matchesScopes(evaluator, scopesOf(quota.spec), oldObject) ? whole : more)
}

function usedAfter(quota: Quota, requested: Amounts, { attributes }: Charge): Amounts {
  const { hard = {}, used = {} } = quota.status ?? {}
  const after = addAmounts(used, requested)
  const exceeded = exceeding(maskAmounts(after, Object.keys(requested)), hard)
  // A status reports the past.
  if (exceeded.length === 0 || attributes.subresource === 'status') return after
  const shown = (amounts: Amounts): string => formatAmounts(maskAmounts(amounts, exceeded))
  const why = `requested: ${shown(requested)}, used: ${shown(used)}, limited: ${shown(hard)}`
  throw refusal(attributes, `exceeded quota: ${quota.metadata.name}, ${why}`)
}

/** Throws when the write uses a limited resource that no quota of the namespace covers. */
function checkCovered(
  quotas: readonly Quota[],
  { attributes, evaluator }: Charge,
  limited: readonly LimitedResource[],
): void {
  const object = attributes.object ?? {}
  const { group, resource } = attributes.resource
  const ofResource = limited.filter((each) => each.group === group && each.resource === resource)
  if (ofResource.length > 0) {
    const used = Object.keys(positiveAmounts(evaluator.usage(object)))
    const names = used.filter((name) => ofResource.some(({ contains }) => contains.some((text) => name.includes(text))))
    const covering = quotas.filter(({ spec }) => matchesScopes(evaluator, scopesOf(spec), object))
    const covered = new Set(covering.flatMap(({ spec }) => evaluator.matching(Object.keys(spec?.hard ?? {}))))
    const bare = names.filter((name) => !covered.has(name))
    if (bare.length > 0) throw refusal(attributes, `insufficient quota to consume: ${bare.sort().join(',')}`)
  }
  const isIn = (scope: QuotaScope): boolean => evaluator.isIn?.(scope, object) ?? false
  const wanted = limited.flatMap(({ scopes }) => scopes).filter(isIn)
  if (wanted.length === 0) return
  const matched = new Set(quotas.flatMap(({ spec }) => scopesOf(spec).filter(isIn)).map(({ scopeName }) => scopeName))
  const bare = wanted.filter(({ scopeName }) => !matched.has(scopeName))
  if (bare.length === 0) return
  const shown = bare.map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`)
  throw new StatusError(500, '', `insufficient quota to match these scopes: [${shown.join(' ')}]`)
}

import { tables } from '../../api/index.ts'
import { createFakeClock, createSeededRandom, unlimitedWork } from '../../lib/base/index.ts'
import { createFeatureGates } from '../../lib/features/index.ts'
import { builtInKinds, createKindSet, type KindContext } from '../../lib/kinds/index.ts'
import { type ApiObject, copyObject, parseGroupVersion } from '../../lib/object/index.ts'
import { anonymousUser, type UserInfo } from '../../lib/request/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'

const gates = createFeatureGates()
const kinds = createKindSet(builtInKinds)
export const scheme = createScheme({ tables, kinds: kinds.get, gate: gates.gate, storageMediaType: 'application/json' })

/** `gate`: by default that of the newest release. */
export function contextOf(user: UserInfo = anonymousUser, gate: KindContext['gate'] = gates.gate): KindContext {
  return {
    clock: createFakeClock(Date.parse('2025-05-01T00:00:00Z')),
    random: createSeededRandom(1),
    user,
    namespace: 'default',
    gate,
    warn: () => undefined,
    work: unlimitedWork,
  }
}

/** As a request's body, with defaults or without. */
export function decoded(object: ApiObject, defaults = true): ApiObject {
  const expected = { ...parseGroupVersion(object.apiVersion)!, kind: object.kind }
  return scheme.objects.decodeObject(Buffer.from(JSON.stringify(object)), {
    mediaType: 'application/json',
    expected,
    defaults,
  }).object
}

function strategyOf(object: ApiObject, subresource: string) {
  const kind = kinds.get(parseGroupVersion(object.apiVersion)!.group, object.kind)!
  return (subresource === '' ? kind.strategy : kind.subresources?.[subresource]) ?? {}
}

/** The warnings for a client that creates an object of a kind, or replaces `old` with it. */
export function warningsOf(gk: { group: string; kind: string }, object: object, old?: object): string[] {
  const strategy = kinds.get(gk.group, gk.kind)?.strategy ?? {}
  const whole = { apiVersion: 'v1', kind: gk.kind, ...object } as ApiObject
  const found = old
    ? strategy.warningsOnUpdate?.(whole, old as ApiObject, contextOf())
    : strategy.warningsOnCreate?.(whole, contextOf())
  return [...(found ?? [])]
}

/** Creates an object: answers it as prepared, and `field: message` of every finding. */
export function created(given: ApiObject, context = contextOf()): { object: ApiObject; findings: string[] } {
  const object = decoded(given)
  const strategy = strategyOf(object, '')
  strategy.prepareForCreate?.(object, context)
  const errors = strategy.validateCreate?.(object, context) ?? []
  return { object, findings: errors.map(({ field, message }) => `${field}: ${message}`) }
}

/** Updates `old` by `change`; `validate` false: skips the validation. */
export function updated(
  old: ApiObject,
  change: (object: ApiObject) => void,
  { subresource = '', context = contextOf(), validate = true } = {},
): { object: ApiObject; findings: string[] } {
  const object = copyObject(old)
  change(object)
  const strategy = strategyOf(object, subresource)
  strategy.prepareForUpdate?.(object, old, context)
  const errors = validate ? (strategy.validateUpdate?.(object, old, context) ?? []) : []
  return { object, findings: errors.map(({ field, message }) => `${field}: ${message}`) }
}

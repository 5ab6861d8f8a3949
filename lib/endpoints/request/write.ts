import type { EndpointChange } from '../../apply/index.ts'
import { type Breather, isRecord, Pace, type Slices } from '../../base/index.ts'
import type { ApiObject } from '../../object/index.ts'
import { semanticEqual, semanticEqualInSlices } from '../../object/index.ts'
import type { Existing, WriteContext } from '../../registry/index.ts'
import type { Call, CreateOrUpdateOptions } from '../../request/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Services } from '../services.ts'
import { type AdmissionSubject, validate } from './admit.ts'
import { requireCreate } from './requirecreate.ts'

/** The parts of a write's context that come from the request. */
export function writeContext(call: Call, dryRun: boolean): WriteContext {
  return { user: call.user, dryRun, warn: (text) => call.warnings.add(text) }
}

/**
 * As {@link writeContext}, for what may change an object or make it: validating admission is told which of the two, and
 * who makes one must be allowed to.
 */
export function changeContext(
  call: Call,
  endpoint: Endpoint,
  services: Services,
  subject: AdmissionSubject,
  breather: Breather,
): WriteContext {
  const { admission } = services
  return {
    ...writeContext(call, subject.dryRun),
    breather,
    validate(final, old) {
      const object = final && endpoint.fromHub(final)
      if (old) return validate(admission, subject, 'UPDATE', object, endpoint.fromHub(old))
      const admit = (): void | Promise<void> => validate(admission, subject, 'CREATE', object, undefined)
      const pending = requireCreate(call, services)
      return pending ? pending.then(admit) : admit()
    },
  }
}

export function ownershipContext(
  endpoint: Endpoint,
  { clock }: Services,
  { manager, subresource, breather }: { manager: string; subresource: string; breather: Breather },
): EndpointChange {
  const { gvk, table, registry, codec } = endpoint
  return {
    manager,
    subresource,
    gvk,
    struct: codec.kind(gvk)?.struct ?? registry.definition.struct,
    versions: codec,
    resetFields: table.resetFields?.[subresource] ?? noPaths,
    onlyFields: table.onlyFields?.[subresource] ?? noPaths,
    nowMs: clock.now(),
    isLarge: breather.isLarge,
  }
}

const noPaths: readonly string[] = []

/**
 * Turns what the client sent into the object to store: updates managed fields, and merges a subresource view (a scale)
 * into the whole object. For plain objects managed fields come before admission, hence `admit`.
 */
export async function settle(
  endpoint: Endpoint,
  services: Services,
  {
    object,
    existing,
    manager,
    subresource,
    breather,
  }: {
    object: ApiObject
    existing: Existing | undefined
    manager: string
    subresource: string
    breather: Breather
  },
  admit: (object: ApiObject, live: ApiObject | undefined) => Promise<void>,
): Promise<ApiObject> {
  const { ownership } = services
  const live = existing && endpoint.fromHub(existing.object)
  const { main } = endpoint
  if (main) {
    await admit(object, live)
    const whole = endpoint.toHub(object, existing?.object)
    if (!ownership || !existing) return whole
    const about = ownershipContext(main, services, { manager, subresource, breather })
    return main.toHub(await breather.run(ownership.onUpdate(main.fromHub(existing.object), main.fromHub(whole), about)))
  }
  let owned = object
  if (ownership) {
    const about = ownershipContext(endpoint, services, { manager, subresource, breather })
    owned = await breather.run(live ? ownership.onUpdate(live, object, about) : ownership.onCreate(object, about))
  }
  await admit(owned, live)
  const settling = ownership && live && ignoreOwnershipTimes(services, owned, live, breather)
  if (settling) await settling
  return endpoint.toHub(owned)
}

/** Options as admission plugins see them. */
export function optionFields(options: CreateOrUpdateOptions): object {
  const { dryRun, fieldManager, fieldValidation } = options
  return {
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { fieldValidation }),
  }
}

/** The subject of admission: an endpoint's object, or with `subresource` a part of it. */
export function admissionSubject(
  call: Call,
  endpoint: Endpoint,
  name: string,
  dryRun: boolean,
  options: AdmissionSubject['options'],
): AdmissionSubject {
  return {
    call,
    kind: endpoint.gvk,
    resource: endpoint.gvr,
    subresource: call.info.subresource,
    // A Namespace counts as being in itself.
    namespace: endpoint.namespaced ? call.info.namespace : isNamespaces(endpoint) ? name : '',
    name,
    dryRun,
    options,
  }
}

function isNamespaces({ gvr }: Endpoint): boolean {
  return gvr.group === '' && gvr.resource === 'namespaces'
}

/**
 * Keeps the old managedFields when nothing but their times would change: a request that changes nothing must not cause
 * a write. Changes `object`.
 */
export function ignoreOwnershipTimes(
  { clock, comparisons }: Services,
  object: ApiObject,
  live: ApiObject,
  breather: Breather,
): void | Promise<void> {
  const startMs = clock.monotonicMs()
  const settle = (outcome: Comparison): void => {
    if (outcome === 'equal_objects') object.metadata.managedFields = live.metadata.managedFields
    comparisons.observe([outcome], (clock.monotonicMs() - startMs) / 1000)
  }
  const outcome = breather.run(compareButTimes(object, live, breather.isLarge))
  return outcome instanceof Promise ? outcome.then(settle) : settle(outcome)
}

type Comparison = 'equal_objects' | 'unequal_objects_fast' | 'unequal_objects_slow'

/** Managers are compared first: mostly that is where two objects differ. */
function* compareButTimes(object: ApiObject, live: ApiObject, isLarge: boolean): Slices<Comparison> {
  const now = object.metadata.managedFields
  const before = live.metadata.managedFields
  if (now === undefined || before === undefined || now.length !== before.length) return 'unequal_objects_fast'
  for (const [index, entry] of now.entries()) {
    const { time: _now, ...mine } = entry
    const { time: _before, ...theirs } = before[index] ?? {}
    if (!(isLarge ? yield* semanticEqualInSlices(mine, theirs) : semanticEqual(mine, theirs)))
      return 'unequal_objects_fast'
  }
  const { managedFields: _mine, ...metadata } = object.metadata
  const { managedFields: _theirs, ...liveMetadata } = live.metadata
  const { metadata: _own, status, ...rest }: ApiObject & { status?: unknown } = object
  const { metadata: _other, status: statusBefore, ...liveRest }: ApiObject & { status?: unknown } = live
  // A status that was never written is absent or zero, depending on its way here.
  const isSame =
    (isLarge ? yield* semanticEqualInSlices(rest, liveRest) : semanticEqual(rest, liveRest)) &&
    (yield* sameButBlanks(status, statusBefore, new Pace())) &&
    (isLarge
      ? yield* semanticEqualInSlices(comparable(metadata), comparable(liveMetadata))
      : semanticEqual(comparable(metadata), comparable(liveMetadata)))
  return isSame ? 'equal_objects' : 'unequal_objects_slow'
}

/**
 * Whether two values are the same where nothing is blank. Where both are records their fields decide, blank ones too: what
 * is below is looked at once.
 */
function* sameButBlanks(left: unknown, right: unknown, pace: Pace): Slices<boolean> {
  if (!isRecord(left) || !isRecord(right)) {
    if (isBlank(left) && isBlank(right)) return true
    const isScalar = typeof left !== 'object' || typeof right !== 'object'
    return isScalar ? semanticEqual(left, right) : yield* semanticEqualInSlices(left, right)
  }
  for (const key in left) {
    const theirs = Object.hasOwn(right, key) ? right[key] : undefined
    if (!(yield* sameButBlanks(left[key], theirs, pace))) return false
    if (pace.isDue()) yield
  }
  for (const key in right) {
    if (!Object.hasOwn(left, key) && !isBlank(right[key])) return false
    if (pace.isDue()) yield
  }
  return true
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === 0 || value === '' || value === false) return true
  return typeof value === 'object' && Object.values(value).every(isBlank)
}

/** Metadata without what the server sets anyway. */
function comparable(metadata: object): object {
  const { resourceVersion: _version, generation: _generation, ...rest } = metadata as Record<string, unknown>
  return rest
}

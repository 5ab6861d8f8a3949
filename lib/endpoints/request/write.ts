import type { EndpointChange } from '../../apply/index.ts'
import { createWorkLimit, isRecord, TooLongHere } from '../../base/index.ts'
import type { ApiObject } from '../../object/index.ts'
import { semanticEqual } from '../../object/index.ts'
import type { Existing, WriteContext } from '../../registry/index.ts'
import type { Call, CreateOrUpdateOptions } from '../../request/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { type AdmissionSubject, validate } from './admit.ts'
import { requireCreate } from './requirecreate.ts'

/** The parts of a write's context that come from the request. */
export function writeContext(call: Call, dryRun: boolean): WriteContext {
  return { user: call.user, verb: call.info.verb, dryRun, warn: (text) => call.warnings.add(text) }
}

/** Like {@link writeContext}, for verbs that start again in a thread when their work takes long. */
export function limitedContext(call: Call, dryRun: boolean, { clock, largeWork }: EndpointServices): WriteContext {
  const context = writeContext(call, dryRun)
  return largeWork && !call.objects?.object ? { ...context, work: createWorkLimit(clock) } : context
}

/**
 * Like {@link writeContext}, for requests that may change or create an object: validating admission gets the operation,
 * and a creation needs its permission.
 */
export function changeContext(
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
  subject: AdmissionSubject,
): WriteContext {
  const { admission } = services
  return {
    ...limitedContext(call, subject.dryRun, services),
    validate(final, old) {
      const object = final && endpoint.toServed(final)
      if (old) return validate(admission, subject, 'UPDATE', object, endpoint.toServed(old))
      const admit = (): void | Promise<void> => validate(admission, subject, 'CREATE', object, undefined)
      const pending = requireCreate(call, services)
      return pending ? pending.then(admit) : admit()
    },
  }
}

export function ownershipContext(
  endpoint: Endpoint,
  { clock }: EndpointServices,
  { manager, subresource }: { manager: string; subresource: string },
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
  }
}

const noPaths: readonly string[] = []

/**
 * Converts the client's object to the one to store: updates managed fields, and merges a subresource view (a scale)
 * into the whole object. For plain objects managed fields come before admission, hence `admit`.
 */
export async function prepareForStorage(
  endpoint: Endpoint,
  services: EndpointServices,
  {
    object,
    existing,
    manager,
    subresource,
  }: {
    object: ApiObject
    existing: Existing | undefined
    manager: string
    subresource: string
  },
  admit: (object: ApiObject, live: ApiObject | undefined) => Promise<void>,
): Promise<ApiObject> {
  const { ownership, largeWork } = services
  if (largeWork && existing && endpoint.codec.isGrown?.(existing.object)) throw new TooLongHere()
  const live = existing && endpoint.toServed(existing.object)
  const { main } = endpoint
  if (main) {
    await admit(object, live)
    const whole = endpoint.toWorking(object, existing?.object)
    if (!ownership || !existing) return whole
    const about = ownershipContext(main, services, { manager, subresource })
    return main.toWorking(ownership.onUpdate(main.toServed(existing.object), main.toServed(whole), about))
  }
  let owned = object
  if (ownership) {
    const about = ownershipContext(endpoint, services, { manager, subresource })
    owned = live ? ownership.onUpdate(live, object, about) : ownership.onCreate(object, about)
  }
  await admit(owned, live)
  if (ownership && live) ignoreOwnershipTimes(services, owned, live)
  return endpoint.toWorking(owned)
}

/** Options for admission plugins. */
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
    namespace: endpoint.namespaced ? call.info.namespace : endpoint.registry.kind.isOwnNamespace ? name : '',
    name,
    dryRun,
    options,
  }
}

/**
 * Keeps the old managedFields when only their times would change: a request without changes must not cause a write.
 * Changes `object`.
 */
export function ignoreOwnershipTimes(
  { clock, comparisons }: EndpointServices,
  object: ApiObject,
  live: ApiObject,
): void {
  const startMs = clock.monotonicMs()
  const outcome = compareButTimes(object, live)
  if (outcome === 'equal_objects') object.metadata.managedFields = live.metadata.managedFields
  comparisons.observe([outcome], (clock.monotonicMs() - startMs) / 1000)
}

type Comparison = 'equal_objects' | 'unequal_objects_fast' | 'unequal_objects_slow'

/** Compares managers first: most objects that differ do so there. */
function compareButTimes(object: ApiObject, live: ApiObject): Comparison {
  const now = object.metadata.managedFields
  const before = live.metadata.managedFields
  if (now === undefined || before === undefined || now.length !== before.length) return 'unequal_objects_fast'
  for (const [index, entry] of now.entries()) {
    const { time: _now, ...mine } = entry
    const { time: _before, ...theirs } = before[index] ?? {}
    if (!semanticEqual(mine, theirs)) return 'unequal_objects_fast'
  }
  const { managedFields: _mine, ...metadata } = object.metadata
  const { managedFields: _theirs, ...liveMetadata } = live.metadata
  const { metadata: _own, status, ...rest }: ApiObject & { status?: unknown } = object
  const { metadata: _other, status: statusBefore, ...liveRest }: ApiObject & { status?: unknown } = live
  // A status that was never written is absent or zero, depending on the request.
  const isSame =
    semanticEqual(rest, liveRest) &&
    sameButBlanks(status, statusBefore) &&
    semanticEqual(comparable(metadata), comparable(liveMetadata))
  return isSame ? 'equal_objects' : 'unequal_objects_slow'
}

/**
 * Compares two values; blank ones are equal to anything. Compares the fields of two records, blank ones too: each level
 * is compared once.
 */
function sameButBlanks(left: unknown, right: unknown): boolean {
  if (!isRecord(left) || !isRecord(right)) return (isBlank(left) && isBlank(right)) || semanticEqual(left, right)
  for (const key in left) {
    const theirs = Object.hasOwn(right, key) ? right[key] : undefined
    if (!sameButBlanks(left[key], theirs)) return false
  }
  for (const key in right) if (!Object.hasOwn(left, key) && !isBlank(right[key])) return false
  return true
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === 0 || value === '' || value === false) return true
  return typeof value === 'object' && Object.values(value).every(isBlank)
}

/** Metadata without the fields that the server sets anyway. */
function comparable(metadata: object): object {
  const { resourceVersion: _version, generation: _generation, ...rest } = metadata as Record<string, unknown>
  return rest
}

import type { Strategy } from '../kinds/index.ts'
import {
  type ApiObject,
  fieldErrors,
  formatGroupVersion,
  formatTime,
  nextGeneration,
  type ObjectMeta,
  parseTime,
  type Revision,
  secondsToMs,
  statusErrors,
  toResourceVersion,
} from '../object/index.ts'
import type { DeleteRequestOptions } from '../request/index.ts'
import { UnreadableObject } from '../storage/index.ts'
import { type Existing, kindContext, type ResourceParts, type WriteContext, type WriteTarget } from './context.ts'
import { type Attempt, type Current, fromStore, newerThan, stateOf, withCurrent, writeTriesMax } from './current.ts'
import { deletionFinalizers } from './finalizers.ts'

/** The outcome of a deletion. */
export interface Removed {
  readonly key: string
  /** Its last or its terminating state; in the hub version. */
  readonly object: ApiObject
  readonly revision: Revision
  /** False: it is marked, and waits for finalizers or its grace period. */
  readonly deleted: boolean
  /** This request marked it: the cache may adopt the object. */
  readonly stored: boolean
  /** The object could not be read: `object` has its name alone. */
  readonly unread?: true
}

/** The next step of a deletion. */
type Plan =
  | { readonly step: 'remove' }
  /** The object is being deleted already, and this request changes nothing. */
  | { readonly step: 'wait' }
  /** `removesNext`: marked without grace, so that nothing keeps it once that is stored. */
  | { readonly step: 'mark'; readonly object: ApiObject; readonly removesNext: boolean }

const forcedDeletionGate = 'AllowUnsafeMalformedObjectDeletion'

/**
 * Deletes an object, in two stages where finalizers or a grace period require it. Throws 404, and 409 when a
 * precondition fails.
 */
export async function deleteObject(
  parts: ResourceParts,
  target: WriteTarget,
  options: DeleteRequestOptions,
  context: WriteContext,
): Promise<Removed> {
  const exhausted = (): Error => statusErrors.modified(parts.resource, target.name)
  const isForced = options.ignoreStoreReadError && parts.gate(forcedDeletionGate)
  if (isForced) await requireUnreadable(parts, target, context)
  try {
    return await withCurrent(
      parts,
      target,
      context,
      (current) => attempt(parts, target, options, context, current),
      exhausted,
    )
  } catch (error) {
    if (!isForced || !(error instanceof UnreadableObject)) throw error
    return forceDelete(parts, target, context, exhausted)
  }
}

/** The option is for unreadable objects only: it must not be a way around finalizers. Throws 422. */
async function requireUnreadable(parts: ResourceParts, target: WriteTarget, context: WriteContext): Promise<void> {
  try {
    await fromStore(parts, target, context)
  } catch (error) {
    if (error instanceof UnreadableObject) return
    throw error
  }
  const field = 'ignoreStoreReadErrorWithClusterBreakingPotential'
  const why = 'is exclusively used to delete corrupt object(s), try again by removing this option'
  const { group, resource: kind } = parts.resource
  throw statusErrors.invalid({ group, kind }, target.name, [fieldErrors.invalid(field, true, why)])
}

/** Removes an unreadable object, hence without its finalizers and preconditions. */
async function forceDelete(
  parts: ResourceParts,
  { key, name, namespace }: WriteTarget,
  context: WriteContext,
  exhausted: () => Error,
): Promise<Removed> {
  const { gvk } = parts.definition
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) }
  const object: ApiObject = { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, metadata }
  let { value } = await parts.store.get(key)
  for (let tries = 0; tries < writeTriesMax; tries++) {
    if (!value) throw statusErrors.notFound(parts.resource, name)
    if (context.dryRun) return { key, object, revision: value.modRevision, deleted: true, stored: false }
    const result = await parts.store.delete(key, value.modRevision, signalOf(context))
    if (result.ok) return { key, object, revision: result.revision, deleted: true, stored: false, unread: true }
    value = result.current
  }
  throw exhausted()
}

async function attempt(
  parts: ResourceParts,
  target: WriteTarget,
  options: DeleteRequestOptions,
  context: WriteContext,
  current: Current,
): Promise<Attempt<Removed>> {
  const { existing } = current
  if (!existing) throw statusErrors.notFound(parts.resource, target.name)
  const why = context.inCollection ? undefined : parts.kind.strategy?.undeletable?.(existing.object)
  if (why !== undefined) throw statusErrors.forbidden(parts.resource, target.name, why)
  checkPreconditions(parts, existing.object, options)
  const plan = planDeletion(parts, existing.object, options, context)
  if (plan.step === 'wait') {
    // The terminating object may be deleted by now, and another one may have its name.
    const newer = await newerThan(parts, target, context, current)
    return newer ? { next: newer } : { done: { ...waiting(target, existing), stored: false } }
  }
  await context.validate?.(undefined, existing.object)
  if (plan.step === 'remove') return remove(parts, target, existing, context)
  return mark(parts, target, existing, plan, context)
}

function waiting({ key }: WriteTarget, { object, revision }: Existing): Omit<Removed, 'stored'> {
  return { key, object, revision, deleted: false }
}

/** Throws 409 when the object has another uid or resourceVersion than the preconditions. */
export function checkPreconditions(
  { definition: { gvk, gvr }, kind }: Pick<ResourceParts, 'definition' | 'kind'>,
  { metadata }: ApiObject,
  { preconditions }: DeleteRequestOptions,
): void {
  if (!preconditions) return
  // Kinds that mark first are checked when they are marked: the refusal is the store's.
  const byStore = kind.strategy?.marksBeforeDelete !== undefined
  const subject = byStore ? gvr : { group: gvk.group, resource: gvk.kind }
  const check = (what: string, named: string | undefined, actual: string, since: string): void => {
    if (named === undefined || named === actual) return
    const why = byStore
      ? `Precondition failed: ${what} in precondition: ${named}, ${what} in object meta: ${actual}`
      : `the ${what} in the precondition (${named}) does not match the ${what} in record (${actual}). ${since}`
    throw statusErrors.conflict(subject, metadata.name ?? '', why)
  }
  const { uid, resourceVersion } = preconditions
  check('UID', uid, metadata.uid ?? '', 'The object might have been deleted and then recreated')
  check('ResourceVersion', resourceVersion, metadata.resourceVersion ?? '', 'The object might have been modified')
}

/** Decides the next step, without side effects. */
function planDeletion(
  parts: ResourceParts,
  existing: ApiObject,
  options: DeleteRequestOptions,
  context: WriteContext,
): Plan {
  const { kind, definition } = parts
  const strategy = kind.strategy ?? {}
  const finalizers = existing.metadata.finalizers ?? []
  const collected = {
    garbageCollected: kind.garbageCollected !== false,
    orphanByDefault: definition.table.orphanByDefault === true,
  }
  // Without a garbage collector, nothing would remove its finalizers.
  const kept = parts.garbageCollection ? deletionFinalizers(finalizers, options, collected) : finalizers
  if (strategy.marksBeforeDelete) {
    if (existing.metadata.deletionTimestamp === undefined)
      return { step: 'mark', object: markedFirst(parts, existing, kept, strategy, context), removesNext: false }
    if (strategy.marksBeforeDelete.isHeld(existing)) return { step: 'wait' }
  }
  const grace = planGrace(parts, existing, strategy, options)
  if (grace === 'pending') return { step: 'wait' }
  if (grace === undefined && kept.length === 0) return { step: 'remove' }

  const object = withFinalizers(existing, kept)
  if (grace !== undefined) Object.assign(object.metadata, grace)
  else if (!markWithoutGrace(object.metadata, parts.clock.now()) && kept === finalizers) return { step: 'wait' }
  strategy.prepareForDelete?.(object, kindContext(parts, context, object.metadata.namespace ?? ''))
  return { step: 'mark', object, removesNext: kept.length === 0 && grace?.deletionGracePeriodSeconds === 0 }
}

function markedFirst(
  parts: ResourceParts,
  existing: ApiObject,
  finalizers: readonly string[],
  strategy: Strategy,
  context: WriteContext,
): ApiObject {
  const object = withFinalizers(existing, finalizers)
  object.metadata.deletionTimestamp = formatTime(parts.clock.now())
  strategy.prepareForDelete?.(object, kindContext(parts, context, object.metadata.namespace ?? ''))
  return object
}

function withFinalizers(existing: ApiObject, finalizers: readonly string[]): ApiObject {
  const object = { ...existing, metadata: { ...existing.metadata } }
  if (finalizers.length > 0) object.metadata.finalizers = [...finalizers]
  else delete object.metadata.finalizers
  return object
}

type Grace = Pick<ObjectMeta, 'deletionTimestamp' | 'deletionGracePeriodSeconds' | 'generation'>

/** Metadata of a graceful deletion; undefined: the kind has no grace period, or none is requested. */
function planGrace(
  parts: ResourceParts,
  { metadata, ...rest }: ApiObject,
  strategy: Strategy,
  options: DeleteRequestOptions,
): Grace | 'pending' | undefined {
  if (!strategy.gracePeriodSeconds) return undefined
  // A negative period has always meant the shortest one.
  const requested = options.gracePeriodSeconds
  const requestedSeconds = requested !== undefined && requested < 0 ? 1 : requested
  if (metadata.deletionTimestamp !== undefined) {
    const before = metadata.deletionGracePeriodSeconds
    // Nothing to wait for: only finalizers may keep it, or the deletion after its mark has failed.
    if (before === undefined || before === 0) return undefined
    if (requestedSeconds === undefined || requestedSeconds >= before) return 'pending'
    const markedMs = parseTime(metadata.deletionTimestamp) - secondsToMs(before)
    return {
      deletionTimestamp: formatTime(markedMs + secondsToMs(requestedSeconds)),
      deletionGracePeriodSeconds: requestedSeconds,
    }
  }
  const seconds = strategy.gracePeriodSeconds({ ...rest, metadata } as ApiObject, requestedSeconds)
  if (seconds === undefined) return undefined
  return {
    deletionTimestamp: formatTime(parts.clock.now() + secondsToMs(seconds)),
    deletionGracePeriodSeconds: seconds,
    ...((metadata.generation ?? 0) > 0 ? { generation: nextGeneration(metadata) } : {}),
  }
}

/** Marks an object that only finalizers keep. False: it was already marked. */
function markWithoutGrace(metadata: ObjectMeta, nowMs: number): boolean {
  const before = metadata.deletionTimestamp
  if (metadata.deletionGracePeriodSeconds === undefined && (metadata.generation ?? 0) > 0)
    metadata.generation = nextGeneration(metadata)
  if (before === undefined || parseTime(before) > nowMs) metadata.deletionTimestamp = formatTime(nowMs)
  const changed = metadata.deletionTimestamp !== before || metadata.deletionGracePeriodSeconds !== 0
  metadata.deletionGracePeriodSeconds = 0
  return changed
}

async function mark(
  parts: ResourceParts,
  target: WriteTarget,
  existing: Existing,
  plan: Extract<Plan, { step: 'mark' }>,
  context: WriteContext,
): Promise<Attempt<Removed>> {
  const { object } = plan
  const marked = { key: target.key, object, revision: existing.revision, deleted: false }
  if (context.dryRun) return { done: { ...marked, deleted: plan.removesNext, stored: false } }
  const bytes = parts.codec.encodeForStorage(object)
  const result = await parts.store.update(target.key, bytes, existing.revision, signalOf(context))
  if (!result.ok) return { next: stateOf(parts, result.current) }
  object.metadata.resourceVersion = toResourceVersion(result.revision)
  if (!plan.removesNext) return { done: { ...marked, revision: result.revision, stored: true } }
  return remove(parts, target, { ...existing, object, stored: bytes, revision: result.revision }, context)
}

async function remove(
  parts: ResourceParts,
  { key }: WriteTarget,
  existing: Existing,
  context: WriteContext,
): Promise<Attempt<Removed>> {
  const { object } = existing
  if (context.dryRun) return { done: { key, object, revision: existing.revision, deleted: true, stored: false } }
  const result = await parts.store.delete(key, existing.revision, signalOf(context))
  if (!result.ok) return { next: stateOf(parts, result.current) }
  await parts.hooks()?.afterDelete?.(object, context)
  const last = { ...object, metadata: { ...object.metadata, resourceVersion: toResourceVersion(result.revision) } }
  return { done: { key, object: last, revision: result.revision, deleted: true, stored: false } }
}

function signalOf({ signal }: WriteContext): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}

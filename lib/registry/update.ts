import type { Strategy } from '../kinds/index.ts'
import { validateMetadataContents, validateMetadataUpdate, validateQualifiedFinalizers } from '../kinds/index.ts'
import {
  type ApiObject,
  fieldErrors,
  parseResourceVersion,
  quote,
  StatusError,
  statusErrors,
  toResourceVersion,
} from '../object/index.ts'
import type { StoreWriteOptions, WriteResult } from '../storage/index.ts'
import {
  type Existing,
  kindContext,
  type ResourceParts,
  type WriteContext,
  type WriteTarget,
  type Written,
} from './context.ts'
import { checkCreate, prepareCreate } from './create.ts'
import { type Attempt, type Current, newerThan, stateOf, withCurrent } from './current.ts'
import { checkAuthorized, withAllocated } from './hooks.ts'
import { keepServerMetadata } from './metadata.ts'
import { type Aligned, alignQuantities } from './quantities.ts'
import { storeObject } from './store.ts'
import { validateKind } from './validatekind.ts'
import { withoutEmptyLists } from './withoutemptylists.ts'

/** The change of an object. */
export interface ObjectChange {
  /**
   * Makes the new object, in the hub version and not shared, from the existing one (undefined: there is none). May be
   * called again.
   */
  transform(existing: Existing | undefined): ApiObject | Promise<ApiObject>
  /** The object must have this uid. */
  readonly uid?: string
  /** Creates a missing object, even if updates of the resource don't. */
  readonly createMissing?: boolean
  /** '' for the object itself. */
  readonly subresource: string
}

/**
 * Replaces an object with the result of `change`. Throws 404 when it doesn't exist (and may not be created), 409 when
 * its resourceVersion or uid is another one, 422 for an invalid object. Writes nothing when nothing changes.
 */
export function updateObject(
  parts: ResourceParts,
  target: WriteTarget,
  change: ObjectChange,
  context: WriteContext,
): Promise<Written> {
  return withCurrent(
    parts,
    target,
    context,
    (current) => attempt(parts, target, change, context, current),
    () => statusErrors.modified(parts.resource, target.name),
  )
}

async function attempt(
  parts: ResourceParts,
  target: WriteTarget,
  change: ObjectChange,
  context: WriteContext,
  current: Current,
): Promise<Attempt<Written>> {
  const { existing } = current
  const uid = existing?.object.metadata.uid ?? ''
  if (!existing && !mayCreate(parts, change)) throw statusErrors.notFound(parts.resource, target.name)
  if (change.uid !== undefined && change.uid !== uid) throw wrongUid(parts, target, change.uid, uid)
  if (!existing) return attemptCreate(parts, target, change, context)
  const changed = withoutEmptyLists(parts.definition.struct, await change.transform(existing))
  checkResourceVersion(parts, target, changed, existing)
  const aligned = alignQuantities(parts.definition.struct, changed, existing.object)
  const object = aligned.value
  prepareUpdate(parts, object, existing.object, change.subresource, context)
  const write = (): Promise<Attempt<Written>> =>
    attemptUpdate(parts, target, aligned, change, context, current, existing)
  if (change.subresource !== '') return write()
  return withAllocated(parts, object, existing.object, context, write, ({ done }) => done?.stored === true)
}

function mayCreate({ definition }: ResourceParts, change: ObjectChange): boolean {
  return definition.table.createOnUpdate === true || change.createMissing === true
}

async function attemptUpdate(
  parts: ResourceParts,
  target: WriteTarget,
  aligned: Aligned<ApiObject>,
  change: ObjectChange,
  context: WriteContext,
  current: Current,
  existing: Existing,
): Promise<Attempt<Written>> {
  const object = aligned.value
  const strategy = strategyOf(parts, change.subresource)
  await checkUpdate(parts, aligned, existing.object, strategy, context)
  if (isFinished(object, existing.object, strategy)) return removeFinished(parts, target, object, existing, context)

  const bytes = parts.codec.encodeForStorage(object)
  if (!existing.stale && Buffer.compare(bytes, existing.stored) === 0)
    return unchanged(parts, target, context, current, existing)
  if (context.dryRun) return { done: { ...written(target, object, existing), stored: false } }
  const write = (value: Uint8Array, options: StoreWriteOptions): Promise<WriteResult> =>
    parts.store.update(target.key, value, existing.revision, options)
  const result = await storeObject(parts, object, context, write, bytes)
  if (!result.ok) return { next: stateOf(parts, result.current) }
  object.metadata.resourceVersion = toResourceVersion(result.revision)
  parts.hooks()?.afterUpdate?.(object, existing.object)
  return { done: { ...written(target, object, existing), revision: result.revision } }
}

function written({ key }: WriteTarget, object: ApiObject, { revision }: Existing): Written {
  return { key, object, revision, stored: true, created: false }
}

/** Nothing to write; but "unchanged" is only true of the current state, which may have to be encrypted again. */
async function unchanged(
  parts: ResourceParts,
  target: WriteTarget,
  context: WriteContext,
  current: Current,
  existing: Existing,
): Promise<Attempt<Written>> {
  const newer = await newerThan(parts, target, context, current, { unlessStale: true })
  if (newer) return { next: newer }
  const { object, entry } = existing
  return { done: { ...written(target, object, existing), stored: false, ...(entry && { entry }) } }
}

async function attemptCreate(
  parts: ResourceParts,
  target: WriteTarget,
  change: ObjectChange,
  context: WriteContext,
): Promise<Attempt<Written>> {
  const object = withoutEmptyLists(parts.definition.struct, await change.transform(undefined))
  prepareCreate(parts, object, context)
  const write = (): Promise<Attempt<Written>> => storeMissing(parts, target, object, context)
  return withAllocated(parts, object, undefined, context, write, ({ done }) => done?.stored === true)
}

async function storeMissing(
  parts: ResourceParts,
  target: WriteTarget,
  object: ApiObject,
  context: WriteContext,
): Promise<Attempt<Written>> {
  const { store } = parts
  await checkCreate(parts, object, context)
  delete object.metadata.resourceVersion
  if (context.dryRun) {
    const { revision } = await store.get(target.key)
    return { done: { key: target.key, object, revision, stored: false, created: true } }
  }
  const result = await storeObject(parts, object, context, (bytes, options) => store.create(target.key, bytes, options))
  if (!result.ok) return { next: stateOf(parts, result.current) }
  object.metadata.resourceVersion = toResourceVersion(result.revision)
  return { done: { key: target.key, object, revision: result.revision, stored: true, created: true } }
}

/** An update without a resourceVersion is unconditional, where the resource allows it. */
function checkResourceVersion(parts: ResourceParts, target: WriteTarget, object: ApiObject, existing: Existing): void {
  const { definition } = parts
  const named = object.metadata.resourceVersion ?? ''
  const revision = named === '' ? 0 : parseResourceVersion(named)
  if (revision === undefined)
    throw new StatusError(500, '', `strconv.ParseUint: parsing ${quote(named)}: invalid syntax`)
  if (revision === 0) {
    if (definition.table.conditionalUpdateOnly) {
      const why = 'must be specified for an update'
      throw statusErrors.invalid({ group: parts.resource.group, kind: parts.resource.resource }, target.name, [
        fieldErrors.invalid('metadata.resourceVersion', 0, why),
      ])
    }
    object.metadata.resourceVersion = toResourceVersion(existing.revision)
  } else if (revision !== existing.revision) throw statusErrors.modified(parts.resource, target.name)
}

/** The strategy of the endpoint of the write. */
function strategyOf({ kind }: ResourceParts, subresource: string): Strategy {
  return (subresource === '' ? kind.strategy : kind.subresources?.[subresource]) ?? {}
}

function prepareUpdate(
  parts: ResourceParts,
  object: ApiObject,
  old: ApiObject,
  subresource: string,
  context: WriteContext,
): void {
  const about = kindContext(parts, context, old.metadata.namespace ?? '')
  keepServerMetadata(object.metadata, old.metadata, parts.clock)
  parts.dropDisabledFields(parts.definition.struct, object, old)
  strategyOf(parts, subresource).prepareForUpdate?.(object, old, about)
}

/** Validates the object and converts it to its stored form in place. */
async function checkUpdate(
  parts: ResourceParts,
  { value: object, restore }: Aligned<ApiObject>,
  old: ApiObject,
  strategy: Strategy,
  context: WriteContext,
): Promise<void> {
  const { definition, kind } = parts
  const about = kindContext(parts, context, old.metadata.namespace ?? '')
  // Generic checks and the kind's both report errors of metadata: clients see all causes.
  const contents = validateMetadataContents(object.metadata)
  const metadata = validateMetadataUpdate(object.metadata, old.metadata, contents.length === 0)
  const finalizers = validateQualifiedFinalizers(object.metadata, definition.gvk)
  const findings = [...contents, ...metadata, ...metadata, ...finalizers, ...validateKind(strategy, object, old, about)]
  const errors = parts.declarative?.(definition.struct, object, old, findings, kind.isDeclared === true) ?? findings
  if (errors.length > 0) throw statusErrors.invalid(definition.gvk, object.metadata.name ?? '', errors)
  const authorized = checkAuthorized(parts, object, old, context)
  if (authorized) await authorized
  for (const text of strategy.warningsOnUpdate?.(object, old, about) ?? []) context.warn(text)
  restore()
  strategy.canonicalize?.(object)
  await context.validate?.(object, old)
}

/** The last finalizer of a terminating object is removed: nothing keeps the object any more. */
function isFinished(object: ApiObject, old: ApiObject, strategy: Strategy): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return false
  if (old.metadata.deletionTimestamp === undefined) return false
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false
  return !(strategy.marksBeforeDelete?.isHeld(object) ?? false)
}

/** The update's answer is the sent object; watchers see its deletion. */
async function removeFinished(
  parts: ResourceParts,
  target: WriteTarget,
  object: ApiObject,
  existing: Existing,
  context: WriteContext,
): Promise<Attempt<Written>> {
  if (!context.dryRun) {
    const result = await parts.store.delete(target.key, existing.revision)
    if (!result.ok && result.current) return { next: stateOf(parts, result.current) }
    // Otherwise another request removed it and releases its allocations: they may be taken again by now.
    if (result.ok) await parts.hooks()?.afterDelete?.(existing.object, context)
  }
  return { done: { ...written(target, object, existing), stored: false } }
}

function wrongUid(parts: ResourceParts, target: WriteTarget, named: string, actual: string): StatusError {
  const why = `Precondition failed: UID in precondition: ${named}, UID in object meta: ${actual}`
  return statusErrors.conflict(
    parts.resource,
    target.name,
    `StorageError: invalid object, Code: 4, Key: ${target.key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  )
}

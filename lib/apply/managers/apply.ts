import {
  type ApiObject,
  formatGroupVersion,
  formatGroupVersionKind,
  formatTime,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import { difference, intersection, isNoFields } from '../fieldset/algebra.ts'
import { FieldsV1Error } from '../fieldset/canonical.ts'
import { equalSets, type FieldSet, hasNoFields } from '../fieldset/fieldset.ts'
import { TypedError } from '../typed/listitem.ts'
import { mergeTyped } from '../typed/merge.ts'
import { restate } from '../typed/restate.ts'
import { toFieldSet } from '../typed/tofieldset.ts'
import { validateTyped } from '../typed/validate.ts'
import { comparable } from './comparable.ts'
import { type Conflict, conflictError } from './conflict.ts'
import { disown, reconcileOwners } from './disown.ts'
import { fieldsOfClientSideApply, migratingManager, withLastApplied } from './lastapplied.ts'
import { type FieldOwner, ownerId, readOwners, writeOwners } from './owner.ts'
import { prune } from './prune.ts'
import type { ApplyRequest, ApplyResult, Engine } from './request.ts'
import { takeChanges } from './update.ts'
import { Comparisons, VersionedShapes } from './versions.ts'

/** The manager of the fields that an object had before the first apply to it, when no manager was recorded. */
const beforeFirstApply = 'before-first-apply'

/** Applies a configuration to `live`: the resulting object with its owners. Throws as applyObject. */
export function applyConfiguration(sent: ApplyRequest, engine: Engine): ApplyResult {
  checkConfiguration(sent)
  const request = { ...sent, applied: withoutNulls(sent.applied) }
  const { gvk, type, applied, live, versions } = request
  const shapes = new VersionedShapes(formatGroupVersion(gvk), type, engine.shapeOf, versions)
  try {
    validateTyped(shapes.shape, applied)
  } catch (error) {
    throw failure(error, `failed to create typed patch object (${describe(request, applied)})`)
  }
  const owners = readLiveOwners(request, engine)
  reconcileOwners(owners, shapes)
  const { object, unchanged } = mergeAndPrune(request, shapes, owners)
  const entries = writeOwners(owners)
  const { managedFields: _, ...metadata } = object.metadata
  const result = { ...object, metadata: entries ? { ...metadata, managedFields: entries } : metadata }
  const isMigrating = request.manager === migratingManager
  const final = isMigrating ? withLastApplied(result, applied) : result
  return { object: final, unchanged: unchanged && live !== undefined && final === result }
}

/** Clients that print whole objects write server-set metadata as null: such a null requests nothing. */
function withoutNulls(applied: ApiObject): ApiObject {
  const { metadata } = applied as unknown as { metadata?: Record<string, unknown> }
  if (metadata?.['creationTimestamp'] !== null && metadata?.['uid'] !== null) return applied
  const kept = Object.entries(metadata).filter(
    ([name, value]) => value !== null || (name !== 'creationTimestamp' && name !== 'uid'),
  )
  return { ...applied, metadata: Object.fromEntries(kept) as ApiObject['metadata'] }
}

/** The kind and version must be the endpoint's, and the client must not send managed fields. */
function checkConfiguration({ applied, gvk }: ApplyRequest): void {
  const { apiVersion = '', kind = '', metadata } = applied as Partial<ApiObject>
  if (apiVersion !== formatGroupVersion(gvk) || kind !== gvk.kind)
    throw statusErrors.badRequest(`invalid object type: ${describeKind(apiVersion, kind)}`)
  if ((metadata?.managedFields ?? null) !== null) throw statusErrors.badRequest('metadata.managedFields must be nil')
}

function describeKind(apiVersion: unknown, kind: unknown): string {
  const [first = '', second] = String(apiVersion).split('/', 2)
  const groupVersion = second === undefined ? { group: '', version: first } : { group: first, version: second }
  return formatGroupVersionKind({ ...groupVersion, kind: String(kind) })
}

function describe({ gvk }: ApplyRequest, { metadata }: ApiObject): string {
  const { namespace = '', name = '' } = (metadata as ApiObject['metadata'] | undefined) ?? {}
  return `${namespace}/${name}; ${formatGroupVersionKind(gvk)}`
}

/** 500 without a reason: the stock server's answer to configurations that don't match the kind's type. */
function failure(error: unknown, what: string): unknown {
  if (!(error instanceof TypedError || error instanceof FieldsV1Error)) return error
  return new StatusError(500, '', `${what}: ${error.message}`, { cause: error })
}

function readLiveOwners(request: ApplyRequest, engine: Engine): Map<string, FieldOwner> {
  const { live } = request
  if (!live) return new Map()
  try {
    const owners = readOwners(live.metadata.managedFields ?? [])
    if (owners.size === 0)
      takeChanges({ ...request, live: undefined, object: live, manager: beforeFirstApply }, owners, engine)
    return owners
  } catch (error) {
    throw error instanceof TypedError
      ? failure(error, `failed to create typed live object (${describe(request, live)})`)
      : failure(error, 'failed to decode managed fields')
  }
}

/** Applies the configuration, and updates `owners`. */
function mergeAndPrune(
  request: ApplyRequest,
  shapes: VersionedShapes,
  owners: Map<string, FieldOwner>,
): { object: ApiObject; unchanged: boolean } {
  const { live, applied, filter, manager, subresource, nowMs, gvk } = request
  const base = live ?? emptyObject(request)
  const stated = toFieldSet(shapes.shape, comparable(applied))
  const { apiVersion } = shapes
  const mine = { manager, operation: 'Apply', apiVersion, subresource } as const
  const id = ownerId(mine)
  const last = owners.get(id)
  const set = filter ? filter(stated) : stated
  owners.set(
    id,
    last && last.apiVersion === apiVersion && equal(last.set, set)
      ? last
      : { ...mine, set, time: last?.time, ordered: false, stored: undefined },
  )
  let merged: ApiObject
  let comparisons: Comparisons
  try {
    merged = mergeTyped(shapes.shape, base, applied) as ApiObject
    // A manager that repeats its last configuration gives nothing up.
    if (owners.get(id) !== last) {
      const pruned = prune(shapes, merged, owners, last)
      if (pruned !== merged) merged = restate(shapes.shape, pruned, applied) as ApiObject
    }
    comparisons = new Comparisons({ shapes, before: base, after: merged, filter })
    comparisons.current()
  } catch (error) {
    throw failure(error, `failed to merge config (${describe(request, base)}, ${formatGroupVersionKind(gvk)})`)
  }
  takeFromOthers(request, id, owners, comparisons, shapes)
  // The time of an owner is its last apply that changed the object. A manager whose applies never changed anything has
  // no time.
  const unchanged = merged === base
  const now = owners.get(id)
  if (now && hasNoFields(now.set)) owners.delete(id)
  else if (now && !unchanged) owners.set(id, { ...now, time: formatTime(nowMs), stored: undefined })
  return { object: merged, unchanged }
}

function equal(a: FieldSet, b: FieldSet): boolean {
  return equalSets(a, b)
}

function emptyObject({ gvk }: ApplyRequest): ApiObject {
  return { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, metadata: {} }
}

/** Takes the fields that the apply changes from their owners; without force throws 409 if there are any. */
function takeFromOthers(
  request: ApplyRequest,
  self: string,
  owners: Map<string, FieldOwner>,
  comparisons: Comparisons,
  shapes: VersionedShapes,
): void {
  const conflicts = request.force ? [] : conflictsOf(request, self, owners, comparisons, shapes)
  if (conflicts.length > 0) throw conflictError(conflicts)
  disown(
    [...owners.keys()].filter((id) => id !== self),
    owners,
    comparisons,
  )
}

function conflictsOf(
  { manager, live }: ApplyRequest,
  self: string,
  owners: Map<string, FieldOwner>,
  comparisons: Comparisons,
  shapes: VersionedShapes,
): Conflict[] {
  const conflicts: Conflict[] = []
  for (const [id, owner] of owners) {
    if (id === self) continue
    const comparison = comparisons.at(owner.apiVersion)
    if (!comparison || hasNoFields(comparison.changed)) continue
    const { changed } = comparison
    const fields = intersection(owner.set, changed, isNoFields)
    if (!hasNoFields(fields)) conflicts.push({ owner, fields })
  }
  if (conflicts.length === 0 || manager !== migratingManager || !live) return conflicts
  const allowed = fieldsOfClientSideApply(shapes.shape, live)
  return conflicts
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !hasNoFields(fields))
}

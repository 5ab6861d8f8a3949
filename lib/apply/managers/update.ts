import { formatGroupVersion, formatTime, type ManagedFieldsEntry } from '../../object/index.ts'
import { union } from '../fieldset/algebra.ts'
import { FieldsV1Error } from '../fieldset/canonical.ts'
import { equalSets, type FieldSet, hasNoFields, noFields } from '../fieldset/fieldset.ts'
import { TypedError } from '../typed/listitem.ts'
import { anyShape } from '../typed/shape.ts'
import { capUpdaters } from './cap.ts'
import { disown, reconcileOwners } from './disown.ts'
import { type FieldOwner, ownerId, readOwners, writeOwners } from './owner.ts'
import type { ChangeContext, Engine, UpdateRequest } from './request.ts'
import { Comparisons, VersionedShapes } from './versions.ts'

/** Sets the managedFields of an object that is created, replaced or patched. */
export function updateOwners(request: UpdateRequest, engine: Engine): void {
  const { live, object } = request
  const { owners, isReset } = ownersBefore(request)
  const { metadata } = object
  // Managers are not tracked on an object whose managedFields were cleared, or that is older than tracking.
  const isTracked = owners.size > 0 || isReset || (live?.metadata.uid ?? '') === ''
  const entries = isTracked ? recordUpdate(request, owners, engine) : undefined
  if (entries) metadata.managedFields = entries
  else delete metadata.managedFields
}

function recordUpdate(
  request: UpdateRequest,
  owners: Map<string, FieldOwner>,
  engine: Engine,
): ManagedFieldsEntry[] | undefined {
  try {
    takeChanges(request, owners, engine)
  } catch (error) {
    // An object that does not match its type is refused later, or was stored like this: its owners don't change.
    if (!(error instanceof TypedError)) throw error
  }
  capUpdaters(owners)
  return writeOwners(owners)
}

/** Gives all differences between `live` and `object` to the manager of an update. Changes `owners`. */
export function takeChanges(context: Change, owners: Map<string, FieldOwner>, engine: Engine): void {
  const { manager, subresource, nowMs } = context
  const apiVersion = formatGroupVersion(context.gvk)
  const isFirst = !context.live && owners.size === 0
  const set = isFirst ? ofNew(context, engine) : changesOf(context, owners, engine)
  if (hasNoFields(set)) return
  const mine: FieldOwner = {
    manager,
    operation: 'Update',
    apiVersion,
    subresource,
    time: formatTime(nowMs),
    set,
    ordered: isFirst,
    stored: undefined,
  }
  const id = ownerId(mine)
  const before = owners.get(id)
  if (!before) owners.set(id, mine)
  else {
    const joined = union(before.set, set)
    owners.set(id, { ...mine, set: joined })
  }
}

type Change = ChangeContext & Pick<UpdateRequest, 'live' | 'object'>

/** The fields of an object without owners: all of them. */
function ofNew({ type, filter, object }: Change, { shapeOf, newFields }: Engine): FieldSet {
  const set = newFields(type ? shapeOf(type) : anyShape, object)
  return filter ? filter(set) : set
}

/** The fields that differ, which all other managers lose. */
function changesOf(
  { gvk, type, versions, filter, live, object }: Change,
  owners: Map<string, FieldOwner>,
  { shapeOf }: Engine,
): FieldSet {
  const shapes = new VersionedShapes(formatGroupVersion(gvk), type, shapeOf, versions)
  const comparisons = new Comparisons({ shapes, before: live, after: object, filter })
  const { changed } = comparisons.current()
  reconcileOwners(owners, shapes)
  disown([...owners.keys()], owners, comparisons)
  return changed
}

/**
 * The owners before an update: those in the request, if they can be read; else the stored ones, so that clients that
 * drop managedFields do no harm. A list of one empty entry clears all owners.
 */
function ownersBefore({ live, object, subresource }: UpdateRequest): {
  owners: Map<string, FieldOwner>
  isReset: boolean
} {
  const stored = live?.metadata.managedFields ?? []
  const sent = object.metadata.managedFields
  if (subresource === '' && sent !== undefined && sent !== stored) {
    if (isReset(sent)) return { owners: new Map(), isReset: true }
    const owners = tryRead(reuseStored(sent, stored), stored)
    if (owners && owners.size > 0) return { owners, isReset: false }
  }
  return { owners: tryRead(stored, stored) ?? new Map(), isReset: false }
}

function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  const [only] = entries
  return only !== undefined && entries.length === 1 && Object.values(only).every((value) => value === undefined)
}

function tryRead(
  entries: readonly ManagedFieldsEntry[],
  stored: readonly ManagedFieldsEntry[],
): Map<string, FieldOwner> | undefined {
  try {
    return readOwners(entries, stored)
  } catch (error) {
    if (error instanceof FieldsV1Error) return undefined
    throw error
  }
}

/** A client usually sends back what it read: entries that equal stored ones are replaced with those. */
function reuseStored(
  sent: readonly ManagedFieldsEntry[],
  stored: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] {
  if (stored.length === 0) return sent
  return sent.map((entry) => stored.find((known) => isEqual(entry, known)) ?? entry)
}

function isEqual(sent: ManagedFieldsEntry, stored: ManagedFieldsEntry): boolean {
  return (
    sent.manager === stored.manager &&
    sent.operation === stored.operation &&
    sent.apiVersion === stored.apiVersion &&
    sent.subresource === stored.subresource &&
    sent.time === stored.time &&
    sent.fieldsType === stored.fieldsType &&
    equalSets((sent.fieldsV1 ?? noFields) as FieldSet, (stored.fieldsV1 ?? noFields) as FieldSet)
  )
}

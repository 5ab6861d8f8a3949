import { type ManagedFieldsEntry, parseTime } from '../../object/index.ts'
import { canonical, FieldsV1Error, readFieldsV1 } from '../fieldset/canonical.ts'
import { compareTexts } from '../fieldset/element.ts'
import { type FieldSet, hasNoFields } from '../fieldset/fieldset.ts'

type Operation = 'Apply' | 'Update'

/** A manager and the fields that it owns. */
export interface FieldOwner {
  readonly manager: string
  readonly operation: Operation
  /** Version of the object in which the set's paths are valid. */
  readonly apiVersion: string
  readonly subresource: string
  readonly time: string | undefined
  readonly set: FieldSet
  /** The set's keys are in canonical order. Removing paths keeps that order. */
  readonly ordered: boolean
  /** The entry from which the owner was read, while it is unchanged. */
  readonly stored: ManagedFieldsEntry | undefined
}

/** Owners by identity: manager, operation and subresource, and for updaters the version, too. */
export type Owners = ReadonlyMap<string, FieldOwner>

export function ownerId({
  manager,
  operation,
  apiVersion,
  subresource,
}: Pick<FieldOwner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return `${operation}\n${operation === 'Update' ? apiVersion : ''}\n${subresource}\n${manager}`
}

/** Owners of the same time, and those of a conflict, are sorted by this text. */
export function identityText({ manager, operation, apiVersion, subresource }: FieldOwner): string {
  return JSON.stringify({ manager, operation, ...(operation === 'Update' ? { apiVersion } : {}), subresource })
}

/**
 * Reads owners from managedFields. Sets of entries that are among `stored` by reference are canonical already. Throws
 * FieldsV1Error for invalid entries.
 */
export function readOwners(
  entries: readonly ManagedFieldsEntry[],
  stored: readonly ManagedFieldsEntry[] = entries,
): Map<string, FieldOwner> {
  const owners = new Map<string, FieldOwner>()
  for (const [index, entry] of entries.entries()) {
    const owner = readOwner(entry, index, stored === entries || stored.includes(entry))
    owners.set(ownerId(owner), owner)
  }
  return owners
}

function readOwner(entry: ManagedFieldsEntry, index: number, trusted: boolean): FieldOwner {
  const { manager = '', operation, apiVersion = '', subresource = '', time, fieldsType, fieldsV1 } = entry
  if (operation !== 'Apply' && operation !== 'Update')
    throw new FieldsV1Error(`invalid managed fields entry ${index}: operation must be \`Apply\` or \`Update\``)
  if (apiVersion === '') throw new FieldsV1Error(`invalid managed fields entry ${index}: apiVersion must not be empty`)
  if (fieldsType !== 'FieldsV1') {
    const why = fieldsType ? `invalid fieldsType ${JSON.stringify(fieldsType)}` : 'missing fieldsType'
    throw new FieldsV1Error(`${why} in managed fields entry ${index}`)
  }
  const raw = fieldsV1 ?? {}
  const set = trusted ? (raw as FieldSet) : readFieldsV1(raw)
  return {
    manager,
    operation,
    apiVersion,
    subresource,
    time,
    set,
    ordered: true,
    stored: set === raw ? entry : undefined,
  }
}

/**
 * The entries of owners, in the order that clients expect; undefined when there are none. Owners of nothing have no
 * entry.
 */
export function writeOwners(owners: Owners): ManagedFieldsEntry[] | undefined {
  const sorted: FieldOwner[] = []
  for (const owner of owners.values()) if (!hasNoFields(owner.set)) sorted.push(owner)
  if (sorted.length === 0) return undefined
  if (sorted.length > 1) sorted.sort(compareOwners)
  const entries: ManagedFieldsEntry[] = []
  for (const owner of sorted) {
    if (owner.stored) entries.push(owner.stored)
    else {
      const { set, ordered } = owner
      entries.push(writeOwner(owner, ordered ? set : canonical(set)))
    }
  }
  return entries
}

function writeOwner(owner: FieldOwner, set: FieldSet): ManagedFieldsEntry {
  const { manager, operation, apiVersion, time, subresource } = owner
  return {
    ...(manager === '' ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: set,
    ...(subresource === '' ? {} : { subresource }),
  }
}

function compareOwners(a: FieldOwner, b: FieldOwner): number {
  if (a.operation !== b.operation) return a.operation === 'Apply' ? -1 : 1
  return (
    secondsOf(a) - secondsOf(b) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  )
}

export function secondsOf({ time }: FieldOwner): number {
  if (time === undefined) return 0
  try {
    return Math.floor(parseTime(time) / 1000)
  } catch {
    return 0
  }
}

/** The owner with a smaller set. Returns the owner itself when the set is the same. */
export function withSet(owner: FieldOwner, set: FieldSet): FieldOwner {
  return set === owner.set ? owner : { ...owner, set, stored: undefined }
}

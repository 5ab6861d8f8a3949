import type { MigrationCondition, StorageVersionMigration } from '../../../api/gen/storagemigration.k8s.io/v1alpha1.ts'
import { type Frozen, formatTime } from '../../object/index.ts'

type Migration = Frozen<StorageVersionMigration>

export function isDone(migration: Migration): boolean {
  return holds(migration, 'Succeeded') || holds(migration, 'Failed')
}

export function holds({ status }: Migration, wanted: string): boolean {
  return (status.conditions ?? []).some(({ type, status: value }) => type === wanted && value === 'True')
}

export function resourceKeyOf({ spec }: Migration): string {
  return `${spec.resource.group ?? ''}/${spec.resource.resource ?? ''}`
}

/** True for the oldest migration of a resource: they run one after the other. */
export function isFirst(migration: Migration, all: Iterable<Migration>): boolean {
  const resource = resourceKeyOf(migration)
  for (const other of all) {
    if (other.metadata.uid === migration.metadata.uid || resourceKeyOf(other) !== resource || isDone(other)) continue
    if (isOlder(other, migration)) return false
  }
  return true
}

function isOlder({ metadata: one }: Migration, { metadata: other }: Migration): boolean {
  const [first, second] = [one.creationTimestamp ?? '', other.creationTimestamp ?? '']
  return first === second ? (one.name ?? '') < (other.name ?? '') : first < second
}

const running = { type: 'Running', reason: 'MigrationRunning', message: 'The migration is running' }
const completed = { type: 'Running', reason: 'MigrationCompleted', message: 'The migration has completed' }

export function begun(migration: Migration, nowMs: number): Migration {
  return withConditions(migration, [{ ...running, status: 'True' }], nowMs)
}

export function succeeded(migration: Migration, nowMs: number): Migration {
  const end = { type: 'Succeeded', status: 'True', reason: 'StorageVersionMigrationSucceeded' }
  return withConditions(migration, [{ ...completed, status: 'False' }, end], nowMs)
}

export function failed(migration: Migration, why: string, nowMs: number): Migration {
  const message = `migration encountered unhandled error: ${why}`
  const end = { type: 'Failed', status: 'True', reason: 'StorageVersionMigrationFailed', message }
  return withConditions(migration, [{ ...completed, status: 'False' }, end], nowMs)
}

function withConditions(migration: Migration, set: readonly MigrationCondition[], nowMs: number): Migration {
  const types = new Set(set.map(({ type }) => type))
  const kept = (migration.status.conditions ?? []).filter(({ type }) => !types.has(type))
  const timed = set.map((condition) => ({ ...condition, lastUpdateTime: formatTime(nowMs) }))
  return { ...migration, status: { ...migration.status, conditions: [...kept, ...timed] } }
}

/** The object was last written after the migration began, and so is stored in the present version. */
export function isNewer(resourceVersion: string | undefined, start: string): boolean {
  const digits = resourceVersion ?? ''
  return digits.length === start.length ? digits > start : digits.length > start.length
}

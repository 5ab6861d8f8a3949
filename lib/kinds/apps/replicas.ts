import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  type IntOrString,
  percentOf,
  validatePercent,
} from '../../object/index.ts'
import { checkNonNegative, nonNegativeText } from '../check.ts'
import type { Column, KindDefinition } from '../definition.ts'
import { countColumn } from '../meta/columns.ts'

interface ReplicaCounts {
  readonly replicas?: number
  readonly fullyLabeledReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly unavailableReplicas?: number
  readonly updatedReplicas?: number
  readonly currentReplicas?: number
  readonly terminatingReplicas?: number
  readonly observedGeneration?: number
  readonly collisionCount?: number
}

const status = FieldPath.root('status')

/** The rules for the status of one kind, in the order of errors. */
export interface ReplicaStatusRule {
  /** These must not be negative. */
  readonly counts: readonly (keyof ReplicaCounts)[]
  /** These must not exceed the total. */
  readonly parts: readonly (keyof ReplicaCounts)[]
  /** The name of the ready count in errors. Default `readyReplicas`. */
  readonly ready?: string
}

/** The rules for replica sets and replication controllers. */
export const replicaSetStatus: ReplicaStatusRule = {
  counts: [
    'replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'terminatingReplicas',
    'observedGeneration',
  ], // biome-ignore format: a list of names
  parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
}

const countsOf = (object: ApiObject): ReplicaCounts => (object['status'] ?? {}) as ReplicaCounts

/** Columns of controllers of replicas without rollouts. */
export const replicaColumns: readonly Column[] = [
  countColumn('Desired', 'Pods that are wanted.', (object) => (object['spec'] as ReplicaCounts | undefined)?.replicas),
  countColumn('Current', 'Pods that exist.', (object) => countsOf(object).replicas),
  countColumn('Ready', 'Pods that are ready.', (object) => countsOf(object).readyReplicas),
]

export const replicaFields: NonNullable<KindDefinition['selectableFields']> = {
  'status.replicas': (object) => String(countsOf(object).replicas ?? 0),
}

/** Counts that controllers report: none negative, and parts not above the total. */
export function validateReplicaStatus(now: ReplicaCounts, old: ReplicaCounts, rule: ReplicaStatusRule): FieldError[] {
  const errors: FieldError[] = []
  for (const name of rule.counts) checkNonNegative(errors, now[name], status.child(name))
  const atMost = (name: keyof ReplicaCounts, limit: number, than: string): void => {
    const count = now[name] ?? 0
    if (count > limit) errors.push(fieldErrors.invalid(status.child(name), count, `cannot be greater than ${than}`))
  }
  for (const name of rule.parts) atMost(name, now.replicas ?? 0, 'status.replicas')
  atMost('availableReplicas', now.readyReplicas ?? 0, rule.ready ?? 'readyReplicas')
  if (old.collisionCount !== undefined && (now.collisionCount ?? 0) < old.collisionCount)
    errors.push(fieldErrors.invalid(status.child('collisionCount'), now.collisionCount, 'cannot be decremented'))
  return errors
}

/** How many pods a rollout may remove or add: a whole number, or a percentage. */
export function checkIntOrPercent(errors: FieldError[], value: IntOrString | undefined, path: FieldPath): void {
  if (value === undefined) return
  if (typeof value === 'number') {
    if (value < 0) errors.push(fieldErrors.invalid(path, value, nonNegativeText))
    return
  }
  for (const finding of validatePercent(value)) errors.push(fieldErrors.invalid(path, value, finding))
}

/** At most 100%. */
export function checkNotAboveAll(errors: FieldError[], value: IntOrString | undefined, path: FieldPath): void {
  if (value !== undefined && (percentOf(value) ?? 0) > 100)
    errors.push(fieldErrors.invalid(path, value, 'must not be greater than 100%'))
}

/** Zero as a number or percentage; any other text counts as zero. */
export function isZero(value: IntOrString | undefined): boolean {
  if (value === undefined || typeof value === 'number') return !value
  return (percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0)) === 0
}

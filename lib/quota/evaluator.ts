import type { GroupResource } from '../object/index.ts'
import type { Amounts } from './amounts.ts'
import type { IsOverdue } from './overdue.ts'
import type { QuotaScope } from './scopes.ts'

/** The parts of a write that quotas read. */
export interface QuotaWrite {
  readonly operation: string
  readonly subresource: string
  readonly object: object | undefined
  readonly oldObject: object | undefined
}

/** How objects of one resource count against quotas. Objects may have any served version. */
export interface Evaluator {
  readonly resource: GroupResource
  /** Whether such a write can increase the usage. */
  charges(write: QuotaWrite): boolean
  /** The resource names of a quota that objects of this resource use. */
  matching(names: readonly string[]): string[]
  usage(object: object): Amounts
  /** Whether the object is in the scope of a quota. Absent: quotas with scopes never count these objects. */
  isIn?(scope: QuotaScope, object: object): boolean
  /** Why the object can't be counted against a quota with these resources; undefined: it can. */
  missing?(names: readonly string[], object: object): string | undefined
}

export interface EvaluatorOptions {
  readonly isOverdue: IsOverdue
  /** Gate PodLevelResources: the pod-level resources count. */
  readonly podLevelResources: boolean
  /** Gate InPlacePodVerticalScaling: the resources that a pod holds during a resize count. */
  readonly inPlaceResize: boolean
  /** Gate VolumeAttributesClass: claims are counted by their attributes class. */
  readonly volumeAttributesClass: boolean
}

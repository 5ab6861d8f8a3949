import type { GroupResource } from '../object/index.ts'
import type { Amounts } from './amounts.ts'
import type { IsOverdue } from './overdue.ts'
import type { QuotaScope } from './scopes.ts'

/** A write as quotas see it. */
export interface QuotaWrite {
  readonly operation: string
  readonly subresource: string
  readonly object: object | undefined
  readonly oldObject: object | undefined
}

/** How objects of one resource count against quotas. Objects are in any served version. */
export interface Evaluator {
  readonly resource: GroupResource
  /** Whether such a write can use more of anything. */
  charges(write: QuotaWrite): boolean
  /** Those of a quota's resource names that objects of this resource use. */
  matching(names: readonly string[]): string[]
  usage(object: object): Amounts
  /** Whether the object is in the scope of a quota. Absent: quotas with scopes never count these objects. */
  isIn?(scope: QuotaScope, object: object): boolean
  /** Why the object can't be counted against a quota with these resources; undefined: it can. */
  missing?(names: readonly string[], object: object): string | undefined
}

export interface EvaluatorOptions {
  readonly isOverdue: IsOverdue
  /** Gate PodLevelResources: resources stated for the pod as a whole count. */
  readonly podLevelResources: boolean
  /** Gate InPlacePodVerticalScaling: what a pod holds while it is resized counts. */
  readonly inPlaceResize: boolean
  /** Gate VolumeAttributesClass: claims are counted by their attributes class. */
  readonly volumeAttributesClass: boolean
}

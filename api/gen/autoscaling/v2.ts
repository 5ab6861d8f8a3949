// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type ContainerResourceMetricSource = {
  name: string
  target: MetricTarget
  container: string
}

export type ContainerResourceMetricStatus = {
  name: string
  current: MetricValueStatus
  container: string
}

export type CrossVersionObjectReference = {
  kind: string
  name: string
  apiVersion?: string
}

export type ExternalMetricSource = {
  metric: MetricIdentifier
  target: MetricTarget
}

export type ExternalMetricStatus = {
  metric: MetricIdentifier
  current: MetricValueStatus
}

export type HPAScalingPolicy = {
  type: string
  value: number
  periodSeconds: number
}

export type HPAScalingRules = {
  stabilizationWindowSeconds?: number
  selectPolicy?: string
  policies?: HPAScalingPolicy[]
  tolerance?: string
}

export type HorizontalPodAutoscaler = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: HorizontalPodAutoscalerSpec
  status: HorizontalPodAutoscalerStatus
}

export type HorizontalPodAutoscalerBehavior = {
  scaleUp?: HPAScalingRules
  scaleDown?: HPAScalingRules
}

export type HorizontalPodAutoscalerCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type HorizontalPodAutoscalerList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: HorizontalPodAutoscaler[]
}

export type HorizontalPodAutoscalerSpec = {
  scaleTargetRef: CrossVersionObjectReference
  minReplicas?: number
  maxReplicas: number
  metrics?: MetricSpec[]
  behavior?: HorizontalPodAutoscalerBehavior
}

export type HorizontalPodAutoscalerStatus = {
  observedGeneration?: number
  lastScaleTime?: string
  currentReplicas?: number
  desiredReplicas: number
  currentMetrics?: MetricStatus[]
  conditions?: HorizontalPodAutoscalerCondition[]
}

export type MetricIdentifier = {
  name: string
  selector?: metaV1.LabelSelector
}

export type MetricSpec = {
  type: string
  object?: ObjectMetricSource
  pods?: PodsMetricSource
  resource?: ResourceMetricSource
  containerResource?: ContainerResourceMetricSource
  external?: ExternalMetricSource
}

export type MetricStatus = {
  type: string
  object?: ObjectMetricStatus
  pods?: PodsMetricStatus
  resource?: ResourceMetricStatus
  containerResource?: ContainerResourceMetricStatus
  external?: ExternalMetricStatus
}

export type MetricTarget = {
  type: string
  value?: string
  averageValue?: string
  averageUtilization?: number
}

export type MetricValueStatus = {
  value?: string
  averageValue?: string
  averageUtilization?: number
}

export type ObjectMetricSource = {
  describedObject: CrossVersionObjectReference
  target: MetricTarget
  metric: MetricIdentifier
}

export type ObjectMetricStatus = {
  metric: MetricIdentifier
  current: MetricValueStatus
  describedObject: CrossVersionObjectReference
}

export type PodsMetricSource = {
  metric: MetricIdentifier
  target: MetricTarget
}

export type PodsMetricStatus = {
  metric: MetricIdentifier
  current: MetricValueStatus
}

export type ResourceMetricSource = {
  name: string
  target: MetricTarget
}

export type ResourceMetricStatus = {
  name: string
  current: MetricValueStatus
}

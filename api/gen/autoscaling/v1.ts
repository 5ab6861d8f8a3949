// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type ContainerResourceMetricSource = {
  name: string
  targetAverageUtilization?: number
  targetAverageValue?: string
  container: string
}

export type ContainerResourceMetricStatus = {
  name: string
  currentAverageUtilization?: number
  currentAverageValue: string
  container: string
}

export type CrossVersionObjectReference = {
  kind: string
  name: string
  apiVersion?: string
}

export type ExternalMetricSource = {
  metricName: string
  metricSelector?: metaV1.LabelSelector
  targetValue?: string
  targetAverageValue?: string
}

export type ExternalMetricStatus = {
  metricName: string
  metricSelector?: metaV1.LabelSelector
  currentValue: string
  currentAverageValue?: string
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
  targetCPUUtilizationPercentage?: number
}

export type HorizontalPodAutoscalerStatus = {
  observedGeneration?: number
  lastScaleTime?: string
  currentReplicas: number
  desiredReplicas: number
  currentCPUUtilizationPercentage?: number
}

export type MetricSpec = {
  type: string
  object?: ObjectMetricSource
  pods?: PodsMetricSource
  resource?: ResourceMetricSource
  external?: ExternalMetricSource
  containerResource?: ContainerResourceMetricSource
}

export type MetricStatus = {
  type: string
  object?: ObjectMetricStatus
  pods?: PodsMetricStatus
  resource?: ResourceMetricStatus
  external?: ExternalMetricStatus
  containerResource?: ContainerResourceMetricStatus
}

export type ObjectMetricSource = {
  target: CrossVersionObjectReference
  metricName: string
  targetValue: string
  selector?: metaV1.LabelSelector
  averageValue?: string
}

export type ObjectMetricStatus = {
  target: CrossVersionObjectReference
  metricName: string
  currentValue: string
  selector?: metaV1.LabelSelector
  averageValue?: string
}

export type PodsMetricSource = {
  metricName: string
  targetAverageValue: string
  selector?: metaV1.LabelSelector
}

export type PodsMetricStatus = {
  metricName: string
  currentAverageValue: string
  selector?: metaV1.LabelSelector
}

export type ResourceMetricSource = {
  name: string
  targetAverageUtilization?: number
  targetAverageValue?: string
}

export type ResourceMetricStatus = {
  name: string
  currentAverageUtilization?: number
  currentAverageValue: string
}

export type Scale = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ScaleSpec
  status: ScaleStatus
}

export type ScaleSpec = {
  replicas?: number
}

export type ScaleStatus = {
  replicas: number
  selector?: string
}

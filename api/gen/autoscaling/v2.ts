// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Usage of a resource by one container of each pod, and the target for it. */
export type ContainerResourceMetricSource = {
  /** Name of the resource, such as cpu. */
  name: string
  /** The target. */
  target: MetricTarget
  /** Name of the container. */
  container: string
}

/** Present usage of a resource by one container of each pod. */
export type ContainerResourceMetricStatus = {
  /** Name of the resource, such as cpu. */
  name: string
  /** The usage. */
  current: MetricValueStatus
  /** Name of the container. */
  container: string
}

/** Names an object of the same namespace, whatever its version. */
export type CrossVersionObjectReference = {
  /** Kind of the object. */
  kind: string
  /** Name of the object. */
  name: string
  /** Group version of the object. */
  apiVersion?: string
}

/** A metric from outside the cluster, and the target for it. */
export type ExternalMetricSource = {
  /** The metric. */
  metric: MetricIdentifier
  /** The target. */
  target: MetricTarget
}

/** Present value of a metric from outside the cluster. */
export type ExternalMetricStatus = {
  /** The metric. */
  metric: MetricIdentifier
  /** Its value. */
  current: MetricValueStatus
}

/** How far the number of pods may change within a time. */
export type HPAScalingPolicy = {
  /** Pods for a number, Percent for a share. */
  type: string
  /** The number or share; above 0. */
  value: number
  /** The time, up to 1800 seconds. */
  periodSeconds: number
}

/** How fast to scale in one direction. */
export type HPAScalingRules = {
  /** Seconds of past recommendations, of which the most moderate counts. Defaults to 0 upwards and 300 downwards. */
  stabilizationWindowSeconds?: number
  /** Which policy counts: the one of Max (the default) or Min change, or Disabled to never scale. */
  selectPolicy?: string
  /** How far the number may change; at least one. */
  policies?: HPAScalingPolicy[]
  /** Tolerated deviation from the target. Defaults to that of the cluster, 10%. */
  tolerance?: string
}

/** Sets the number of pods of a workload by its load. */
export type HorizontalPodAutoscaler = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The workload and the targets. */
  spec: HorizontalPodAutoscalerSpec
  /** Present state of the autoscaler. */
  status: HorizontalPodAutoscalerStatus
}

/** By default pods are added at once and removed after five minutes. */
export type HorizontalPodAutoscalerBehavior = {
  /** How fast to add pods. */
  scaleUp?: HPAScalingRules
  /** How fast to remove pods. */
  scaleDown?: HPAScalingRules
}

/** One aspect of an autoscaler, such as AbleToScale or ScalingLimited. */
export type HorizontalPodAutoscalerCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of HorizontalPodAutoscaler objects. */
export type HorizontalPodAutoscalerList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: HorizontalPodAutoscaler[]
}

/** Of several metrics, the one that requires most pods decides. */
export type HorizontalPodAutoscalerSpec = {
  /** The workload; its kind must have a scale subresource. */
  scaleTargetRef: CrossVersionObjectReference
  /** Minimum number of pods. Defaults to 1. */
  minReplicas?: number
  /** Maximum number of pods; at least minReplicas. */
  maxReplicas: number
  /** Metrics to scale by; the one that requires most pods decides. Defaults to 80% of the requested cpu. */
  metrics?: MetricSpec[]
  /** How fast to scale; unset are the defaults. */
  behavior?: HorizontalPodAutoscalerBehavior
}

/** Present state of an autoscaler. */
export type HorizontalPodAutoscalerStatus = {
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** When the number of pods was last changed. */
  lastScaleTime?: string
  /** Number of pods at the last check. */
  currentReplicas?: number
  /** Desired number of pods, as last calculated. */
  desiredReplicas: number
  /** Metrics as last read. */
  currentMetrics?: MetricStatus[]
  /** Aspects of the autoscaler's state. */
  conditions?: HorizontalPodAutoscalerCondition[]
}

/** The name and, where that is several series, a selector. */
export type MetricIdentifier = {
  /** Name of the metric. */
  name: string
  /** Narrows the metric to a series; passed to the metrics server. */
  selector?: metaV1.LabelSelector
}

/** A metric to scale by; the field that type names is set. */
export type MetricSpec = {
  /** ContainerResource, External, Object, Pods or Resource. */
  type: string
  /** A metric of one object. */
  object?: ObjectMetricSource
  /** A metric of each pod, averaged. */
  pods?: PodsMetricSource
  /** Usage of a resource by the pods. */
  resource?: ResourceMetricSource
  /** Usage of a resource by one container of each pod. */
  containerResource?: ContainerResourceMetricSource
  /** A metric from outside the cluster. */
  external?: ExternalMetricSource
}

/** A metric as last read; the field that type names is set. */
export type MetricStatus = {
  /** ContainerResource, External, Object, Pods or Resource. */
  type: string
  /** A metric of one object. */
  object?: ObjectMetricStatus
  /** A metric of each pod, averaged. */
  pods?: PodsMetricStatus
  /** Usage of a resource by the pods. */
  resource?: ResourceMetricStatus
  /** Usage of a resource by one container of each pod. */
  containerResource?: ContainerResourceMetricStatus
  /** A metric from outside the cluster. */
  external?: ExternalMetricStatus
}

/** The target value. */
export type MetricTarget = {
  /** Utilization, Value or AverageValue. */
  type: string
  /** Value of the metric. */
  value?: string
  /** Value of the metric a pod. */
  averageValue?: string
  /** Usage in percent of the request, over all pods. Only for resources. */
  averageUtilization?: number
}

/** Value of a metric at present. */
export type MetricValueStatus = {
  /** Value of the metric. */
  value?: string
  /** Value of the metric a pod. */
  averageValue?: string
  /** Usage in percent of the request, over all pods. */
  averageUtilization?: number
}

/** A metric of one object, and the target for it. */
export type ObjectMetricSource = {
  /** The object. */
  describedObject: CrossVersionObjectReference
  /** The target. */
  target: MetricTarget
  /** The metric. */
  metric: MetricIdentifier
}

/** Present value of a metric of one object. */
export type ObjectMetricStatus = {
  /** The metric. */
  metric: MetricIdentifier
  /** Its value. */
  current: MetricValueStatus
  /** The object. */
  describedObject: CrossVersionObjectReference
}

/** A metric of each pod, averaged, and the target for it. */
export type PodsMetricSource = {
  /** The metric. */
  metric: MetricIdentifier
  /** The target, which is an AverageValue. */
  target: MetricTarget
}

/** Present value of a metric of each pod, averaged. */
export type PodsMetricStatus = {
  /** The metric. */
  metric: MetricIdentifier
  /** Its value. */
  current: MetricValueStatus
}

/** Usage of a resource by the pods, and the target for it. */
export type ResourceMetricSource = {
  /** Name of the resource, such as cpu. */
  name: string
  /** The target. */
  target: MetricTarget
}

/** Present usage of a resource by the pods. */
export type ResourceMetricStatus = {
  /** Name of the resource, such as cpu. */
  name: string
  /** The usage. */
  current: MetricValueStatus
}

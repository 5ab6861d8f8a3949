// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Usage of a resource by one container of each pod, and the target for it. */
export type ContainerResourceMetricSource = {
  /** Name of the resource, such as cpu. */
  name: string
  /** Target usage, in percent of the request. */
  targetAverageUtilization?: number
  /** Target usage a pod. */
  targetAverageValue?: string
  /** Name of the container. */
  container: string
}

/** Present usage of a resource by one container of each pod. */
export type ContainerResourceMetricStatus = {
  /** Name of the resource, such as cpu. */
  name: string
  /** Usage in percent of the request, over all pods. */
  currentAverageUtilization?: number
  /** Usage a pod. */
  currentAverageValue: string
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
  /** Name of the metric. */
  metricName: string
  /** Narrows the metric to a series. */
  metricSelector?: metaV1.LabelSelector
  /** Target value; excludes targetAverageValue. */
  targetValue?: string
  /** Target value a pod; excludes targetValue. */
  targetAverageValue?: string
}

/** Present value of a metric from outside the cluster. */
export type ExternalMetricStatus = {
  /** Name of the metric. */
  metricName: string
  /** Narrows the metric to a series. */
  metricSelector?: metaV1.LabelSelector
  /** Value at present. */
  currentValue: string
  /** Value a pod at present. */
  currentAverageValue?: string
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
  /** Target usage of cpu, in percent of the request. */
  targetCPUUtilizationPercentage?: number
}

/** Present state of an autoscaler. */
export type HorizontalPodAutoscalerStatus = {
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** When the number of pods was last changed. */
  lastScaleTime?: string
  /** Number of pods at the last check. */
  currentReplicas: number
  /** Desired number of pods, as last calculated. */
  desiredReplicas: number
  /** Usage of cpu in percent of the request, over all pods. */
  currentCPUUtilizationPercentage?: number
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
  /** A metric from outside the cluster. */
  external?: ExternalMetricSource
  /** Usage of a resource by one container of each pod. */
  containerResource?: ContainerResourceMetricSource
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
  /** A metric from outside the cluster. */
  external?: ExternalMetricStatus
  /** Usage of a resource by one container of each pod. */
  containerResource?: ContainerResourceMetricStatus
}

/** A metric of one object, and the target for it. */
export type ObjectMetricSource = {
  /** The object. */
  target: CrossVersionObjectReference
  /** Name of the metric. */
  metricName: string
  /** Target value. */
  targetValue: string
  /** Narrows the metric to a series. */
  selector?: metaV1.LabelSelector
  /** Target value a pod. */
  averageValue?: string
}

/** Present value of a metric of one object. */
export type ObjectMetricStatus = {
  /** The object. */
  target: CrossVersionObjectReference
  /** Name of the metric. */
  metricName: string
  /** Value at present. */
  currentValue: string
  /** Narrows the metric to a series. */
  selector?: metaV1.LabelSelector
  /** Value a pod at present. */
  averageValue?: string
}

/** A metric of each pod, averaged, and the target for it. */
export type PodsMetricSource = {
  /** Name of the metric. */
  metricName: string
  /** Target value a pod. */
  targetAverageValue: string
  /** Narrows the metric to a series. */
  selector?: metaV1.LabelSelector
}

/** Present value of a metric of each pod, averaged. */
export type PodsMetricStatus = {
  /** Name of the metric. */
  metricName: string
  /** Value a pod at present. */
  currentAverageValue: string
  /** Narrows the metric to a series. */
  selector?: metaV1.LabelSelector
}

/** Usage of a resource by the pods, and the target for it. */
export type ResourceMetricSource = {
  /** Name of the resource, such as cpu. */
  name: string
  /** Target usage, in percent of the request. */
  targetAverageUtilization?: number
  /** Target usage a pod. */
  targetAverageValue?: string
}

/** Present usage of a resource by the pods. */
export type ResourceMetricStatus = {
  /** Name of the resource, such as cpu. */
  name: string
  /** Usage in percent of the request, over all pods. */
  currentAverageUtilization?: number
  /** Usage a pod. */
  currentAverageValue: string
}

/** The number of pods of a workload, separately from the rest of it. */
export type Scale = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** How many pods there should be. */
  spec: ScaleSpec
  /** How many pods there are. */
  status: ScaleStatus
}

/** Written by people and autoscalers. */
export type ScaleSpec = {
  /** The number. */
  replicas?: number
}

/** Read by autoscalers. */
export type ScaleStatus = {
  /** The number. */
  replicas: number
  /** Selects the pods, as the text of a label selector. */
  selector?: string
}

// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as coreV1 from '../core/v1.ts'
/** The connection to the API server. */
export type ClientConnectionConfiguration = {
  /** Kubeconfig of the API server; in a pod that of its service account is the default. */
  kubeconfig: string
  /** Formats of answers. */
  acceptContentTypes: string
  /** Format of requests. */
  contentType: string
  /** Requests a second. */
  qps: number
  /** Requests at once after a quiet time. */
  burst: number
}

/** Settings of DefaultPreemption. */
export type DefaultPreemptionArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Nodes that are tried, in percent of all. */
  minCandidateNodesPercentage?: number
  /** Nodes that are tried at least. */
  minCandidateNodesAbsolute?: number
}

/** Settings of DynamicResources. */
export type DynamicResourcesArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Longest search for devices on one node; 0 for no limit. */
  filterTimeout?: string
  /** Longest wait for the binding conditions of devices. */
  bindingTimeout?: string
}

/** A web service that takes part in decisions. */
export type Extender = {
  /** Where it is. */
  urlPrefix: string
  /** Path of its filter. */
  filterVerb?: string
  /** Path of its choice of victims. */
  preemptVerb?: string
  /** Path of its scores. */
  prioritizeVerb?: string
  /** Weight of its scores. */
  weight?: number
  /** Path of its binding. */
  bindVerb?: string
  /** Whether it is asked over TLS. */
  enableHTTPS?: boolean
  /** Credentials for that. */
  tlsConfig?: JsonValue
  /** Longest wait for its answer. */
  httpTimeout: string
  /** Whether it knows nodes by their names. */
  nodeCacheCapable?: boolean
  /** Resources that it manages. */
  managedResources?: JsonValue[]
  /** Whether a pod may be scheduled without it. */
  ignorable?: boolean
}

/** Settings of InterPodAffinity. */
export type InterPodAffinityArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Weight of the required affinity of pods that run. */
  hardPodAffinityWeight?: number
  /** Whether preferences of pods that run count only for pods with affinity of their own. */
  ignorePreferredTermsOfExistingPods: boolean
}

/** Settings of a scheduler. */
export type KubeSchedulerConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Nodes that are asked at once. */
  parallelism?: number
  /** The lease that one of several schedulers holds. */
  leaderElection: LeaderElectionConfiguration
  /** The connection to the API server. */
  clientConnection: ClientConnectionConfiguration
  /** Whether profiles are served below /debug/pprof. */
  enableProfiling?: boolean
  /** Whether waiting for locks is profiled. */
  enableContentionProfiling?: boolean
  /** Nodes that are found at most before they are scored, in percent of all; 0: by the number of nodes. */
  percentageOfNodesToScore?: number
  /** First pause of a pod that fits nowhere. */
  podInitialBackoffSeconds?: number
  /** Longest pause of a pod that fits nowhere. */
  podMaxBackoffSeconds?: number
  /** Schedulers by the names that pods choose them by. */
  profiles?: KubeSchedulerProfile[]
  /** Web services that take part in decisions. */
  extenders?: Extender[]
  /** Whether objects are watched only while the lease is held. */
  delayCacheUntilActive?: boolean
}

/** A scheduler by a name. */
export type KubeSchedulerProfile = {
  /** The name in spec.schedulerName of its pods. */
  schedulerName?: string
  /** As for all profiles. */
  percentageOfNodesToScore?: number
  /** Plugins that are added to the default ones, or left out. */
  plugins?: Plugins
  /** Settings of plugins. */
  pluginConfig?: PluginConfig[]
}

/** The lease that one of several processes holds. */
export type LeaderElectionConfiguration = {
  /** Whether to work only while holding the lease. */
  leaderElect?: boolean
  /** How long others wait for a silent leader. */
  leaseDuration: string
  /** A leader that can not renew its lease for so long ends. */
  renewDeadline: string
  /** Pause between attempts. */
  retryPeriod: string
  /** Kind of the lock. */
  resourceLock: string
  /** Name of the lease. */
  resourceName: string
  /** Namespace of the lease. */
  resourceNamespace: string
}

/** Settings of NodeAffinity. */
export type NodeAffinityArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Affinity that every pod has in addition to its own. */
  addedAffinity?: coreV1.NodeAffinity
}

/** Settings of NodeResourcesBalancedAllocation. */
export type NodeResourcesBalancedAllocationArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Resources whose use is to be balanced. */
  resources?: ResourceSpec[]
}

/** Settings of NodeResourcesFit. */
export type NodeResourcesFitArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Resources that need not be free. */
  ignoredResources?: string[]
  /** Prefixes of such resources. */
  ignoredResourceGroups?: string[]
  /** Which nodes suit better. */
  scoringStrategy?: ScoringStrategy
}

/** A plugin by its name. */
export type Plugin = {
  /** Its name. */
  name: string
  /** Weight of its scores. */
  weight?: number
}

/** Settings of one plugin. */
export type PluginConfig = {
  /** Its name. */
  name: string
  /** Its settings. */
  args?: JsonValue
}

/** Plugins at one extension point. */
export type PluginSet = {
  /** Plugins in addition to the default ones. */
  enabled?: Plugin[]
  /** Default plugins to leave out; * is all. */
  disabled?: Plugin[]
}

/** Plugins by extension point. */
export type Plugins = {
  /** Asked before a pod is queued. */
  preEnqueue?: PluginSet
  /** Orders the queue. */
  queueSort?: PluginSet
  /** Asked once a pod. */
  preFilter?: PluginSet
  /** Asked whether a node takes the pod. */
  filter?: PluginSet
  /** Asked where no node does. */
  postFilter?: PluginSet
  /** Asked once before scores. */
  preScore?: PluginSet
  /** Asked how well a node suits the pod. */
  score?: PluginSet
  /** Asked when a node was chosen. */
  reserve?: PluginSet
  /** Asked whether the pod may be bound. */
  permit?: PluginSet
  /** Asked before the pod is bound. */
  preBind?: PluginSet
  /** Binds the pod. */
  bind?: PluginSet
  /** Asked after the pod was bound. */
  postBind?: PluginSet
  /** At every point that a plugin has. */
  multiPoint?: PluginSet
}

/** Settings of PodTopologySpread. */
export type PodTopologySpreadArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Constraints of pods without any. */
  defaultConstraints?: coreV1.TopologySpreadConstraint[]
  /** System or List. */
  defaultingType?: string
}

/** A score by the part of a node that is used. */
export type RequestedToCapacityRatioParam = {
  /** Points of the function. */
  shape?: UtilizationShapePoint[]
}

/** A resource and its weight. */
export type ResourceSpec = {
  /** Its name. */
  name: string
  /** Its weight. */
  weight?: number
}

/** Which nodes suit better. */
export type ScoringStrategy = {
  /** LeastAllocated, MostAllocated or RequestedToCapacityRatio. */
  type?: string
  /** Resources that count. */
  resources?: ResourceSpec[]
  /** The function of RequestedToCapacityRatio. */
  requestedToCapacityRatio?: RequestedToCapacityRatioParam
}

/** A point of a function. */
export type UtilizationShapePoint = {
  /** The part that is used, in percent. */
  utilization: number
  /** The score there, 0 to 10. */
  score: number
}

/** Settings of VolumeBinding. */
export type VolumeBindingArgs = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Longest wait for volumes to be bound. */
  bindTimeoutSeconds?: number
  /** Score by the part of the volumes that is requested. */
  shape?: UtilizationShapePoint[]
}

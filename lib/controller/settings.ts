import type { Pod } from '../../api/gen/core/v1.ts'
import type { Frozen } from '../object/index.ts'

/** The controllers' settings by the names of their flags. Durations are in milliseconds. */
export interface ControllerSettings {
  readonly concurrentDeploymentSyncs: number
  readonly concurrentReplicasetSyncs: number
  readonly concurrentRcSyncs: number
  readonly concurrentStatefulsetSyncs: number
  readonly concurrentDaemonsetSyncs: number
  readonly concurrentJobSyncs: number
  readonly concurrentCronJobSyncs: number
  readonly concurrentNamespaceSyncs: number
  readonly concurrentGcSyncs: number
  readonly concurrentServiceEndpointSyncs: number
  readonly concurrentEndpointSyncs: number
  readonly concurrentServiceaccountTokenSyncs: number
  readonly concurrentResourceQuotaSyncs: number
  readonly concurrentTtlAfterFinishedSyncs: number
  readonly concurrentEphemeralvolumeSyncs: number
  readonly concurrentHorizontalPodAutoscalerSyncs: number
  readonly concurrentValidatingAdmissionPolicyStatusSyncs: number
  readonly mirroringConcurrentServiceEndpointSyncs: number
  readonly concurrentDeviceTaintEvictionSyncs: number
  readonly concurrentResourceclaimSyncs: number
  readonly enableGarbageCollector: boolean
  readonly enableDynamicProvisioning: boolean
  /** Storage classes may have their volumes provisioned as folders of this machine. */
  readonly enableHostpathProvisioner: boolean
  /** Seconds that a pod may take to empty a volume: the minimum, and the time per GiB. */
  readonly pvRecyclerMinimumTimeoutHostpath: number
  readonly pvRecyclerTimeoutIncrementHostpath: number
  readonly pvRecyclerMinimumTimeoutNfs: number
  readonly pvRecyclerIncrementTimeoutNfs: number
  /** Templates that replace the built-in one of such pods. Their first volume is the one to be emptied. */
  readonly recyclerPods: RecyclerPods
  readonly namespaceSyncPeriod: number
  readonly resourceQuotaSyncPeriod: number
  readonly terminatedPodGcThreshold: number
  readonly maxEndpointsPerSlice: number
  readonly mirroringMaxEndpointsPerSubset: number
  readonly endpointUpdatesBatchPeriod: number
  readonly endpointsliceUpdatesBatchPeriod: number
  readonly mirroringEndpointsliceUpdatesBatchPeriod: number
  readonly nodeMonitorPeriod: number
  readonly nodeMonitorGracePeriod: number
  readonly nodeStartupGracePeriod: number
  readonly nodeEvictionRate: number
  readonly secondaryNodeEvictionRate: number
  readonly largeClusterSizeThreshold: number
  readonly unhealthyZoneThreshold: number
  readonly pvclaimbinderSyncPeriod: number
  readonly attachDetachReconcileSyncPeriod: number
  readonly disableAttachDetachReconcileSync: boolean
  readonly disableForceDetachOnTimeout: boolean
  readonly horizontalPodAutoscalerSyncPeriod: number
  readonly horizontalPodAutoscalerDownscaleStabilization: number
  readonly horizontalPodAutoscalerTolerance: number
  readonly horizontalPodAutoscalerCpuInitializationPeriod: number
  readonly horizontalPodAutoscalerInitialReadinessDelay: number
  readonly legacyServiceAccountTokenCleanUpPeriod: number
  readonly clusterSigningDuration: number
  /** PEM texts; '' where there is none. */
  readonly rootCa: string
  readonly serviceAccountPrivateKey: string
  /** The authority of each signer; the global pair serves all of them. */
  readonly clusterSigning: ClusterSigning
  readonly allocateNodeCidrs: boolean
  readonly clusterCidr: readonly string[]
  readonly serviceClusterIpRange: readonly string[]
  readonly nodeCidrMaskSize: number
  readonly nodeCidrMaskSizeIpv4: number
  readonly nodeCidrMaskSizeIpv6: number
  readonly clusterName: string
}

export interface RecyclerPods {
  readonly hostPath?: Frozen<Pod> | undefined
  readonly nfs?: Frozen<Pod> | undefined
}

interface ClusterSigning {
  readonly legacyUnknown?: SigningAuthority
  readonly kubeApiserverClient?: SigningAuthority
  readonly kubeletClient?: SigningAuthority
  readonly kubeletServing?: SigningAuthority
}

/** A pair of PEM texts, or of files that may change. */
export type SigningAuthority = SigningFiles | { readonly certificate: string; readonly key: string }

export interface SigningFiles {
  readonly certFile: string
  readonly keyFile: string
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/**
 * Default number of turns of a queue whose turns mostly wait for answers; 5 in the stock manager. Each of them has at
 * most 32 requests under way (lib/controllers/shared/settleconcurrently.ts): together no more than priority and fairness
 * runs and queues for one flow of `workload-high`, 98 and 6 queues of 50. Controllers of endpoints and quotas keep 5:
 * the more keys wait, the more changes each of their writes covers.
 */
const turnsAtOnce = 12

export const defaultControllerSettings: ControllerSettings = Object.freeze({
  concurrentDeploymentSyncs: turnsAtOnce,
  concurrentReplicasetSyncs: turnsAtOnce,
  concurrentRcSyncs: turnsAtOnce,
  concurrentStatefulsetSyncs: turnsAtOnce,
  concurrentDaemonsetSyncs: 2,
  concurrentJobSyncs: turnsAtOnce,
  concurrentCronJobSyncs: turnsAtOnce,
  concurrentNamespaceSyncs: 10,
  concurrentGcSyncs: 20,
  concurrentServiceEndpointSyncs: 5,
  concurrentEndpointSyncs: 5,
  concurrentServiceaccountTokenSyncs: 5,
  concurrentResourceQuotaSyncs: 5,
  concurrentTtlAfterFinishedSyncs: turnsAtOnce,
  concurrentEphemeralvolumeSyncs: 5,
  concurrentHorizontalPodAutoscalerSyncs: 5,
  concurrentValidatingAdmissionPolicyStatusSyncs: 5,
  mirroringConcurrentServiceEndpointSyncs: 5,
  concurrentDeviceTaintEvictionSyncs: 8,
  concurrentResourceclaimSyncs: 50,
  enableGarbageCollector: true,
  enableDynamicProvisioning: true,
  enableHostpathProvisioner: false,
  pvRecyclerMinimumTimeoutHostpath: 60,
  pvRecyclerTimeoutIncrementHostpath: 30,
  pvRecyclerMinimumTimeoutNfs: 300,
  pvRecyclerIncrementTimeoutNfs: 30,
  recyclerPods: {},
  namespaceSyncPeriod: 5 * minute,
  resourceQuotaSyncPeriod: 5 * minute,
  terminatedPodGcThreshold: 12_500,
  maxEndpointsPerSlice: 100,
  mirroringMaxEndpointsPerSubset: 1000,
  endpointUpdatesBatchPeriod: 0,
  endpointsliceUpdatesBatchPeriod: 0,
  mirroringEndpointsliceUpdatesBatchPeriod: 0,
  nodeMonitorPeriod: 5 * second,
  nodeMonitorGracePeriod: 50 * second,
  nodeStartupGracePeriod: minute,
  nodeEvictionRate: 0.1,
  secondaryNodeEvictionRate: 0.01,
  largeClusterSizeThreshold: 50,
  unhealthyZoneThreshold: 0.55,
  pvclaimbinderSyncPeriod: 15 * second,
  attachDetachReconcileSyncPeriod: minute,
  disableAttachDetachReconcileSync: false,
  disableForceDetachOnTimeout: false,
  horizontalPodAutoscalerSyncPeriod: 15 * second,
  horizontalPodAutoscalerDownscaleStabilization: 5 * minute,
  horizontalPodAutoscalerTolerance: 0.1,
  horizontalPodAutoscalerCpuInitializationPeriod: 5 * minute,
  horizontalPodAutoscalerInitialReadinessDelay: 30 * second,
  legacyServiceAccountTokenCleanUpPeriod: 365 * 24 * hour,
  clusterSigningDuration: 365 * 24 * hour,
  rootCa: '',
  serviceAccountPrivateKey: '',
  clusterSigning: {},
  allocateNodeCidrs: false,
  clusterCidr: [],
  serviceClusterIpRange: [],
  nodeCidrMaskSize: 0,
  nodeCidrMaskSizeIpv4: 24,
  nodeCidrMaskSizeIpv6: 64,
  clusterName: 'kubernetes',
})

import { formatDuration } from '../../lib/object/index.ts'
import type { ManagerFlags } from './flags.ts'

/**
 * The configuration at `/configz`, with the field names of the stock manager's configuration, which tools know. It
 * shows paths of files, not their contents.
 */
export function configzOf(flags: ManagerFlags): object {
  return {
    Generic: genericOf(flags),
    KubeCloudShared: {
      UseServiceAccountCredentials: flags['use-service-account-credentials'],
      NodeMonitorPeriod: duration(flags['node-monitor-period']),
      ClusterName: flags['cluster-name'],
      ClusterCIDR: list(flags['cluster-cidr']),
      AllocateNodeCIDRs: flags['allocate-node-cidrs'],
    },
    ...concurrencyOf(flags),
    AttachDetachController: {
      DisableAttachDetachReconcilerSync: flags['disable-attach-detach-reconcile-sync'],
      ReconcilerSyncLoopPeriod: duration(flags['attach-detach-reconcile-sync-period']),
      DisableForceDetachOnTimeout: flags['disable-force-detach-on-timeout'],
    },
    CSRSigningController: signingOf(flags),
    GarbageCollectorController: {
      EnableGarbageCollector: flags['enable-garbage-collector'],
      ConcurrentGCSyncs: flags['concurrent-gc-syncs'],
    },
    HPAController: autoscalerOf(flags),
    NamespaceController: {
      NamespaceSyncPeriod: duration(flags['namespace-sync-period']),
      ConcurrentNamespaceSyncs: flags['concurrent-namespace-syncs'],
    },
    NodeIPAMController: {
      ServiceCIDR: list(flags['service-cluster-ip-range']),
      NodeCIDRMaskSize: flags['node-cidr-mask-size'],
      NodeCIDRMaskSizeIPv4: flags['node-cidr-mask-size-ipv4'],
      NodeCIDRMaskSizeIPv6: flags['node-cidr-mask-size-ipv6'],
    },
    NodeLifecycleController: {
      NodeEvictionRate: flags['node-eviction-rate'],
      SecondaryNodeEvictionRate: flags['secondary-node-eviction-rate'],
      NodeStartupGracePeriod: duration(flags['node-startup-grace-period']),
      NodeMonitorGracePeriod: duration(flags['node-monitor-grace-period']),
      LargeClusterSizeThreshold: flags['large-cluster-size-threshold'],
      UnhealthyZoneThreshold: flags['unhealthy-zone-threshold'],
    },
    PersistentVolumeBinderController: {
      PVClaimBinderSyncPeriod: duration(flags['pvclaimbinder-sync-period']),
      VolumeConfiguration: {
        EnableHostPathProvisioning: flags['enable-hostpath-provisioner'],
        EnableDynamicProvisioning: flags['enable-dynamic-provisioning'],
        PersistentVolumeRecyclerConfiguration: {
          MinimumTimeoutNFS: flags['pv-recycler-minimum-timeout-nfs'],
          PodTemplateFilePathNFS: flags['pv-recycler-pod-template-filepath-nfs'],
          IncrementTimeoutNFS: flags['pv-recycler-increment-timeout-nfs'],
          PodTemplateFilePathHostPath: flags['pv-recycler-pod-template-filepath-hostpath'],
          MinimumTimeoutHostPath: flags['pv-recycler-minimum-timeout-hostpath'],
          IncrementTimeoutHostPath: flags['pv-recycler-timeout-increment-hostpath'],
        },
      },
    },
    PodGCController: { TerminatedPodGCThreshold: flags['terminated-pod-gc-threshold'] },
    ResourceQuotaController: {
      ResourceQuotaSyncPeriod: duration(flags['resource-quota-sync-period']),
      ConcurrentResourceQuotaSyncs: flags['concurrent-resource-quota-syncs'],
    },
    SAController: {
      ServiceAccountKeyFile: flags['service-account-private-key-file'],
      ConcurrentSATokenSyncs: flags['concurrent-serviceaccount-token-syncs'],
      RootCAFile: flags['root-ca-file'],
    },
    LegacySATokenCleaner: { CleanUpPeriod: duration(flags['legacy-service-account-token-clean-up-period']) },
  }
}

/** In Go's format: `1m0s`. */
function duration(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * 1e6)))
}

function list(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(',')
}

function genericOf(flags: ManagerFlags): object {
  return {
    Port: flags['secure-port'],
    Address: flags['bind-address'],
    ClientConnection: {
      Kubeconfig: flags.kubeconfig,
      ContentType: flags['kube-api-content-type'],
      QPS: flags['kube-api-qps'],
      Burst: flags['kube-api-burst'],
    },
    LeaderElection: {
      LeaderElect: flags['leader-elect'],
      LeaseDuration: duration(flags['leader-elect-lease-duration']),
      RenewDeadline: duration(flags['leader-elect-renew-deadline']),
      RetryPeriod: duration(flags['leader-elect-retry-period']),
      ResourceLock: flags['leader-elect-resource-lock'],
      ResourceName: flags['leader-elect-resource-name'],
      ResourceNamespace: flags['leader-elect-resource-namespace'],
    },
    Controllers: flags.controllers,
  }
}

/** Controllers whose only setting is the number of workers. */
function concurrencyOf(flags: ManagerFlags): object {
  return {
    CronJobController: { ConcurrentCronJobSyncs: flags['concurrent-cron-job-syncs'] },
    DaemonSetController: { ConcurrentDaemonSetSyncs: flags['concurrent-daemonset-syncs'] },
    DeploymentController: { ConcurrentDeploymentSyncs: flags['concurrent-deployment-syncs'] },
    EndpointController: {
      ConcurrentEndpointSyncs: flags['concurrent-endpoint-syncs'],
      EndpointUpdatesBatchPeriod: duration(flags['endpoint-updates-batch-period']),
    },
    EndpointSliceController: {
      ConcurrentServiceEndpointSyncs: flags['concurrent-service-endpoint-syncs'],
      MaxEndpointsPerSlice: flags['max-endpoints-per-slice'],
      EndpointUpdatesBatchPeriod: duration(flags['endpointslice-updates-batch-period']),
    },
    EndpointSliceMirroringController: {
      MirroringConcurrentServiceEndpointSyncs: flags['mirroring-concurrent-service-endpoint-syncs'],
      MirroringMaxEndpointsPerSubset: flags['mirroring-max-endpoints-per-subset'],
      MirroringEndpointUpdatesBatchPeriod: duration(flags['mirroring-endpointslice-updates-batch-period']),
    },
    EphemeralVolumeController: { ConcurrentEphemeralVolumeSyncs: flags['concurrent-ephemeralvolume-syncs'] },
    JobController: { ConcurrentJobSyncs: flags['concurrent-job-syncs'] },
    ReplicaSetController: { ConcurrentRSSyncs: flags['concurrent-replicaset-syncs'] },
    ReplicationController: { ConcurrentRCSyncs: flags.concurrent_rc_syncs },
    StatefulSetController: { ConcurrentStatefulSetSyncs: flags['concurrent-statefulset-syncs'] },
    TTLAfterFinishedController: { ConcurrentTTLSyncs: flags['concurrent-ttl-after-finished-syncs'] },
    ValidatingAdmissionPolicyStatusController: {
      ConcurrentPolicySyncs: flags['concurrent-validating-admission-policy-status-syncs'],
    },
  }
}

function signingOf(flags: ManagerFlags): object {
  const filesOf = (signer: 'kube-apiserver-client' | 'kubelet-client' | 'kubelet-serving' | 'legacy-unknown') => ({
    CertFile: flags[`cluster-signing-${signer}-cert-file`],
    KeyFile: flags[`cluster-signing-${signer}-key-file`],
  })
  return {
    ClusterSigningCertFile: flags['cluster-signing-cert-file'],
    ClusterSigningKeyFile: flags['cluster-signing-key-file'],
    ClusterSigningDuration: duration(flags['cluster-signing-duration']),
    KubeletServingSignerConfiguration: filesOf('kubelet-serving'),
    KubeletClientSignerConfiguration: filesOf('kubelet-client'),
    KubeAPIServerClientSignerConfiguration: filesOf('kube-apiserver-client'),
    LegacyUnknownSignerConfiguration: filesOf('legacy-unknown'),
  }
}

function autoscalerOf(flags: ManagerFlags): object {
  const prefix = 'horizontal-pod-autoscaler'
  return {
    ConcurrentHorizontalPodAutoscalerSyncs: flags[`concurrent-${prefix}-syncs`],
    HorizontalPodAutoscalerSyncPeriod: duration(flags[`${prefix}-sync-period`]),
    HorizontalPodAutoscalerDownscaleStabilizationWindow: duration(flags[`${prefix}-downscale-stabilization`]),
    HorizontalPodAutoscalerTolerance: flags[`${prefix}-tolerance`],
    HorizontalPodAutoscalerCPUInitializationPeriod: duration(flags[`${prefix}-cpu-initialization-period`]),
    HorizontalPodAutoscalerInitialReadinessDelay: duration(flags[`${prefix}-initial-readiness-delay`]),
  }
}

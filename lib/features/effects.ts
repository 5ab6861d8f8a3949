/**
 * Gates that no part of this project reads, and why that is right:
 * - `always`: this project works as if the gate were on.
 * - `inside`: the gate chooses between two ways of the stock server's (or its client's) own code, which clients can't
 *   distinguish, or parts of it that this project doesn't have.
 * - `elsewhere`: the gate belongs to another component. Installers pass one list of gates to all components, so these may be
 *   set here.
 * - `missing`: clients would see the difference, and it isn't built. Such a gate is shown as off. One that its release has off
 *   by default is refused when it is switched on.
 */
export type UnreadGate = 'always' | 'inside' | 'elsewhere' | 'missing'

const always = `
    APIServerTracing AggregatedDiscoveryRemoveBetaType AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs
    AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AuthorizeWithSelectors ClientsAllowCARotation
    ConsistentListFromCache ContextualLogging ControllerManagerReleaseLeaderElectionLockOnExit ImageVolume JobBackoffLimitPerIndex JobPodReplacementPolicy
    JobSuccessPolicy ListFromCacheSnapshot LogarithmicScaleDown MatchLabelKeysInPodAffinity
    MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge
    MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs
    NodeInclusionPolicyInPodTopologySpread OpenAPIEnums OrderedNamespaceDeletion PodDeletionCost
    PodLifecycleSleepAction PodLifecycleSleepActionAllowZero  PodSchedulingReadiness
    PreventStaticPodAPIReferences RecursiveReadOnlyMounts RelaxedDNSSearchValidation
    RelaxedEnvironmentVariableValidation ReloadKubeletClientCAFile RemoteRequestHeaderUID
    ResilientWatchCacheInitialization RetryGenerateName SeparateTaintEvictionController ServiceAccountTokenJTI
    ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
    ServiceCIDRStatusFieldWiping SidecarContainers StatefulSetSemanticRevisionComparison StorageVersionHash
    StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StructuredAuthenticationConfiguration
    StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics
    TokenRequestServiceAccountUIDValidation UnauthenticatedHTTP2DOSMitigation UserNamespacesSupport`

const inside = `
    APIServingWithRoutine AllAlpha AllBeta AtomicFIFO BtreeWatchCache ClientsAllowCBOR ClientsAllowTLSCacheGC
    ClientsPreferCBOR ConcurrentWatchObjectDecode DeclarativeValidationBeta DetectCacheInconsistency InOrderInformers
    InOrderInformersBatchProcess InformerResourceVersion LoggingAlphaOptions LoggingBetaOptions SeparateCacheWatchRPC
    StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
    StaleControllerConsistencyStatefulSet StorageNamespaceIndex UnlockWhileProcessingFIFO WatchListClient`

/** By component. */
const elsewhere: Readonly<Record<string, string>> = {
  kubelet: `
    CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions CRIListStreaming
    ChangeContainerStatusOnKubeletRestart ContainerCheckpoint CustomCPUCFSQuotaPeriod DisableCPUQuotaWithExclusiveCPUs
    DisableNodeKubeProxyVersion EventedPLEG ExecProbeTimeout GracefulNodeShutdown
    GracefulNodeShutdownBasedOnPodPriority ImageMaximumGCAge InPlacePodVerticalScalingExclusiveCPUs
    InPlacePodVerticalScalingExclusiveMemory KubeletCgroupDriverFromCRI KubeletCrashLoopBackOffMax
    KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz KubeletInUserNamespace KubeletPSI
    KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletPodResourcesListUseActivePods
    KubeletRegistrationGetOnExistsOnly KubeletSeparateDiskGC KubeletTracing
    LocalStorageCapacityIsolationFSQuotaMonitoring MemoryQoS NodeLogQuery NodeSwap PLEGOnDemandRelist
    PodAndContainerStatsFromCRI PodLevelResourceManagers PodReadyToStartContainersCondition QOSReserved
    ReduceDefaultCrashLoopBackOffDecay ReloadKubeletServerCertificateFile RotateKubeletServerCertificate
    RuntimeClassInImageCriApi SELinuxMount SystemdWatchdog TopologyManagerPolicyAlphaOptions
    TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions WindowsCPUAndMemoryAffinity
    WindowsGracefulNodeShutdown WindowsHostNetwork`,
  scheduler: `
    ClearingNominatedNodeNameAfterBinding DRASchedulerFilterTimeout GangScheduling NominatedNodeNameForExpectation
    OpportunisticBatching SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ
    SchedulerQueueingHints StorageCapacityScoring`,
  'kube-proxy': `
    NFTablesProxyMode WinDSR WinOverlay`,
  'cloud controllers': `
    CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook`,
}

/** The behaviour instead, by gate. */
const missing: Readonly<Record<string, string>> = {
  AllowDNSOnlyNodeCSR: 'serving certificates of kubelets need an address',
  AllowOverwriteTerminationGracePeriodSeconds: 'grace periods are never negative',
  CSIVolumeHealth: 'volumes are not checked for health',
  DRAResourcePoolStatus: 'no controller answers requests for the status of pools',
  KMSv1: 'encryption providers are of KMS v2',
  NativeHistograms: 'histograms have fixed buckets',
  PersistentVolumeClaimUnusedSinceTime: 'no controller records when a claim was last used',
  PodsAPI: 'it came with 1.36 as alpha',
  TaintTolerationComparisonOperators: 'tolerations compare by Equal and Exists',
  UserNamespacesHostNetworkSupport: "pods in the host's network have no user namespace",
  WorkloadWithJob: 'the job controller makes no workloads',
}

/** Gates whose fields are there and whose features lack a part, by gate. */
const partly: Readonly<Record<string, string>> = {
  CoordinatedLeaderElection: 'no leader is chosen among the candidates',
}

function namesIn(list: string): string[] {
  return list.trim().split(/\s+/)
}

const components: ReadonlyMap<string, string> = new Map(
  Object.entries(elsewhere).flatMap(([component, list]) => namesIn(list).map((name) => [name, component] as const)),
)

/** Gates that no code reads, with the reason. */
export const unreadGates: ReadonlyMap<string, UnreadGate> = new Map<string, UnreadGate>([
  ...namesIn(always).map((name) => [name, 'always'] as const),
  ...namesIn(inside).map((name) => [name, 'inside'] as const),
  ...[...components.keys()].map((name) => [name, 'elsewhere'] as const),
  ...Object.keys(missing).map((name) => [name, 'missing'] as const),
])

/** The effect of a gate in this project, for people. */
export function describeGate(name: string): string {
  switch (unreadGates.get(name)) {
    case 'always':
      return 'works, and stays on'
    case 'inside':
      return 'no difference that clients see'
    case 'elsewhere':
      return `not applicable: ${components.get(name)}`
    case 'missing':
      return `not built: ${missing[name]}`
    case undefined:
      return partly[name] === undefined ? 'works' : `works in part: ${partly[name]}`
  }
}

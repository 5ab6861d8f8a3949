/**
 * Gates that no part of this project reads, and why that is right:
 * - `always`: what the gate switches on is how this project works, whatever the gate says.
 * - `inside`: the gate chooses between two ways of the stock server's (or its client's) own code, which clients can't
 *   distinguish, or parts of it that this project doesn't have.
 * - `elsewhere`: the gate belongs to kubelets, schedulers, proxies or cloud controllers. Installers pass one list of gates to
 *   all components, so these may be set here.
 * - `missing`: clients would see the difference, and it isn't built. Such a gate is refused when it is switched on, and shown
 *   as off where its release has it on by default.
 */
export type UnreadGate = 'always' | 'inside' | 'elsewhere' | 'missing'

const lists: Readonly<Record<UnreadGate, string>> = {
  always: `
    APIServerTracing AggregatedDiscoveryRemoveBetaType AllowServiceExternalIPs AnonymousAuthConfigurableEndpoints
    AnyVolumeDataSource AuthorizeWithSelectors
    AllowParsingUserUIDFromCertAuth ConsistentListFromCache ContextualLogging
    ImageVolume JobBackoffLimitPerIndex JobPodReplacementPolicy JobSuccessPolicy ListFromCacheSnapshot
    LogarithmicScaleDown MatchLabelKeysInPodAffinity MatchLabelKeysInPodTopologySpread
    MatchLabelKeysInPodTopologySpreadSelectorMerge NodeInclusionPolicyInPodTopologySpread OpenAPIEnums
    OrderedNamespaceDeletion PodDeletionCost PodLifecycleSleepAction PodLifecycleSleepActionAllowZero
    PodObservedGenerationTracking PodSchedulingReadiness PreventStaticPodAPIReferences RecursiveReadOnlyMounts
    RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation RemoteRequestHeaderUID
    ResilientWatchCacheInitialization RetryGenerateName SeparateTaintEvictionController ServiceAccountTokenJTI
    ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
    ServiceCIDRStatusFieldWiping SidecarContainers StatefulSetSemanticRevisionComparison StorageVersionHash
    StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StructuredAuthenticationConfiguration
    StructuredAuthenticationConfigurationJWKSMetrics
    TokenRequestServiceAccountUIDValidation UnauthenticatedHTTP2DOSMitigation UserNamespacesSupport
    MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs
    ClientsAllowCARotation ReloadKubeletClientCAFile`,
  inside: `
    APIServingWithRoutine AllAlpha AllBeta AtomicFIFO BtreeWatchCache ClientsAllowCBOR ClientsAllowTLSCacheGC
    ClientsPreferCBOR ConcurrentWatchObjectDecode DeclarativeValidationBeta DetectCacheInconsistency
    InOrderInformers InOrderInformersBatchProcess InformerResourceVersion LoggingAlphaOptions LoggingBetaOptions
    SeparateCacheWatchRPC StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob
    StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet StorageNamespaceIndex
    UnlockWhileProcessingFIFO WatchListClient`,
  elsewhere: `
    CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions CRIListStreaming
    ChangeContainerStatusOnKubeletRestart ClearingNominatedNodeNameAfterBinding
    CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook ContainerCheckpoint
    CustomCPUCFSQuotaPeriod DRASchedulerFilterTimeout DisableNodeKubeProxyVersion DisableCPUQuotaWithExclusiveCPUs EventedPLEG ExecProbeTimeout
    ExtendWebSocketsToKubelet GangScheduling GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority ImageMaximumGCAge
    InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory KubeletCgroupDriverFromCRI
    KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz KubeletInUserNamespace
    KubeletPSI KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletPodResourcesListUseActivePods
    KubeletRegistrationGetOnExistsOnly KubeletSeparateDiskGC KubeletTracing
    LocalStorageCapacityIsolationFSQuotaMonitoring MemoryQoS NFTablesProxyMode NodeLogQuery NodeSwap
    NominatedNodeNameForExpectation OpportunisticBatching PLEGOnDemandRelist PodAndContainerStatsFromCRI
    PodLevelResourceManagers PodReadyToStartContainersCondition QOSReserved ReduceDefaultCrashLoopBackOffDecay
    ReloadKubeletServerCertificateFile RotateKubeletServerCertificate
    RuntimeClassInImageCriApi SELinuxMount SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ
    SchedulerQueueingHints StorageCapacityScoring SystemdWatchdog TopologyManagerPolicyAlphaOptions
    TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions WinDSR WinOverlay WindowsCPUAndMemoryAffinity
    WindowsGracefulNodeShutdown WindowsHostNetwork`,
  missing: `
    AllowDNSOnlyNodeCSR AllowOverwriteTerminationGracePeriodSeconds CSIVolumeHealth ConstrainedImpersonation
    ControllerManagerReleaseLeaderElectionLockOnExit DRAResourceClaimGranularStatusAuthorization
    DRAResourcePoolStatus ExternalServiceAccountTokenSigner KMSv1 MutablePVNodeAffinity NativeHistograms
    PersistentVolumeClaimUnusedSinceTime PodsAPI
    StructuredAuthenticationConfigurationEgressSelector
    TaintTolerationComparisonOperators UserNamespacesHostNetworkSupport
    WorkloadWithJob`,
}

/** Gates that no code reads, with the reason. */
export const unreadGates: ReadonlyMap<string, UnreadGate> = new Map(
  (Object.entries(lists) as [UnreadGate, string][]).flatMap(([what, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, what] as const),
  ),
)

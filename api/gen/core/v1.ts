// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as metaV1 from '../meta/v1.ts'
export type ConfigMap = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  immutable?: boolean
  data?: Record<string, string>
  binaryData?: Record<string, string>
}

export type ConfigMapList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ConfigMap[]
}

export type ConfigMapNodeConfigSource = {
  namespace: string
  name: string
  uid?: string
  resourceVersion?: string
  kubeletConfigKey: string
}

export type LimitRange = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: LimitRangeSpec
}

export type LimitRangeItem = {
  type: string
  max?: Record<string, string>
  min?: Record<string, string>
  default?: Record<string, string>
  defaultRequest?: Record<string, string>
  maxLimitRequestRatio?: Record<string, string>
}

export type LimitRangeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: LimitRange[]
}

export type LimitRangeSpec = {
  limits?: LimitRangeItem[]
}

export type Namespace = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: NamespaceSpec
  status: NamespaceStatus
}

export type NamespaceCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type NamespaceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Namespace[]
}

export type NamespaceSpec = {
  finalizers?: string[]
}

export type NamespaceStatus = {
  phase?: string
  conditions?: NamespaceCondition[]
}

export type ResourceQuota = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ResourceQuotaSpec
  status: ResourceQuotaStatus
}

export type ResourceQuotaList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ResourceQuota[]
}

export type ResourceQuotaSpec = {
  hard?: Record<string, string>
  scopes?: string[]
  scopeSelector?: ScopeSelector
}

export type ResourceQuotaStatus = {
  hard?: Record<string, string>
  used?: Record<string, string>
}

export type ScopeSelector = {
  matchExpressions?: ScopedResourceSelectorRequirement[]
}

export type ScopedResourceSelectorRequirement = {
  scopeName: string
  operator: string
  values?: string[]
}

export type Secret = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  immutable?: boolean
  data?: Record<string, string>
  stringData?: Record<string, string>
  type?: string
}

export type SecretList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Secret[]
}

export type ServiceAccount = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  secrets?: ObjectReference[]
  imagePullSecrets?: LocalObjectReference[]
  automountServiceAccountToken?: boolean
}

export type ServiceAccountList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ServiceAccount[]
}

export type AppArmorProfile = {
  type: string
  localhostProfile?: string
}

export type Capabilities = {
  add?: string[]
  drop?: string[]
}

export type ConfigMapEnvSource = {
  name?: string
  optional?: boolean
}

export type ConfigMapKeySelector = {
  name?: string
  key: string
  optional?: boolean
}

export type Container = {
  name: string
  image?: string
  command?: string[]
  args?: string[]
  workingDir?: string
  ports?: ContainerPort[]
  envFrom?: EnvFromSource[]
  env?: EnvVar[]
  resources: ResourceRequirements
  resizePolicy?: ContainerResizePolicy[]
  restartPolicy?: string
  restartPolicyRules?: ContainerRestartRule[]
  volumeMounts?: VolumeMount[]
  volumeDevices?: VolumeDevice[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: Lifecycle
  terminationMessagePath?: string
  terminationMessagePolicy?: string
  imagePullPolicy?: string
  securityContext?: SecurityContext
  stdin?: boolean
  stdinOnce?: boolean
  tty?: boolean
}

export type ContainerExtendedResourceRequest = {
  containerName: string
  resourceName: string
  requestName: string
}

export type ContainerPort = {
  name?: string
  hostPort?: number
  containerPort: number
  protocol?: string
  hostIP?: string
}

export type ContainerResizePolicy = {
  resourceName: string
  restartPolicy: string
}

export type ContainerRestartRule = {
  action?: string
  exitCodes?: ContainerRestartRuleOnExitCodes
}

export type ContainerRestartRuleOnExitCodes = {
  operator?: string
  values?: number[]
}

export type ContainerState = {
  waiting?: ContainerStateWaiting
  running?: ContainerStateRunning
  terminated?: ContainerStateTerminated
}

export type ContainerStateRunning = {
  startedAt?: string
}

export type ContainerStateTerminated = {
  exitCode: number
  signal?: number
  reason?: string
  message?: string
  startedAt?: string
  finishedAt?: string
  containerID?: string
}

export type ContainerStateWaiting = {
  reason?: string
  message?: string
}

export type ContainerStatus = {
  name: string
  state: ContainerState
  lastState: ContainerState
  ready: boolean
  restartCount: number
  image: string
  imageID: string
  containerID?: string
  started?: boolean
  allocatedResources?: Record<string, string>
  resources?: ResourceRequirements
  volumeMounts?: VolumeMountStatus[]
  user?: ContainerUser
  allocatedResourcesStatus?: ResourceStatus[]
  stopSignal?: string
}

export type ContainerUser = {
  linux?: LinuxContainerUser
}

export type EnvFromSource = {
  prefix?: string
  configMapRef?: ConfigMapEnvSource
  secretRef?: SecretEnvSource
}

export type EnvVar = {
  name: string
  value?: string
  valueFrom?: EnvVarSource
}

export type EnvVarSource = {
  fieldRef?: ObjectFieldSelector
  resourceFieldRef?: ResourceFieldSelector
  configMapKeyRef?: ConfigMapKeySelector
  secretKeyRef?: SecretKeySelector
  fileKeyRef?: FileKeySelector
}

export type EphemeralContainer = {
  name: string
  image?: string
  command?: string[]
  args?: string[]
  workingDir?: string
  ports?: ContainerPort[]
  envFrom?: EnvFromSource[]
  env?: EnvVar[]
  resources: ResourceRequirements
  resizePolicy?: ContainerResizePolicy[]
  restartPolicy?: string
  restartPolicyRules?: ContainerRestartRule[]
  volumeMounts?: VolumeMount[]
  volumeDevices?: VolumeDevice[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: Lifecycle
  terminationMessagePath?: string
  terminationMessagePolicy?: string
  imagePullPolicy?: string
  securityContext?: SecurityContext
  stdin?: boolean
  stdinOnce?: boolean
  tty?: boolean
  targetContainerName?: string
}

export type EphemeralContainerCommon = {
  name: string
  image?: string
  command?: string[]
  args?: string[]
  workingDir?: string
  ports?: ContainerPort[]
  envFrom?: EnvFromSource[]
  env?: EnvVar[]
  resources: ResourceRequirements
  resizePolicy?: ContainerResizePolicy[]
  restartPolicy?: string
  restartPolicyRules?: ContainerRestartRule[]
  volumeMounts?: VolumeMount[]
  volumeDevices?: VolumeDevice[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: Lifecycle
  terminationMessagePath?: string
  terminationMessagePolicy?: string
  imagePullPolicy?: string
  securityContext?: SecurityContext
  stdin?: boolean
  stdinOnce?: boolean
  tty?: boolean
}

export type ExecAction = {
  command?: string[]
}

export type FileKeySelector = {
  volumeName: string
  path: string
  key: string
  optional?: boolean
}

export type GRPCAction = {
  port: number
  service?: string
}

export type HTTPGetAction = {
  path?: string
  port: number | string
  host?: string
  scheme?: string
  httpHeaders?: HTTPHeader[]
}

export type HTTPHeader = {
  name: string
  value: string
}

export type Lifecycle = {
  postStart?: LifecycleHandler
  preStop?: LifecycleHandler
  stopSignal?: string
}

export type LifecycleHandler = {
  exec?: ExecAction
  httpGet?: HTTPGetAction
  tcpSocket?: TCPSocketAction
  sleep?: SleepAction
}

export type LinuxContainerUser = {
  uid: number
  gid: number
  supplementalGroups?: number[]
}

export type ObjectFieldSelector = {
  apiVersion?: string
  fieldPath: string
}

export type PodResourceClaim = {
  name: string
  resourceClaimName?: string
  resourceClaimTemplateName?: string
}

export type PodSecurityContext = {
  seLinuxOptions?: SELinuxOptions
  windowsOptions?: WindowsSecurityContextOptions
  runAsUser?: number
  runAsGroup?: number
  runAsNonRoot?: boolean
  supplementalGroups?: number[]
  supplementalGroupsPolicy?: string
  fsGroup?: number
  sysctls?: Sysctl[]
  fsGroupChangePolicy?: string
  seccompProfile?: SeccompProfile
  appArmorProfile?: AppArmorProfile
  seLinuxChangePolicy?: string
}

export type Probe = {
  exec?: ExecAction
  httpGet?: HTTPGetAction
  tcpSocket?: TCPSocketAction
  grpc?: GRPCAction
  initialDelaySeconds?: number
  timeoutSeconds?: number
  periodSeconds?: number
  successThreshold?: number
  failureThreshold?: number
  terminationGracePeriodSeconds?: number
}

export type ProbeHandler = {
  exec?: ExecAction
  httpGet?: HTTPGetAction
  tcpSocket?: TCPSocketAction
  grpc?: GRPCAction
}

export type ResourceClaim = {
  name: string
  request?: string
}

export type ResourceFieldSelector = {
  containerName?: string
  resource: string
  divisor: string
}

export type ResourceHealth = {
  resourceID: string
  health?: string
  message?: string
}

export type ResourceRequirements = {
  limits?: Record<string, string>
  requests?: Record<string, string>
  claims?: ResourceClaim[]
}

export type ResourceStatus = {
  name: string
  resources?: ResourceHealth[]
}

export type SELinuxOptions = {
  user?: string
  role?: string
  type?: string
  level?: string
}

export type SeccompProfile = {
  type: string
  localhostProfile?: string
}

export type SecretEnvSource = {
  name?: string
  optional?: boolean
}

export type SecretKeySelector = {
  name?: string
  key: string
  optional?: boolean
}

export type SecurityContext = {
  capabilities?: Capabilities
  privileged?: boolean
  seLinuxOptions?: SELinuxOptions
  windowsOptions?: WindowsSecurityContextOptions
  runAsUser?: number
  runAsGroup?: number
  runAsNonRoot?: boolean
  readOnlyRootFilesystem?: boolean
  allowPrivilegeEscalation?: boolean
  procMount?: string
  seccompProfile?: SeccompProfile
  appArmorProfile?: AppArmorProfile
}

export type SleepAction = {
  seconds: number
}

export type TCPSocketAction = {
  port: number | string
  host?: string
}

export type WindowsSecurityContextOptions = {
  gmsaCredentialSpecName?: string
  gmsaCredentialSpec?: string
  runAsUserName?: string
  hostProcess?: boolean
}

export type Event = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  involvedObject: ObjectReference
  reason?: string
  message?: string
  source: EventSource
  firstTimestamp?: string
  lastTimestamp?: string
  count?: number
  type?: string
  eventTime?: string
  series?: EventSeries
  action?: string
  related?: ObjectReference
  reportingComponent: string
  reportingInstance: string
}

export type EventList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Event[]
}

export type EventSeries = {
  count?: number
  lastObservedTime?: string
}

export type EventSource = {
  component?: string
  host?: string
}

export type Binding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  target: ObjectReference
}

export type ComponentCondition = {
  type: string
  status: string
  message?: string
  error?: string
}

export type ComponentStatus = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  conditions?: ComponentCondition[]
}

export type ComponentStatusList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ComponentStatus[]
}

export type List = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: JsonValue[]
}

export type NodeProxyOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  path?: string
}

export type PodAttachOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  stdin?: boolean
  stdout?: boolean
  stderr?: boolean
  tty?: boolean
  container?: string
}

export type PodExecOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  stdin?: boolean
  stdout?: boolean
  stderr?: boolean
  tty?: boolean
  container?: string
  command?: string[]
}

export type PodLogOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  container?: string
  follow?: boolean
  previous?: boolean
  sinceSeconds?: number
  sinceTime?: string
  timestamps?: boolean
  tailLines?: number
  limitBytes?: number
  insecureSkipTLSVerifyBackend?: boolean
  stream?: string
}

export type PodPortForwardOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  ports?: number[]
}

export type PodProxyOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  path?: string
}

export type Preconditions = {
  uid?: string
}

export type RangeAllocation = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  range: string
  data?: string
}

export type SerializedReference = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  reference: ObjectReference
}

export type ServiceProxyOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  path?: string
}

export type AttachedVolume = {
  name: string
  devicePath: string
}

export type AvoidPods = {
  preferAvoidPods?: PreferAvoidPodsEntry[]
}

export type ContainerImage = {
  names?: string[]
  sizeBytes?: number
}

export type DaemonEndpoint = {
  Port: number
}

export type Node = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: NodeSpec
  status: NodeStatus
}

export type NodeAddress = {
  type: string
  address: string
}

export type NodeAllocatableResourceClaimStatus = {
  resourceClaimName: string
  containers?: string[]
  resources?: Record<string, string>
}

export type NodeCondition = {
  type: string
  status: string
  lastHeartbeatTime?: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type NodeConfigSource = {
  configMap?: ConfigMapNodeConfigSource
}

export type NodeConfigStatus = {
  assigned?: NodeConfigSource
  active?: NodeConfigSource
  lastKnownGood?: NodeConfigSource
  error?: string
}

export type NodeDaemonEndpoints = {
  kubeletEndpoint: DaemonEndpoint
}

export type NodeFeatures = {
  supplementalGroupsPolicy?: boolean
}

export type NodeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Node[]
}

export type NodeRuntimeHandler = {
  name: string
  features?: NodeRuntimeHandlerFeatures
}

export type NodeRuntimeHandlerFeatures = {
  recursiveReadOnlyMounts?: boolean
  userNamespaces?: boolean
}

export type NodeSpec = {
  podCIDR?: string
  podCIDRs?: string[]
  providerID?: string
  unschedulable?: boolean
  taints?: Taint[]
  configSource?: NodeConfigSource
  externalID?: string
}

export type NodeStatus = {
  capacity?: Record<string, string>
  allocatable?: Record<string, string>
  phase?: string
  conditions?: NodeCondition[]
  addresses?: NodeAddress[]
  daemonEndpoints: NodeDaemonEndpoints
  nodeInfo: NodeSystemInfo
  images?: ContainerImage[]
  volumesInUse?: string[]
  volumesAttached?: AttachedVolume[]
  config?: NodeConfigStatus
  runtimeHandlers?: NodeRuntimeHandler[]
  features?: NodeFeatures
  declaredFeatures?: string[]
}

export type NodeSwapStatus = {
  capacity?: number
}

export type NodeSystemInfo = {
  machineID: string
  systemUUID: string
  bootID: string
  kernelVersion: string
  osImage: string
  containerRuntimeVersion: string
  kubeletVersion: string
  kubeProxyVersion: string
  operatingSystem: string
  architecture: string
  swap?: NodeSwapStatus
}

export type PodSignature = {
  podController?: metaV1.OwnerReference
}

export type PreferAvoidPodsEntry = {
  podSignature: PodSignature
  evictionTime?: string
  reason?: string
  message?: string
}

export type Taint = {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

export type Affinity = {
  nodeAffinity?: NodeAffinity
  podAffinity?: PodAffinity
  podAntiAffinity?: PodAntiAffinity
}

export type HostAlias = {
  ip: string
  hostnames?: string[]
}

export type HostIP = {
  ip: string
}

export type ImageVolumeStatus = {
  imageRef?: string
}

export type NodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[]
}

export type Pod = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PodSpec
  status: PodStatus
}

export type PodAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
}

export type PodAffinityTerm = {
  labelSelector?: metaV1.LabelSelector
  namespaces?: string[]
  topologyKey: string
  namespaceSelector?: metaV1.LabelSelector
  matchLabelKeys?: string[]
  mismatchLabelKeys?: string[]
}

export type PodAntiAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
}

export type PodCondition = {
  type: string
  observedGeneration?: number
  status: string
  lastProbeTime?: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type PodDNSConfig = {
  nameservers?: string[]
  searches?: string[]
  options?: PodDNSConfigOption[]
}

export type PodDNSConfigOption = {
  name?: string
  value?: string
}

export type PodExtendedResourceClaimStatus = {
  requestMappings?: ContainerExtendedResourceRequest[]
  resourceClaimName: string
}

export type PodIP = {
  ip: string
}

export type PodList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Pod[]
}

export type PodOS = {
  name: string
}

export type PodReadinessGate = {
  conditionType: string
}

export type PodResourceClaimStatus = {
  name: string
  resourceClaimName?: string
}

export type PodSchedulingGate = {
  name: string
}

export type PodSchedulingGroup = {
  podGroupName?: string
}

export type PodSpec = {
  volumes?: Volume[]
  initContainers?: Container[]
  containers?: Container[]
  ephemeralContainers?: EphemeralContainer[]
  restartPolicy?: string
  terminationGracePeriodSeconds?: number
  activeDeadlineSeconds?: number
  dnsPolicy?: string
  nodeSelector?: Record<string, string>
  serviceAccountName?: string
  serviceAccount?: string
  automountServiceAccountToken?: boolean
  nodeName?: string
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  shareProcessNamespace?: boolean
  securityContext?: PodSecurityContext
  imagePullSecrets?: LocalObjectReference[]
  hostname?: string
  subdomain?: string
  affinity?: Affinity
  schedulerName?: string
  tolerations?: Toleration[]
  hostAliases?: HostAlias[]
  priorityClassName?: string
  priority?: number
  dnsConfig?: PodDNSConfig
  readinessGates?: PodReadinessGate[]
  runtimeClassName?: string
  enableServiceLinks?: boolean
  preemptionPolicy?: string
  overhead?: Record<string, string>
  topologySpreadConstraints?: TopologySpreadConstraint[]
  setHostnameAsFQDN?: boolean
  os?: PodOS
  hostUsers?: boolean
  schedulingGates?: PodSchedulingGate[]
  resourceClaims?: PodResourceClaim[]
  resources?: ResourceRequirements
  hostnameOverride?: string
  schedulingGroup?: PodSchedulingGroup
}

export type PodStatus = {
  observedGeneration?: number
  phase?: string
  conditions?: PodCondition[]
  message?: string
  reason?: string
  nominatedNodeName?: string
  hostIP?: string
  hostIPs?: HostIP[]
  podIP?: string
  podIPs?: PodIP[]
  startTime?: string
  initContainerStatuses?: ContainerStatus[]
  containerStatuses?: ContainerStatus[]
  qosClass?: string
  ephemeralContainerStatuses?: ContainerStatus[]
  resize?: string
  resourceClaimStatuses?: PodResourceClaimStatus[]
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus
  allocatedResources?: Record<string, string>
  resources?: ResourceRequirements
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[]
}

export type PodStatusResult = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  status: PodStatus
}

export type PodTemplate = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  template: PodTemplateSpec
}

export type PodTemplateList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PodTemplate[]
}

export type PodTemplateSpec = {
  metadata: metaV1.ObjectMeta
  spec: PodSpec
}

export type PreferredSchedulingTerm = {
  weight: number
  preference: NodeSelectorTerm
}

export type ReplicationController = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ReplicationControllerSpec
  status: ReplicationControllerStatus
}

export type ReplicationControllerCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type ReplicationControllerList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ReplicationController[]
}

export type ReplicationControllerSpec = {
  replicas?: number
  minReadySeconds?: number
  selector?: Record<string, string>
  template?: PodTemplateSpec
}

export type ReplicationControllerStatus = {
  replicas: number
  fullyLabeledReplicas?: number
  readyReplicas?: number
  availableReplicas?: number
  observedGeneration?: number
  conditions?: ReplicationControllerCondition[]
}

export type Sysctl = {
  name: string
  value: string
}

export type Toleration = {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}

export type TopologySpreadConstraint = {
  maxSkew: number
  topologyKey: string
  whenUnsatisfiable: string
  labelSelector?: metaV1.LabelSelector
  minDomains?: number
  nodeAffinityPolicy?: string
  nodeTaintsPolicy?: string
  matchLabelKeys?: string[]
}

export type WeightedPodAffinityTerm = {
  weight: number
  podAffinityTerm: PodAffinityTerm
}

export type LocalObjectReference = {
  name?: string
}

export type NodeSelector = {
  nodeSelectorTerms?: NodeSelectorTerm[]
}

export type NodeSelectorRequirement = {
  key: string
  operator: string
  values?: string[]
}

export type NodeSelectorTerm = {
  matchExpressions?: NodeSelectorRequirement[]
  matchFields?: NodeSelectorRequirement[]
}

export type ObjectReference = {
  kind?: string
  namespace?: string
  name?: string
  uid?: string
  apiVersion?: string
  resourceVersion?: string
  fieldPath?: string
}

export type SecretReference = {
  name?: string
  namespace?: string
}

export type TopologySelectorLabelRequirement = {
  key: string
  values?: string[]
}

export type TopologySelectorTerm = {
  matchLabelExpressions?: TopologySelectorLabelRequirement[]
}

export type ClientIPConfig = {
  timeoutSeconds?: number
}

export type EndpointAddress = {
  ip: string
  hostname?: string
  nodeName?: string
  targetRef?: ObjectReference
}

export type EndpointPort = {
  name?: string
  port: number
  protocol?: string
  appProtocol?: string
}

export type EndpointSubset = {
  addresses?: EndpointAddress[]
  notReadyAddresses?: EndpointAddress[]
  ports?: EndpointPort[]
}

export type Endpoints = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  subsets?: EndpointSubset[]
}

export type EndpointsList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Endpoints[]
}

export type LoadBalancerIngress = {
  ip?: string
  hostname?: string
  ipMode?: string
  ports?: PortStatus[]
}

export type LoadBalancerStatus = {
  ingress?: LoadBalancerIngress[]
}

export type PortStatus = {
  port: number
  protocol: string
  error?: string
}

export type Service = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ServiceSpec
  status: ServiceStatus
}

export type ServiceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Service[]
}

export type ServicePort = {
  name?: string
  protocol?: string
  appProtocol?: string
  port: number
  targetPort: number | string
  nodePort?: number
}

export type ServiceSpec = {
  ports?: ServicePort[]
  selector?: Record<string, string>
  clusterIP?: string
  clusterIPs?: string[]
  type?: string
  externalIPs?: string[]
  sessionAffinity?: string
  loadBalancerIP?: string
  loadBalancerSourceRanges?: string[]
  externalName?: string
  externalTrafficPolicy?: string
  healthCheckNodePort?: number
  publishNotReadyAddresses?: boolean
  sessionAffinityConfig?: SessionAffinityConfig
  ipFamilies?: string[]
  ipFamilyPolicy?: string
  allocateLoadBalancerNodePorts?: boolean
  loadBalancerClass?: string
  internalTrafficPolicy?: string
  trafficDistribution?: string
}

export type ServiceStatus = {
  loadBalancer: LoadBalancerStatus
  conditions?: metaV1.Condition[]
}

export type SessionAffinityConfig = {
  clientIP?: ClientIPConfig
}

export type AWSElasticBlockStoreVolumeSource = {
  volumeID: string
  fsType?: string
  partition?: number
  readOnly?: boolean
}

export type AzureDiskVolumeSource = {
  diskName: string
  diskURI: string
  cachingMode?: string
  fsType?: string
  readOnly?: boolean
  kind?: string
}

export type AzureFilePersistentVolumeSource = {
  secretName: string
  shareName: string
  readOnly?: boolean
  secretNamespace?: string
}

export type AzureFileVolumeSource = {
  secretName: string
  shareName: string
  readOnly?: boolean
}

export type CSIPersistentVolumeSource = {
  driver: string
  volumeHandle: string
  readOnly?: boolean
  fsType?: string
  volumeAttributes?: Record<string, string>
  controllerPublishSecretRef?: SecretReference
  nodeStageSecretRef?: SecretReference
  nodePublishSecretRef?: SecretReference
  controllerExpandSecretRef?: SecretReference
  nodeExpandSecretRef?: SecretReference
}

export type CSIVolumeSource = {
  driver: string
  readOnly?: boolean
  fsType?: string
  volumeAttributes?: Record<string, string>
  nodePublishSecretRef?: LocalObjectReference
}

export type CephFSPersistentVolumeSource = {
  monitors?: string[]
  path?: string
  user?: string
  secretFile?: string
  secretRef?: SecretReference
  readOnly?: boolean
}

export type CephFSVolumeSource = {
  monitors?: string[]
  path?: string
  user?: string
  secretFile?: string
  secretRef?: LocalObjectReference
  readOnly?: boolean
}

export type CinderPersistentVolumeSource = {
  volumeID: string
  fsType?: string
  readOnly?: boolean
  secretRef?: SecretReference
}

export type CinderVolumeSource = {
  volumeID: string
  fsType?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
}

export type ClusterTrustBundleProjection = {
  name?: string
  signerName?: string
  labelSelector?: metaV1.LabelSelector
  optional?: boolean
  path: string
}

export type ConfigMapProjection = {
  name?: string
  items?: KeyToPath[]
  optional?: boolean
}

export type ConfigMapVolumeSource = {
  name?: string
  items?: KeyToPath[]
  defaultMode?: number
  optional?: boolean
}

export type DownwardAPIProjection = {
  items?: DownwardAPIVolumeFile[]
}

export type DownwardAPIVolumeFile = {
  path: string
  fieldRef?: ObjectFieldSelector
  resourceFieldRef?: ResourceFieldSelector
  mode?: number
}

export type DownwardAPIVolumeSource = {
  items?: DownwardAPIVolumeFile[]
  defaultMode?: number
}

export type EmptyDirVolumeSource = {
  medium?: string
  sizeLimit?: string
}

export type EphemeralVolumeSource = {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate
}

export type FCVolumeSource = {
  targetWWNs?: string[]
  lun?: number
  fsType?: string
  readOnly?: boolean
  wwids?: string[]
}

export type FlexPersistentVolumeSource = {
  driver: string
  fsType?: string
  secretRef?: SecretReference
  readOnly?: boolean
  options?: Record<string, string>
}

export type FlexVolumeSource = {
  driver: string
  fsType?: string
  secretRef?: LocalObjectReference
  readOnly?: boolean
  options?: Record<string, string>
}

export type FlockerVolumeSource = {
  datasetName?: string
  datasetUUID?: string
}

export type GCEPersistentDiskVolumeSource = {
  pdName: string
  fsType?: string
  partition?: number
  readOnly?: boolean
}

export type GitRepoVolumeSource = {
  repository: string
  revision?: string
  directory?: string
}

export type GlusterfsPersistentVolumeSource = {
  endpoints: string
  path: string
  readOnly?: boolean
  endpointsNamespace?: string
}

export type GlusterfsVolumeSource = {
  endpoints: string
  path: string
  readOnly?: boolean
}

export type HostPathVolumeSource = {
  path: string
  type?: string
}

export type ISCSIPersistentVolumeSource = {
  targetPortal: string
  iqn: string
  lun: number
  iscsiInterface?: string
  fsType?: string
  readOnly?: boolean
  portals?: string[]
  chapAuthDiscovery?: boolean
  chapAuthSession?: boolean
  secretRef?: SecretReference
  initiatorName?: string
}

export type ISCSIVolumeSource = {
  targetPortal: string
  iqn: string
  lun: number
  iscsiInterface?: string
  fsType?: string
  readOnly?: boolean
  portals?: string[]
  chapAuthDiscovery?: boolean
  chapAuthSession?: boolean
  secretRef?: LocalObjectReference
  initiatorName?: string
}

export type ImageVolumeSource = {
  reference?: string
  pullPolicy?: string
}

export type KeyToPath = {
  key: string
  path: string
  mode?: number
}

export type LocalVolumeSource = {
  path: string
  fsType?: string
}

export type ModifyVolumeStatus = {
  targetVolumeAttributesClassName?: string
  status: string
}

export type NFSVolumeSource = {
  server: string
  path: string
  readOnly?: boolean
}

export type PersistentVolume = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PersistentVolumeSpec
  status: PersistentVolumeStatus
}

export type PersistentVolumeClaim = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PersistentVolumeClaimSpec
  status: PersistentVolumeClaimStatus
}

export type PersistentVolumeClaimCondition = {
  type: string
  status: string
  lastProbeTime?: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type PersistentVolumeClaimList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PersistentVolumeClaim[]
}

export type PersistentVolumeClaimSpec = {
  accessModes?: string[]
  selector?: metaV1.LabelSelector
  resources: VolumeResourceRequirements
  volumeName?: string
  storageClassName?: string
  volumeMode?: string
  dataSource?: TypedLocalObjectReference
  dataSourceRef?: TypedObjectReference
  volumeAttributesClassName?: string
}

export type PersistentVolumeClaimStatus = {
  phase?: string
  accessModes?: string[]
  capacity?: Record<string, string>
  conditions?: PersistentVolumeClaimCondition[]
  allocatedResources?: Record<string, string>
  allocatedResourceStatuses?: Record<string, string>
  currentVolumeAttributesClassName?: string
  modifyVolumeStatus?: ModifyVolumeStatus
}

export type PersistentVolumeClaimTemplate = {
  metadata: metaV1.ObjectMeta
  spec: PersistentVolumeClaimSpec
}

export type PersistentVolumeClaimVolumeSource = {
  claimName: string
  readOnly?: boolean
}

export type PersistentVolumeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PersistentVolume[]
}

export type PersistentVolumeSource = {
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  hostPath?: HostPathVolumeSource
  glusterfs?: GlusterfsPersistentVolumeSource
  nfs?: NFSVolumeSource
  rbd?: RBDPersistentVolumeSource
  iscsi?: ISCSIPersistentVolumeSource
  cinder?: CinderPersistentVolumeSource
  cephfs?: CephFSPersistentVolumeSource
  fc?: FCVolumeSource
  flocker?: FlockerVolumeSource
  flexVolume?: FlexPersistentVolumeSource
  azureFile?: AzureFilePersistentVolumeSource
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  quobyte?: QuobyteVolumeSource
  azureDisk?: AzureDiskVolumeSource
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  portworxVolume?: PortworxVolumeSource
  scaleIO?: ScaleIOPersistentVolumeSource
  local?: LocalVolumeSource
  storageos?: StorageOSPersistentVolumeSource
  csi?: CSIPersistentVolumeSource
}

export type PersistentVolumeSpec = {
  capacity?: Record<string, string>
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  hostPath?: HostPathVolumeSource
  glusterfs?: GlusterfsPersistentVolumeSource
  nfs?: NFSVolumeSource
  rbd?: RBDPersistentVolumeSource
  iscsi?: ISCSIPersistentVolumeSource
  cinder?: CinderPersistentVolumeSource
  cephfs?: CephFSPersistentVolumeSource
  fc?: FCVolumeSource
  flocker?: FlockerVolumeSource
  flexVolume?: FlexPersistentVolumeSource
  azureFile?: AzureFilePersistentVolumeSource
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  quobyte?: QuobyteVolumeSource
  azureDisk?: AzureDiskVolumeSource
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  portworxVolume?: PortworxVolumeSource
  scaleIO?: ScaleIOPersistentVolumeSource
  local?: LocalVolumeSource
  storageos?: StorageOSPersistentVolumeSource
  csi?: CSIPersistentVolumeSource
  accessModes?: string[]
  claimRef?: ObjectReference
  persistentVolumeReclaimPolicy?: string
  storageClassName?: string
  mountOptions?: string[]
  volumeMode?: string
  nodeAffinity?: VolumeNodeAffinity
  volumeAttributesClassName?: string
}

export type PersistentVolumeStatus = {
  phase?: string
  message?: string
  reason?: string
  lastPhaseTransitionTime?: string
}

export type PhotonPersistentDiskVolumeSource = {
  pdID: string
  fsType?: string
}

export type PodCertificateProjection = {
  signerName?: string
  keyType?: string
  maxExpirationSeconds?: number
  credentialBundlePath?: string
  keyPath?: string
  certificateChainPath?: string
  userAnnotations?: Record<string, string>
}

export type PortworxVolumeSource = {
  volumeID: string
  fsType?: string
  readOnly?: boolean
}

export type ProjectedVolumeSource = {
  sources?: VolumeProjection[]
  defaultMode?: number
}

export type QuobyteVolumeSource = {
  registry: string
  volume: string
  readOnly?: boolean
  user?: string
  group?: string
  tenant?: string
}

export type RBDPersistentVolumeSource = {
  monitors?: string[]
  image: string
  fsType?: string
  pool?: string
  user?: string
  keyring?: string
  secretRef?: SecretReference
  readOnly?: boolean
}

export type RBDVolumeSource = {
  monitors?: string[]
  image: string
  fsType?: string
  pool?: string
  user?: string
  keyring?: string
  secretRef?: LocalObjectReference
  readOnly?: boolean
}

export type ScaleIOPersistentVolumeSource = {
  gateway: string
  system: string
  secretRef?: SecretReference
  sslEnabled?: boolean
  protectionDomain?: string
  storagePool?: string
  storageMode?: string
  volumeName?: string
  fsType?: string
  readOnly?: boolean
}

export type ScaleIOVolumeSource = {
  gateway: string
  system: string
  secretRef?: LocalObjectReference
  sslEnabled?: boolean
  protectionDomain?: string
  storagePool?: string
  storageMode?: string
  volumeName?: string
  fsType?: string
  readOnly?: boolean
}

export type SecretProjection = {
  name?: string
  items?: KeyToPath[]
  optional?: boolean
}

export type SecretVolumeSource = {
  secretName?: string
  items?: KeyToPath[]
  defaultMode?: number
  optional?: boolean
}

export type ServiceAccountTokenProjection = {
  audience?: string
  expirationSeconds?: number
  path: string
}

export type StorageOSPersistentVolumeSource = {
  volumeName?: string
  volumeNamespace?: string
  fsType?: string
  readOnly?: boolean
  secretRef?: ObjectReference
}

export type StorageOSVolumeSource = {
  volumeName?: string
  volumeNamespace?: string
  fsType?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
}

export type TypedLocalObjectReference = {
  apiGroup?: string
  kind: string
  name: string
}

export type TypedObjectReference = {
  apiGroup?: string
  kind: string
  name: string
  namespace?: string
}

export type Volume = {
  name: string
  hostPath?: HostPathVolumeSource
  emptyDir?: EmptyDirVolumeSource
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  gitRepo?: GitRepoVolumeSource
  secret?: SecretVolumeSource
  nfs?: NFSVolumeSource
  iscsi?: ISCSIVolumeSource
  glusterfs?: GlusterfsVolumeSource
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  rbd?: RBDVolumeSource
  flexVolume?: FlexVolumeSource
  cinder?: CinderVolumeSource
  cephfs?: CephFSVolumeSource
  flocker?: FlockerVolumeSource
  downwardAPI?: DownwardAPIVolumeSource
  fc?: FCVolumeSource
  azureFile?: AzureFileVolumeSource
  configMap?: ConfigMapVolumeSource
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  quobyte?: QuobyteVolumeSource
  azureDisk?: AzureDiskVolumeSource
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  projected?: ProjectedVolumeSource
  portworxVolume?: PortworxVolumeSource
  scaleIO?: ScaleIOVolumeSource
  storageos?: StorageOSVolumeSource
  csi?: CSIVolumeSource
  ephemeral?: EphemeralVolumeSource
  image?: ImageVolumeSource
}

export type VolumeDevice = {
  name: string
  devicePath: string
}

export type VolumeMount = {
  name: string
  readOnly?: boolean
  recursiveReadOnly?: string
  mountPath: string
  subPath?: string
  mountPropagation?: string
  subPathExpr?: string
}

export type VolumeMountStatus = {
  name: string
  mountPath: string
  readOnly?: boolean
  recursiveReadOnly?: string
  volumeStatus?: VolumeStatus
}

export type VolumeNodeAffinity = {
  required?: NodeSelector
}

export type VolumeProjection = {
  secret?: SecretProjection
  downwardAPI?: DownwardAPIProjection
  configMap?: ConfigMapProjection
  serviceAccountToken?: ServiceAccountTokenProjection
  clusterTrustBundle?: ClusterTrustBundleProjection
  podCertificate?: PodCertificateProjection
}

export type VolumeResourceRequirements = {
  limits?: Record<string, string>
  requests?: Record<string, string>
}

export type VolumeSource = {
  hostPath?: HostPathVolumeSource
  emptyDir?: EmptyDirVolumeSource
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  gitRepo?: GitRepoVolumeSource
  secret?: SecretVolumeSource
  nfs?: NFSVolumeSource
  iscsi?: ISCSIVolumeSource
  glusterfs?: GlusterfsVolumeSource
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  rbd?: RBDVolumeSource
  flexVolume?: FlexVolumeSource
  cinder?: CinderVolumeSource
  cephfs?: CephFSVolumeSource
  flocker?: FlockerVolumeSource
  downwardAPI?: DownwardAPIVolumeSource
  fc?: FCVolumeSource
  azureFile?: AzureFileVolumeSource
  configMap?: ConfigMapVolumeSource
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  quobyte?: QuobyteVolumeSource
  azureDisk?: AzureDiskVolumeSource
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  projected?: ProjectedVolumeSource
  portworxVolume?: PortworxVolumeSource
  scaleIO?: ScaleIOVolumeSource
  storageos?: StorageOSVolumeSource
  csi?: CSIVolumeSource
  ephemeral?: EphemeralVolumeSource
  image?: ImageVolumeSource
}

export type VolumeStatus = {
  image?: ImageVolumeStatus
}

export type VsphereVirtualDiskVolumeSource = {
  volumePath: string
  fsType?: string
  storagePolicyName?: string
  storagePolicyID?: string
}

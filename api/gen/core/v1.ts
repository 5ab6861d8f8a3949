// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Health of a component. */
export type ComponentCondition = {
  /** Healthy is the only one. */
  type: string
  /** Whether the component is healthy: True, False or Unknown. */
  status: string
  /** What the health check answered. */
  message?: string
  /** Error code of the health check. */
  error?: string
}

/** Deprecated: health of a component of the control plane. */
export type ComponentStatus = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Results of the health checks. */
  conditions?: ComponentCondition[]
}

/** A list of ComponentStatus objects. */
export type ComponentStatusList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ComponentStatus[]
}

/** Configuration data for pods to read. */
export type ConfigMap = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** When true, the data cannot be changed and this cannot be unset. */
  immutable?: boolean
  /** Text by key; keys have letters, digits, -, _ and . and do not occur in binaryData. */
  data?: Record<string, string>
  /** Bytes by key, for what is not UTF-8; keys do not occur in data. */
  binaryData?: Record<string, string>
}

/** A list of ConfigMap objects. */
export type ConfigMapList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ConfigMap[]
}

/** A config map that was a node's configuration. No longer used. */
export type ConfigMapNodeConfigSource = {
  /** Namespace of the config map. */
  namespace: string
  /** Name of the config map. */
  name: string
  /** UID of the config map. */
  uid?: string
  /** Resource version of the config map. */
  resourceVersion?: string
  /** Key of the config map that has the configuration. */
  kubeletConfigKey: string
}

/** Bounds and defaults for the resources that objects of a namespace use. */
export type LimitRange = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The limits. */
  spec: LimitRangeSpec
}

/** Limits for one kind of object. */
export type LimitRangeItem = {
  /** What the limits are for: Container, Pod or PersistentVolumeClaim. */
  type: string
  /** Maximum of each resource. */
  max?: Record<string, string>
  /** Minimum of each resource. */
  min?: Record<string, string>
  /** Default limits of containers. */
  default?: Record<string, string>
  /** Default requests of containers. */
  defaultRequest?: Record<string, string>
  /** Maximum ratio of a limit to its request. */
  maxLimitRequestRatio?: Record<string, string>
}

/** A list of LimitRange objects. */
export type LimitRangeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: LimitRange[]
}

/** Checked when an object is created; containers without values get the defaults. */
export type LimitRangeSpec = {
  /** One entry a kind of object. */
  limits?: LimitRangeItem[]
}

/** A scope for names: objects of different namespaces may have the same name. */
export type Namespace = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Finalizers of the namespace. */
  spec: NamespaceSpec
  /** Whether the namespace is in use or being deleted. */
  status: NamespaceStatus
}

/** One aspect of a namespace's deletion. */
export type NamespaceCondition = {
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

/** A list of Namespace objects. */
export type NamespaceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Namespace[]
}

/** A namespace is removed only after its finalizers are. */
export type NamespaceSpec = {
  /** Names of tasks that must be done before the namespace is removed. */
  finalizers?: string[]
}

/** State of a namespace. */
export type NamespaceStatus = {
  /** Active, or Terminating while its objects are being deleted. */
  phase?: string
  /** Progress and failures of the deletion. */
  conditions?: NamespaceCondition[]
}

/** Limits on the total usage of a namespace. */
export type ResourceQuota = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The limits. */
  spec: ResourceQuotaSpec
  /** The limits in force and the usage. */
  status: ResourceQuotaStatus
}

/** A list of ResourceQuota objects. */
export type ResourceQuotaList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ResourceQuota[]
}

/** A request that would exceed any of these is refused. */
export type ResourceQuotaSpec = {
  /** Maximum of each resource; count/<resource>.<group> limits a number of objects. */
  hard?: Record<string, string>
  /** Counts only objects that are in all of these scopes. */
  scopes?: string[]
  /** Counts only objects that match, by scope and value; in addition to scopes. */
  scopeSelector?: ScopeSelector
}

/** Limits and usage of a namespace. */
export type ResourceQuotaStatus = {
  /** The limits in force. */
  hard?: Record<string, string>
  /** Present usage. */
  used?: Record<string, string>
}

/** Selects objects by the scopes that they are in. */
export type ScopeSelector = {
  /** Conditions on scopes; all must match. */
  matchExpressions?: ScopedResourceSelectorRequirement[]
}

/** A condition on one scope. */
export type ScopedResourceSelectorRequirement = {
  /** The scope, such as PriorityClass. */
  scopeName: string
  /** How the scope relates to the values. */
  operator: string
  /** Values to compare with; at least one for In and NotIn, none otherwise. */
  values?: string[]
}

/** Small amounts of confidential data, such as passwords, tokens and keys. */
export type Secret = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** When true, the data cannot be changed and this cannot be unset. */
  immutable?: boolean
  /** Bytes by key, base64 in JSON; keys have letters, digits, -, _ and ., all values together at most 1 MiB. */
  data?: Record<string, string>
  /** Text to write to data, replacing existing values; never returned. */
  stringData?: Record<string, string>
  /** Purpose of the data; some types require certain keys. Defaults to Opaque. Cannot be changed. */
  type?: string
}

/** A list of Secret objects. */
export type SecretList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Secret[]
}

/** An identity for processes in pods. */
export type ServiceAccount = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Deprecated: secrets that pods of this account may use, when the account has the annotation that enforces it. */
  secrets?: ObjectReference[]
  /** Secrets for pulling images, added to pods of this account without any. */
  imagePullSecrets?: LocalObjectReference[]
  /** Whether pods get a token mounted; pods may override it. Defaults to true. */
  automountServiceAccountToken?: boolean
}

/** A list of ServiceAccount objects. */
export type ServiceAccountList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ServiceAccount[]
}

/** Options of a request that is forwarded to a node. */
export type NodeProxyOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Path of the request at the node. */
  path?: string
}

/** Options of attaching to a running container. */
export type PodAttachOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Forwards standard input. Defaults to false. */
  stdin?: boolean
  /** Forwards standard output. Defaults to true. */
  stdout?: boolean
  /** Forwards standard error. Defaults to true. */
  stderr?: boolean
  /** Attaches to a terminal. Defaults to false. */
  tty?: boolean
  /** Name of the container; may be empty when the pod has a single one. */
  container?: string
}

/** Options of running a command in a container. */
export type PodExecOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Forwards standard input. Defaults to false. */
  stdin?: boolean
  /** Forwards standard output. Defaults to true. */
  stdout?: boolean
  /** Forwards standard error. Defaults to true. */
  stderr?: boolean
  /** Gives the command a terminal. Defaults to false. */
  tty?: boolean
  /** Name of the container; may be empty when the pod has a single one. */
  container?: string
  /** The command and its arguments, run without a shell. */
  command?: string[]
}

/** Options of reading a container's log. */
export type PodLogOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name of the container; may be empty when the pod has a single one. */
  container?: string
  /** Continues with later lines. Defaults to false. */
  follow?: boolean
  /** Reads the log of the container's previous run. Defaults to false. */
  previous?: boolean
  /** Only lines of the last so many seconds; excludes sinceTime. */
  sinceSeconds?: number
  /** Only lines since then; excludes sinceSeconds. */
  sinceTime?: string
  /** Puts a time before each line. Defaults to false. */
  timestamps?: boolean
  /** Only so many lines from the end. */
  tailLines?: number
  /** Stops after so many bytes. */
  limitBytes?: number
  /** Does not verify the certificate of the node: the log may be forged. */
  insecureSkipTLSVerifyBackend?: boolean
  /** All (the default), Stdout or Stderr; the latter two exclude tailLines. */
  stream?: string
}

/** Options of forwarding ports to a pod. */
export type PodPortForwardOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The ports; required with websockets. */
  ports?: number[]
}

/** Options of a request that is forwarded to a pod. */
export type PodProxyOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Path of the request at the pod. */
  path?: string
}

/** Options of a request that is forwarded to a service. */
export type ServiceProxyOptions = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Path of the request at the service. */
  path?: string
}

/** Source of the profile. */
export type AppArmorProfile = {
  /** RuntimeDefault, Localhost, or Unconfined for none. */
  type: string
  /** Name of a profile that is loaded on the node; only with Localhost. */
  localhostProfile?: string
}

/** Linux capabilities of a container. */
export type Capabilities = {
  /** Capabilities beyond those of the runtime. */
  add?: string[]
  /** Capabilities to remove. */
  drop?: string[]
}

/** Environment variables from the entries of a config map. */
export type ConfigMapEnvSource = {
  /** Name of the object. */
  name?: string
  /** The config map may be missing. */
  optional?: boolean
}

/** Names the config map, in the pod's namespace, and the key. */
export type ConfigMapKeySelector = {
  /** Name of the object. */
  name?: string
  /** Key of the entry. */
  key: string
  /** The config map or the key may be missing. */
  optional?: boolean
}

/** A container of a pod. */
export type Container = {
  /** Name of the container, unique in the pod. Cannot be changed. */
  name: string
  /** Image to run. */
  image?: string
  /** Command instead of the image's entry point; $(NAME) is replaced with a variable. */
  command?: string[]
  /** Arguments instead of the image's; $(NAME) is replaced with a variable. */
  args?: string[]
  /** Working directory; that of the image when empty. */
  workingDir?: string
  /** Ports that the container listens on; mainly for information. */
  ports?: ContainerPort[]
  /** Sources whose entries all become environment variables; env has precedence, then the last source. */
  envFrom?: EnvFromSource[]
  /** Environment variables. */
  env?: EnvVar[]
  /** Requests and limits of compute resources. */
  resources: ResourceRequirements
  /** Whether a change of each resource requires a restart. */
  resizePolicy?: ContainerResizePolicy[]
  /** Overrides that of the pod; Always on an init container makes it a sidecar. */
  restartPolicy?: string
  /** Rules by exit code with precedence over restartPolicy; the first that matches decides. */
  restartPolicyRules?: ContainerRestartRule[]
  /** Volumes to mount in the filesystem. */
  volumeMounts?: VolumeMount[]
  /** Raw block volumes to make available. */
  volumeDevices?: VolumeDevice[]
  /** Check that the container is alive; it is restarted on failure. */
  livenessProbe?: Probe
  /** Check that the container can serve; on failure, services exclude it. */
  readinessProbe?: Probe
  /** Check that the container has started; no other probe runs before it succeeds. */
  startupProbe?: Probe
  /** Actions after the start and before the stop. */
  lifecycle?: Lifecycle
  /** File with the container's termination message, at most 4 KiB. Defaults to /dev/termination-log. */
  terminationMessagePath?: string
  /** File (the default), or FallbackToLogsOnError to take the end of the log when the file is empty. */
  terminationMessagePolicy?: string
  /** When to pull. Defaults to Always for the tag latest, to IfNotPresent otherwise. */
  imagePullPolicy?: string
  /** Security settings; they override those of the pod. */
  securityContext?: SecurityContext
  /** Keeps a buffer for standard input; otherwise reads meet the end at once. Defaults to false. */
  stdin?: boolean
  /** Closes standard input after the first client detaches. Defaults to false. */
  stdinOnce?: boolean
  /** Gives the container a terminal; needs stdin. Defaults to false. */
  tty?: boolean
}

/** Ties a container's extended resource to a request of a claim. */
export type ContainerExtendedResourceRequest = {
  /** Name of the container. */
  containerName: string
  /** Name of the extended resource. */
  resourceName: string
  /** Name of the request in the claim. */
  requestName: string
}

/** A port that a container listens on. */
export type ContainerPort = {
  /** Name to refer to the port by, unique in the pod. */
  name?: string
  /** Port of the node that is forwarded to this one; with hostNetwork the same as containerPort. */
  hostPort?: number
  /** Number of the port, 1 to 65535. */
  containerPort: number
  /** TCP (the default), UDP or SCTP. */
  protocol?: string
  /** Address of the node that hostPort is bound to. */
  hostIP?: string
}

/** Whether a change of a resource requires a restart. */
export type ContainerResizePolicy = {
  /** The resource: cpu or memory. */
  resourceName: string
  /** NotRequired, or RestartContainer. Defaults to NotRequired. */
  restartPolicy: string
}

/** Action when a container exits in a certain way. */
export type ContainerRestartRule = {
  /** Restart, or RestartAllContainers of the pod. */
  action?: string
  /** Exit codes that the rule is for. */
  exitCodes?: ContainerRestartRuleOnExitCodes
}

/** A set of exit codes. */
export type ContainerRestartRuleOnExitCodes = {
  /** In or NotIn. */
  operator?: string
  /** The exit codes; at most 255. */
  values?: number[]
}

/** State of a container; exactly one of the fields is set, else it is waiting. */
export type ContainerState = {
  /** It does not run yet. */
  waiting?: ContainerStateWaiting
  /** It runs. */
  running?: ContainerStateRunning
  /** It has ended. */
  terminated?: ContainerStateTerminated
}

/** A container that runs. */
export type ContainerStateRunning = {
  /** When it was last started. */
  startedAt?: string
}

/** How it terminated; it may be restarted. */
export type ContainerStateTerminated = {
  /** Exit code of the last run. */
  exitCode: number
  /** Signal that ended the last run. */
  signal?: number
  /** Machine-readable cause of the end, such as OOMKilled. */
  reason?: string
  /** The container's termination message. */
  message?: string
  /** When the last run began. */
  startedAt?: string
  /** When the last run ended. */
  finishedAt?: string
  /** Identifier of the container, as <runtime>://<id>. */
  containerID?: string
}

/** Such as while its image is pulled, or before it is restarted. */
export type ContainerStateWaiting = {
  /** Machine-readable cause, such as ImagePullBackOff. */
  reason?: string
  /** Details, for people. */
  message?: string
}

/** State of a container. */
export type ContainerStatus = {
  /** Name of the container. */
  name: string
  /** Present state. */
  state: ContainerState
  /** End of its previous run. */
  lastState: ContainerState
  /** Its readiness probe succeeds, or it runs and has none. */
  ready: boolean
  /** How often it was restarted, as far as the node remembers. */
  restartCount: number
  /** Running image; may have another name than in the spec. */
  image: string
  /** Identifier of the image in the runtime. */
  imageID: string
  /** Identifier of the container, as <runtime>://<id>. */
  containerID?: string
  /** Its startup probe has succeeded, or it runs and has none. */
  started?: boolean
  /** Resources that the node has allocated to it. */
  allocatedResources?: Record<string, string>
  /** Requests and limits that are in force. */
  resources?: ResourceRequirements
  /** How its volumes are mounted. */
  volumeMounts?: VolumeMountStatus[]
  /** User of its first process at the start. */
  user?: ContainerUser
  /** Health of its allocated devices. */
  allocatedResourcesStatus?: ResourceStatus[]
  /** Signal that stops it. */
  stopSignal?: string
}

/** Set when the container starts; a process may change it later. */
export type ContainerUser = {
  /** User and groups on Linux. */
  linux?: LinuxContainerUser
}

/** A source whose entries all become environment variables. */
export type EnvFromSource = {
  /** Put before each name. */
  prefix?: string
  /** A config map. */
  configMapRef?: ConfigMapEnvSource
  /** A secret. */
  secretRef?: SecretEnvSource
}

/** An environment variable. */
export type EnvVar = {
  /** Name of the variable. */
  name: string
  /** Value; $(NAME) is replaced with an earlier variable and $$ with $. Defaults to "". */
  value?: string
  /** Where the value comes from; excludes value. */
  valueFrom?: EnvVarSource
}

/** Where the value of a variable comes from; exactly one of the fields is set. */
export type EnvVarSource = {
  /** A field of the pod: name, namespace, labels, annotations, node or addresses, among others. */
  fieldRef?: ObjectFieldSelector
  /** A resource limit or request of a container. */
  resourceFieldRef?: ResourceFieldSelector
  /** An entry of a config map. */
  configMapKeyRef?: ConfigMapKeySelector
  /** An entry of a secret. */
  secretKeyRef?: SecretKeySelector
  /** A line of a file that another container of the pod wrote. */
  fileKeyRef?: FileKeySelector
}

/** A container for debugging, added to a running pod. It has no ports, probes or guaranteed resources. */
export type EphemeralContainer = {
  /** Name of the container, unique among all containers of the pod. */
  name: string
  /** Image to run. */
  image?: string
  /** Command instead of the image's entry point; $(NAME) is replaced with a variable. */
  command?: string[]
  /** Arguments instead of the image's; $(NAME) is replaced with a variable. */
  args?: string[]
  /** Working directory; that of the image when empty. */
  workingDir?: string
  /** Not allowed for ephemeral containers. */
  ports?: ContainerPort[]
  /** Sources whose entries all become environment variables; env has precedence, then the last source. */
  envFrom?: EnvFromSource[]
  /** Environment variables. */
  env?: EnvVar[]
  /** Not allowed for ephemeral containers; they use what the pod has left. */
  resources: ResourceRequirements
  /** Not allowed for ephemeral containers. */
  resizePolicy?: ContainerResizePolicy[]
  /** Not allowed for ephemeral containers. */
  restartPolicy?: string
  /** Not allowed for ephemeral containers. */
  restartPolicyRules?: ContainerRestartRule[]
  /** Volumes to mount in the filesystem; without subPath. */
  volumeMounts?: VolumeMount[]
  /** Raw block volumes to make available. */
  volumeDevices?: VolumeDevice[]
  /** Not allowed for ephemeral containers. */
  livenessProbe?: Probe
  /** Not allowed for ephemeral containers. */
  readinessProbe?: Probe
  /** Not allowed for ephemeral containers. */
  startupProbe?: Probe
  /** Not allowed for ephemeral containers. */
  lifecycle?: Lifecycle
  /** File with the container's termination message, at most 4 KiB. Defaults to /dev/termination-log. */
  terminationMessagePath?: string
  /** File (the default), or FallbackToLogsOnError to take the end of the log when the file is empty. */
  terminationMessagePolicy?: string
  /** When to pull. Defaults to Always for the tag latest, to IfNotPresent otherwise. */
  imagePullPolicy?: string
  /** Security settings; they override those of the pod. */
  securityContext?: SecurityContext
  /** Keeps a buffer for standard input; otherwise reads meet the end at once. Defaults to false. */
  stdin?: boolean
  /** Closes standard input after the first client detaches. Defaults to false. */
  stdinOnce?: boolean
  /** Gives the container a terminal; needs stdin. Defaults to false. */
  tty?: boolean
  /** Container whose processes it sees; only its own when empty. */
  targetContainerName?: string
}

/** Fields that ephemeral containers share with others. */
export type EphemeralContainerCommon = {
  /** Name of the container, unique among all containers of the pod. */
  name: string
  /** Image to run. */
  image?: string
  /** Command instead of the image's entry point; $(NAME) is replaced with a variable. */
  command?: string[]
  /** Arguments instead of the image's; $(NAME) is replaced with a variable. */
  args?: string[]
  /** Working directory; that of the image when empty. */
  workingDir?: string
  /** Not allowed for ephemeral containers. */
  ports?: ContainerPort[]
  /** Sources whose entries all become environment variables; env has precedence, then the last source. */
  envFrom?: EnvFromSource[]
  /** Environment variables. */
  env?: EnvVar[]
  /** Not allowed for ephemeral containers; they use what the pod has left. */
  resources: ResourceRequirements
  /** Not allowed for ephemeral containers. */
  resizePolicy?: ContainerResizePolicy[]
  /** Not allowed for ephemeral containers. */
  restartPolicy?: string
  /** Not allowed for ephemeral containers. */
  restartPolicyRules?: ContainerRestartRule[]
  /** Volumes to mount in the filesystem; without subPath. */
  volumeMounts?: VolumeMount[]
  /** Raw block volumes to make available. */
  volumeDevices?: VolumeDevice[]
  /** Not allowed for ephemeral containers. */
  livenessProbe?: Probe
  /** Not allowed for ephemeral containers. */
  readinessProbe?: Probe
  /** Not allowed for ephemeral containers. */
  startupProbe?: Probe
  /** Not allowed for ephemeral containers. */
  lifecycle?: Lifecycle
  /** File with the container's termination message, at most 4 KiB. Defaults to /dev/termination-log. */
  terminationMessagePath?: string
  /** File (the default), or FallbackToLogsOnError to take the end of the log when the file is empty. */
  terminationMessagePolicy?: string
  /** When to pull. Defaults to Always for the tag latest, to IfNotPresent otherwise. */
  imagePullPolicy?: string
  /** Security settings; they override those of the pod. */
  securityContext?: SecurityContext
  /** Keeps a buffer for standard input; otherwise reads meet the end at once. Defaults to false. */
  stdin?: boolean
  /** Closes standard input after the first client detaches. Defaults to false. */
  stdinOnce?: boolean
  /** Gives the container a terminal; needs stdin. Defaults to false. */
  tty?: boolean
}

/** A command that is run in a container, without a shell. */
export type ExecAction = {
  /** The command and its arguments, run without a shell. Exit code 0 is success. */
  command?: string[]
}

/** A line of a file of variables in a volume. */
export type FileKeySelector = {
  /** Name of the pod's volume. */
  volumeName: string
  /** File in the volume, as a relative path. */
  path: string
  /** Name of the variable in the file. */
  key: string
  /** The file or the key may be missing. */
  optional?: boolean
}

/** A call of the standard health service; the answer must be SERVING. */
export type GRPCAction = {
  /** Port of the service, 1 to 65535. */
  port: number
  /** Service to check; "" checks the server as a whole. */
  service?: string
}

/** Sends a GET request; codes from 200 to 399 are success. */
export type HTTPGetAction = {
  /** Path of the request. */
  path?: string
  /** Port by number or name. */
  port: number | string
  /** Host to connect to. Defaults to the address of the pod. */
  host?: string
  /** HTTP (the default) or HTTPS. */
  scheme?: string
  /** Headers of the request; names may repeat. */
  httpHeaders?: HTTPHeader[]
}

/** A header of a request. */
export type HTTPHeader = {
  /** Name of the header. */
  name: string
  /** Value of the header. */
  value: string
}

/** Actions around the life of a container. */
export type Lifecycle = {
  /** Runs directly after the start; on failure the container is killed. */
  postStart?: LifecycleHandler
  /** Runs before the stop signal, within the grace period. */
  preStop?: LifecycleHandler
  /** Signal that stops the container; spec.os.name must be set. */
  stopSignal?: string
}

/** Action of a lifecycle hook; exactly one of the fields is set. */
export type LifecycleHandler = {
  /** Runs a command in the container. */
  exec?: ExecAction
  /** Sends an HTTP request. */
  httpGet?: HTTPGetAction
  /** Deprecated: not supported, and fails when the hook runs. */
  tcpSocket?: TCPSocketAction
  /** Waits. */
  sleep?: SleepAction
}

/** User and groups of a process. */
export type LinuxContainerUser = {
  /** User id. */
  uid: number
  /** Primary group id. */
  gid: number
  /** Further group ids. */
  supplementalGroups?: number[]
}

/** A field of an object. */
export type ObjectFieldSelector = {
  /** Version that the path is written in. Defaults to v1. */
  apiVersion?: string
  /** Path of the field, such as metadata.name. */
  fieldPath: string
}

/** A claim of devices that containers can refer to; one of the two sources is set. */
export type PodResourceClaim = {
  /** Name to refer to the claim by, unique in the pod. */
  name: string
  /** Name of a claim that exists in the namespace. */
  resourceClaimName?: string
  /** Template of a claim for this pod; the claim is deleted with the pod. */
  resourceClaimTemplateName?: string
}

/** Security settings of a pod; those of a container have precedence. */
export type PodSecurityContext = {
  /** SELinux context of the containers; the runtime picks one when unset. */
  seLinuxOptions?: SELinuxOptions
  /** Settings for Windows. */
  windowsOptions?: WindowsSecurityContextOptions
  /** User id of the processes; that of the image when unset. */
  runAsUser?: number
  /** Primary group id of the processes; the runtime's default when unset. */
  runAsGroup?: number
  /** Refuses to start containers that would run as user 0. */
  runAsNonRoot?: boolean
  /** Further group ids of the processes. */
  supplementalGroups?: number[]
  /** Whether the groups that the image gives its user are added: Merge (the default) or Strict. */
  supplementalGroupsPolicy?: string
  /** Group that owns the files of volumes that can be owned; all processes get it too. */
  fsGroup?: number
  /** Kernel parameters to set for the pod. */
  sysctls?: Sysctl[]
  /** Whether ownership is set at each mount: Always (the default) or OnRootMismatch. */
  fsGroupChangePolicy?: string
  /** Filter of system calls. */
  seccompProfile?: SeccompProfile
  /** AppArmor profile of the containers. */
  appArmorProfile?: AppArmorProfile
  /** How volumes get the SELinux label: MountOption (the default) or Recursive. */
  seLinuxChangePolicy?: string
}

/** A check that is repeated. */
export type Probe = {
  /** Runs a command in the container. */
  exec?: ExecAction
  /** Sends an HTTP request. */
  httpGet?: HTTPGetAction
  /** Opens a connection. */
  tcpSocket?: TCPSocketAction
  /** Asks the gRPC health service. */
  grpc?: GRPCAction
  /** Seconds from the start to the first check. */
  initialDelaySeconds?: number
  /** Seconds after which a check has failed. Defaults to 1. */
  timeoutSeconds?: number
  /** Seconds from one check to the next. Defaults to 10. */
  periodSeconds?: number
  /** Successes in a row that end a failure. Defaults to 1; must be 1 for liveness and startup. */
  successThreshold?: number
  /** Failures in a row to fail. Defaults to 3. */
  failureThreshold?: number
  /** Seconds from the stop signal to the kill after a failure; those of the pod when unset. */
  terminationGracePeriodSeconds?: number
}

/** Action of a check; exactly one of the fields is set. */
export type ProbeHandler = {
  /** Runs a command in the container. */
  exec?: ExecAction
  /** Sends an HTTP request. */
  httpGet?: HTTPGetAction
  /** Opens a connection. */
  tcpSocket?: TCPSocketAction
  /** Asks the gRPC health service. */
  grpc?: GRPCAction
}

/** Lets a container use one of the pod's claims. */
export type ResourceClaim = {
  /** Name of the entry in spec.resourceClaims. */
  name: string
  /** Request of the claim to use; all of them when empty. */
  request?: string
}

/** Names the container and one of its resources. */
export type ResourceFieldSelector = {
  /** Name of the container; required in volumes. */
  containerName?: string
  /** The resource, such as limits.cpu or requests.memory. */
  resource: string
  /** Unit that the value is given in. Defaults to 1. */
  divisor: string
}

/** Health of one device. */
export type ResourceHealth = {
  /** Identifier of the device. */
  resourceID: string
  /** Healthy, Unhealthy or Unknown. */
  health?: string
  /** Details, for people. */
  message?: string
}

/** Compute resources of a container. */
export type ResourceRequirements = {
  /** Maximum of each resource. */
  limits?: Record<string, string>
  /** Guaranteed amount of each resource. Defaults to the limit. */
  requests?: Record<string, string>
  /** Claims of the pod that the container uses. */
  claims?: ResourceClaim[]
}

/** Health of one of a container's resources. */
export type ResourceStatus = {
  /** Name of the resource, or claim:<claim>/<request>. */
  name: string
  /** One entry a device. */
  resources?: ResourceHealth[]
}

/** The label user:role:type:level by which the kernel checks access. */
export type SELinuxOptions = {
  /** User part. */
  user?: string
  /** Role part. */
  role?: string
  /** Type part. */
  type?: string
  /** Level part. */
  level?: string
}

/** Which system calls are allowed. */
export type SeccompProfile = {
  /** RuntimeDefault, Localhost, or Unconfined for none. */
  type: string
  /** File with the profile, below the node's directory for them; only with Localhost. */
  localhostProfile?: string
}

/** Environment variables from the entries of a secret. */
export type SecretEnvSource = {
  /** Name of the object. */
  name?: string
  /** The secret may be missing. */
  optional?: boolean
}

/** Names the secret, in the pod's namespace, and the key. */
export type SecretKeySelector = {
  /** Name of the object. */
  name?: string
  /** Key of the entry. */
  key: string
  /** The secret or the key may be missing. */
  optional?: boolean
}

/** Permissions of a container's processes. */
export type SecurityContext = {
  /** Linux capabilities to add and drop. */
  capabilities?: Capabilities
  /** Runs with the rights of root on the node. Defaults to false. */
  privileged?: boolean
  /** SELinux context of the container. */
  seLinuxOptions?: SELinuxOptions
  /** Settings for Windows. */
  windowsOptions?: WindowsSecurityContextOptions
  /** User id of the processes; that of the image when unset. */
  runAsUser?: number
  /** Primary group id of the processes; the runtime's default when unset. */
  runAsGroup?: number
  /** Refuses to start containers that would run as user 0. */
  runAsNonRoot?: boolean
  /** Mounts the container's own filesystem read-only. Defaults to false. */
  readOnlyRootFilesystem?: boolean
  /** Whether a process can gain more privileges than its parent; always true when privileged. */
  allowPrivilegeEscalation?: boolean
  /** How /proc is masked: Default, or Unmasked for none. */
  procMount?: string
  /** Filter of system calls. */
  seccompProfile?: SeccompProfile
  /** AppArmor profile of the container. */
  appArmorProfile?: AppArmorProfile
}

/** A pause. */
export type SleepAction = {
  /** Seconds to wait. */
  seconds: number
}

/** A connection that is opened and closed again. */
export type TCPSocketAction = {
  /** Port by number or name. */
  port: number | string
  /** Host to connect to. Defaults to the address of the pod. */
  host?: string
}

/** Not allowed for pods of Linux. */
export type WindowsSecurityContextOptions = {
  /** Name of the GMSA credential spec. */
  gmsaCredentialSpecName?: string
  /** The GMSA credential spec itself, filled in by a webhook. */
  gmsaCredentialSpec?: string
  /** User that the processes run as; that of the image when unset. */
  runAsUserName?: string
  /** Runs on the host itself; all containers of a pod alike, and with hostNetwork. */
  hostProcess?: boolean
}

/** Something that happened to an object; kept for a limited time and not reliable. */
export type Event = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The object that it happened to. */
  involvedObject: ObjectReference
  /** Machine-readable cause, in CamelCase. */
  reason?: string
  /** What happened, for people. */
  message?: string
  /** The reporting program. */
  source: EventSource
  /** When it was first seen. */
  firstTimestamp?: string
  /** When it was last seen. */
  lastTimestamp?: string
  /** How often it was seen. */
  count?: number
  /** Normal or Warning. */
  type?: string
  /** When it was first seen, to the microsecond. */
  eventTime?: string
  /** Further occurrences, when there are any. */
  series?: EventSeries
  /** Action that was taken, or failed. */
  action?: string
  /** Another object that took part. */
  related?: ObjectReference
  /** Name of the controller that reported it, such as example.com/controller. */
  reportingComponent: string
  /** Which instance of the controller reported it. */
  reportingInstance: string
}

/** A list of Event objects. */
export type EventList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Event[]
}

/** Further occurrences of an event. */
export type EventSeries = {
  /** How often it was seen, up to lastObservedTime. */
  count?: number
  /** When it was last seen. */
  lastObservedTime?: string
}

/** A program, and the node that it runs on. */
export type EventSource = {
  /** Program that reported it. */
  component?: string
  /** Node that it was reported from. */
  host?: string
}

/** A volume that is attached to a node. */
export type AttachedVolume = {
  /** Name of the volume. */
  name: string
  /** Path of the volume on the node. */
  devicePath: string
}

/** Pods that should not run on a node. */
export type AvoidPods = {
  /** One entry a controller of pods. */
  preferAvoidPods?: PreferAvoidPodsEntry[]
}

/** An image that is on a node. */
export type ContainerImage = {
  /** Names of the image, by tag and by digest. */
  names?: string[]
  /** Size of the image, in bytes. */
  sizeBytes?: number
}

/** Where a daemon listens. */
export type DaemonEndpoint = {
  /** Number of the port. */
  Port: number
}

/** A machine that runs pods. */
export type Node = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Settings of the node. */
  spec: NodeSpec
  /** State of the node. */
  status: NodeStatus
}

/** An address of a node. */
export type NodeAddress = {
  /** Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS. */
  type: string
  /** The address. */
  address: string
}

/** Allocatable resources of the node that a claim uses. */
export type NodeAllocatableResourceClaimStatus = {
  /** Name of the claim. */
  resourceClaimName: string
  /** Containers that use the claim. */
  containers?: string[]
  /** The resources and how much of them. */
  resources?: Record<string, string>
}

/** One aspect of a node, such as Ready or MemoryPressure. */
export type NodeCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the condition was last reported, changed or not. */
  lastHeartbeatTime?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** Deprecated: source of a node's configuration. */
export type NodeConfigSource = {
  /** A config map. */
  configMap?: ConfigMapNodeConfigSource
}

/** Deprecated: configuration of a node. */
export type NodeConfigStatus = {
  /** The configuration that the node will use. */
  assigned?: NodeConfigSource
  /** The configuration that the node uses. */
  active?: NodeConfigSource
  /** The configuration that the node falls back to. */
  lastKnownGood?: NodeConfigSource
  /** What is wrong with the assigned configuration. */
  error?: string
}

/** Ports of the node's daemons. */
export type NodeDaemonEndpoints = {
  /** Address of the kubelet. */
  kubeletEndpoint: DaemonEndpoint
}

/** Features that are the same for every runtime class. */
export type NodeFeatures = {
  /** It supports supplementalGroupsPolicy of pods. */
  supplementalGroupsPolicy?: boolean
}

/** A list of Node objects. */
export type NodeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Node[]
}

/** A runtime handler of a node. */
export type NodeRuntimeHandler = {
  /** Name of the handler; empty for the default one. */
  name: string
  /** Features of the handler. */
  features?: NodeRuntimeHandlerFeatures
}

/** Features that depend on the handler. */
export type NodeRuntimeHandlerFeatures = {
  /** It can make mounts below a read-only one read-only. */
  recursiveReadOnlyMounts?: boolean
  /** It can give pods their own user ids. */
  userNamespaces?: boolean
}

/** Mostly written by administrators and the cloud provider. */
export type NodeSpec = {
  /** Block of the addresses of the node's pods. */
  podCIDR?: string
  /** Such blocks, one of each address family; the first is podCIDR. */
  podCIDRs?: string[]
  /** Identifier of the machine at the cloud provider, as <provider>://<id>. */
  providerID?: string
  /** Schedules no new pods to the node. Defaults to false. */
  unschedulable?: boolean
  /** Taints, which repel pods that do not tolerate them. */
  taints?: Taint[]
  /** Deprecated: no longer used. */
  configSource?: NodeConfigSource
  /** Deprecated: no longer used. */
  externalID?: string
}

/** Reported by the kubelet. */
export type NodeStatus = {
  /** All resources of the node. */
  capacity?: Record<string, string>
  /** Resources that pods can use. Defaults to the capacity. */
  allocatable?: Record<string, string>
  /** Deprecated: no longer used. */
  phase?: string
  /** Aspects of the node's state, such as Ready. */
  conditions?: NodeCondition[]
  /** Addresses of the node. */
  addresses?: NodeAddress[]
  /** Addresses of the node's daemons. */
  daemonEndpoints: NodeDaemonEndpoints
  /** Versions and identifiers of the machine and its software. */
  nodeInfo: NodeSystemInfo
  /** Images that are on the node. */
  images?: ContainerImage[]
  /** Attachable volumes that the node has mounted. */
  volumesInUse?: string[]
  /** Volumes that are attached to the node. */
  volumesAttached?: AttachedVolume[]
  /** Deprecated: state of the node's configuration source. */
  config?: NodeConfigStatus
  /** Runtime handlers of the node. */
  runtimeHandlers?: NodeRuntimeHandler[]
  /** Features of the node's runtime. */
  features?: NodeFeatures
  /** Features of the kubelet that pods may depend on. */
  declaredFeatures?: string[]
}

/** The operating system's swap space. */
export type NodeSwapStatus = {
  /** Size of it, in bytes. */
  capacity?: number
}

/** Versions and identifiers of a node. */
export type NodeSystemInfo = {
  /** Identifier of the machine, from /etc/machine-id. */
  machineID: string
  /** Identifier of the hardware or virtual machine. */
  systemUUID: string
  /** Identifier of the present boot. */
  bootID: string
  /** Version of the kernel. */
  kernelVersion: string
  /** Name of the operating system, from /etc/os-release. */
  osImage: string
  /** Runtime and its version, as <runtime>://<version>. */
  containerRuntimeVersion: string
  /** Version of the kubelet. */
  kubeletVersion: string
  /** Deprecated: no longer meaningful. */
  kubeProxyVersion: string
  /** Kind of operating system: linux or windows. */
  operatingSystem: string
  /** Processor architecture, such as amd64 or arm64. */
  architecture: string
  /** Swap space of the node. */
  swap?: NodeSwapStatus
}

/** Identifies pods by the controller that owns them. */
export type PodSignature = {
  /** The controller that owns the pods. */
  podController?: metaV1.OwnerReference
}

/** A class of pods that should not run on a node. */
export type PreferAvoidPodsEntry = {
  /** The pods. */
  podSignature: PodSignature
  /** When the entry was added. */
  evictionTime?: string
  /** Machine-readable cause of the entry. */
  reason?: string
  /** Details, for people. */
  message?: string
}

/** Repels pods that do not tolerate it from a node. */
export type Taint = {
  /** Key of the taint. */
  key: string
  /** Value of the taint. */
  value?: string
  /** NoSchedule, PreferNoSchedule, or NoExecute, which also evicts running pods. */
  effect: string
  /** When the taint was added. */
  timeAdded?: string
}

/** Placement by the labels of nodes, and by pods that run there already. */
export type Affinity = {
  /** Nodes to run on, by their labels. */
  nodeAffinity?: NodeAffinity
  /** Pods to be near. */
  podAffinity?: PodAffinity
  /** Pods to be away from. */
  podAntiAffinity?: PodAntiAffinity
}

/** Names for an address in the hosts file of a pod. */
export type HostAlias = {
  /** The address. */
  ip: string
  /** The names. */
  hostnames?: string[]
}

/** An address of the node that a pod runs on. */
export type HostIP = {
  /** The address. */
  ip: string
}

/** Identifies the image behind a tag. */
export type ImageVolumeStatus = {
  /** Digest of the image that is mounted. */
  imageRef?: string
}

/** Evaluated when the pod is scheduled; later changes of labels evict nothing. */
export type NodeAffinity = {
  /** Terms for nodes; the pod is only scheduled to a node that matches. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
  /** Preferred terms for nodes; the weights of matching terms are added up. */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[]
}

/** One or more containers that run together on a node and share its network identity and volumes. */
export type Pod = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Containers of the pod and their settings. */
  spec: PodSpec
  /** State of the pod; may be out of date. */
  status: PodStatus
}

/** Pods to be near; evaluated only when the pod is scheduled. */
export type PodAffinity = {
  /** Terms that must all be met; otherwise the pod is not scheduled there. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
  /** Terms that should be met; the weights of those met are added up. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
}

/** Selects pods, and defines what counts as near. */
export type PodAffinityTerm = {
  /** Selects the pods by label; none when unset. */
  labelSelector?: metaV1.LabelSelector
  /** Namespaces of the pods, in addition to those of namespaceSelector; the pod's own when both are unset. */
  namespaces?: string[]
  /** Node label; nodes with the same value are one domain. Required. */
  topologyKey: string
  /** Selects namespaces by label; an empty one selects all. */
  namespaceSelector?: metaV1.LabelSelector
  /** Labels of the incoming pod that the pods must share. */
  matchLabelKeys?: string[]
  /** Labels of the incoming pod that the pods must not share. */
  mismatchLabelKeys?: string[]
}

/** Pods to be away from; evaluated only when the pod is scheduled. */
export type PodAntiAffinity = {
  /** Terms of which none may be met; otherwise the pod is not scheduled there. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
  /** Terms that should not be met; the weights of those met are added up. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
}

/** One aspect of a pod, such as Ready or PodScheduled. */
export type PodCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: number
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the condition was last checked. */
  lastProbeTime?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** With dnsPolicy None, these are the only settings. */
export type PodDNSConfig = {
  /** Addresses of name servers. */
  nameservers?: string[]
  /** Domains to search names in. */
  searches?: string[]
  /** Resolver options; they override those of the policy. */
  options?: PodDNSConfigOption[]
}

/** A resolver option. */
export type PodDNSConfigOption = {
  /** Name of the option, such as ndots. Required. */
  name?: string
  /** Value of the option, if it has one. */
  value?: string
}

/** The claim that the scheduler creates for resources from device classes. */
export type PodExtendedResourceClaimStatus = {
  /** Which request of the claim serves which container resource. */
  requestMappings?: ContainerExtendedResourceRequest[]
  /** Name of the claim. */
  resourceClaimName: string
}

/** An address of a pod. */
export type PodIP = {
  /** The address. */
  ip: string
}

/** A list of Pod objects. */
export type PodList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Pod[]
}

/** Operating system of a pod. */
export type PodOS = {
  /** Either linux or windows. */
  name: string
}

/** A further condition for a pod to be ready. */
export type PodReadinessGate = {
  /** Type of the condition, among those of the pod. */
  conditionType: string
}

/** The claim that was made for one of a pod's resource claims. */
export type PodResourceClaimStatus = {
  /** Name of the entry in spec.resourceClaims. */
  name: string
  /** Name of the claim; unset when none was needed. */
  resourceClaimName?: string
}

/** Keeps a pod from being scheduled. */
export type PodSchedulingGate = {
  /** Name of the gate. */
  name: string
}

/** Pods of one group are scheduled together. */
export type PodSchedulingGroup = {
  /** Name of the PodGroup, in the pod's namespace. */
  podGroupName?: string
}

/** Fixed when the pod exists, except for images, tolerations and a few other fields. */
export type PodSpec = {
  /** Volumes that the containers can mount. */
  volumes?: Volume[]
  /** Containers that run one after another, before the others; each must succeed. */
  initContainers?: Container[]
  /** The containers; at least one. None can be added or removed later. */
  containers?: Container[]
  /** Containers for debugging, added to a running pod by its own subresource; they cannot be removed. */
  ephemeralContainers?: EphemeralContainer[]
  /** When containers are started again: Always (the default), OnFailure or Never. */
  restartPolicy?: string
  /** Seconds from the stop signal to the kill when the pod is deleted. Defaults to 30. */
  terminationGracePeriodSeconds?: number
  /** Seconds after which the pod fails and its containers are killed. */
  activeDeadlineSeconds?: number
  /** Source of name resolution. Defaults to ClusterFirst. */
  dnsPolicy?: string
  /** Labels that the node must have. */
  nodeSelector?: Record<string, string>
  /** Service account that the pod runs as. Defaults to default. */
  serviceAccountName?: string
  /** Deprecated: use serviceAccountName. */
  serviceAccount?: string
  /** Whether a token of the service account is mounted; defaults to the account's setting. */
  automountServiceAccountToken?: boolean
  /** Node that the pod runs on; set by the scheduler, or beforehand to bypass it. */
  nodeName?: string
  /** Uses the network of the node; ports of containers are then ports of the node. Defaults to false. */
  hostNetwork?: boolean
  /** Sees the processes of the node. Defaults to false. */
  hostPID?: boolean
  /** Shares inter-process communication with the node. Defaults to false. */
  hostIPC?: boolean
  /** Containers of the pod see each other's processes; excludes hostPID. Defaults to false. */
  shareProcessNamespace?: boolean
  /** Security settings of the pod, and defaults for its containers. */
  securityContext?: PodSecurityContext
  /** Secrets of the namespace for pulling the images. */
  imagePullSecrets?: LocalObjectReference[]
  /** Host name of the pod. Defaults to the pod's name. */
  hostname?: string
  /** With it, the full host name is <hostname>.<subdomain>.<namespace>.svc.<cluster domain>. */
  subdomain?: string
  /** Preferred and avoided places of the pod. */
  affinity?: Affinity
  /** Scheduler that places the pod. Defaults to default-scheduler. */
  schedulerName?: string
  /** Node taints that the pod tolerates. */
  tolerations?: Toleration[]
  /** Entries for the hosts file of the containers. */
  hostAliases?: HostAlias[]
  /** Priority class of the pod; its value becomes the priority. Unset is the default class, if any. */
  priorityClassName?: string
  /** Higher ones are scheduled first and may evict lower ones; set from the class. */
  priority?: number
  /** Settings of name resolution, added to those of dnsPolicy. */
  dnsConfig?: PodDNSConfig
  /** Conditions that must be True, besides the containers being ready, for the pod to be ready. */
  readinessGates?: PodReadinessGate[]
  /** Runtime class that runs the pod; unset is the node's default runtime. */
  runtimeClassName?: string
  /** Gives containers environment variables for the services of the namespace. Defaults to true. */
  enableServiceLinks?: boolean
  /** Whether the pod may evict pods of lower priority: PreemptLowerPriority (the default) or Never. */
  preemptionPolicy?: string
  /** Resources for running the pod in addition to its containers; set from the runtime class. */
  overhead?: Record<string, string>
  /** How evenly pods are to be spread over the cluster; all must be met. */
  topologySpreadConstraints?: TopologySpreadConstraint[]
  /** Makes the full name the host name within the pod. Defaults to false. */
  setHostnameAsFQDN?: boolean
  /** Operating system that the pod is for; some fields are not allowed with it. */
  os?: PodOS
  /** False gives the pod its own user ids, separate from those of the node. Defaults to true. */
  hostUsers?: boolean
  /** The pod is not scheduled until this is empty; entries can only be removed. */
  schedulingGates?: PodSchedulingGate[]
  /** Claims of devices that must be allocated before the pod starts. */
  resourceClaims?: PodResourceClaim[]
  /** Requests and limits of the pod as a whole: cpu, memory and huge pages. */
  resources?: ResourceRequirements
  /** Host name within the pod, regardless of hostname and subdomain. */
  hostnameOverride?: string
  /** Group of pods that are scheduled together. */
  schedulingGroup?: PodSchedulingGroup
}

/** Reported by the kubelet; may be out of date. */
export type PodStatus = {
  /** Generation of the pod that this status was derived from. */
  observedGeneration?: number
  /** Summary: Pending, Running, Succeeded, Failed or Unknown. */
  phase?: string
  /** Aspects of the pod's state, such as Ready and PodScheduled. */
  conditions?: PodCondition[]
  /** Why the pod is in this state, for people. */
  message?: string
  /** Machine-readable cause of the state, such as Evicted. */
  reason?: string
  /** Node that pods are being evicted from for this one, which may still be scheduled elsewhere. */
  nominatedNodeName?: string
  /** Address of the node that the pod was assigned to. */
  hostIP?: string
  /** Addresses of that node, one an address family; the first is hostIP. */
  hostIPs?: HostIP[]
  /** Address of the pod; empty until it has one. */
  podIP?: string
  /** Addresses of the pod, one an address family; the first is podIP. */
  podIPs?: PodIP[]
  /** When the kubelet accepted the pod, before any image was pulled. */
  startTime?: string
  /** State of the init containers, in their order. */
  initContainerStatuses?: ContainerStatus[]
  /** State of the containers. */
  containerStatuses?: ContainerStatus[]
  /** Guaranteed, Burstable or BestEffort, derived from requests and limits. */
  qosClass?: string
  /** State of the ephemeral containers. */
  ephemeralContainerStatuses?: ContainerStatus[]
  /** Deprecated: see the conditions PodResizePending and PodResizeInProgress. */
  resize?: string
  /** Claims that were made from templates for this pod. */
  resourceClaimStatuses?: PodResourceClaimStatus[]
  /** The claim that serves the pod's extended resources. */
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus
  /** Resources that the node has allocated to the pod as a whole. */
  allocatedResources?: Record<string, string>
  /** Requests and limits of the pod as a whole that are in force. */
  resources?: ResourceRequirements
  /** Claims of the pod that use allocatable resources of the node. */
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[]
}

/** The status of a pod, without the pod. */
export type PodStatusResult = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The observed state, updated by controllers. */
  status: PodStatus
}

/** A stored template of pods. */
export type PodTemplate = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The template. */
  template: PodTemplateSpec
}

/** A list of PodTemplate objects. */
export type PodTemplateList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PodTemplate[]
}

/** A template: initial metadata and spec of each pod. */
export type PodTemplateSpec = {
  /** Labels, annotations and other metadata of the pods. */
  metadata: metaV1.ObjectMeta
  /** Containers of the pods and their settings. */
  spec: PodSpec
}

/** A preferred node, and the weight of the preference. */
export type PreferredSchedulingTerm = {
  /** 1 to 100; added to a node's score when the node matches. */
  weight: number
  /** The preferred term; an empty one matches every node. */
  preference: NodeSelectorTerm
}

/** Keeps a number of equal pods running; use Deployment instead. */
export type ReplicationController = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Pods to keep running. */
  spec: ReplicationControllerSpec
  /** State of the pods. */
  status: ReplicationControllerStatus
}

/** One aspect of the controller's state. */
export type ReplicationControllerCondition = {
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

/** A list of ReplicationController objects. */
export type ReplicationControllerList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ReplicationController[]
}

/** Creates pods from the template, or deletes pods, until replicas of them match the selector. */
export type ReplicationControllerSpec = {
  /** How many pods there should be. Defaults to 1. */
  replicas?: number
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** Labels of the pods that count. Defaults to the labels of the template. */
  selector?: Record<string, string>
  /** Template of the pods. */
  template?: PodTemplateSpec
}

/** Counts of the pods that match the selector. */
export type ReplicationControllerStatus = {
  /** How many pods there are. */
  replicas: number
  /** Pods that have all labels of the template. */
  fullyLabeledReplicas?: number
  /** Pods that are ready. */
  readyReplicas?: number
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** Aspects of the controller's state, such as ReplicaFailure. */
  conditions?: ReplicationControllerCondition[]
}

/** A kernel parameter to set. */
export type Sysctl = {
  /** Name of the parameter. */
  name: string
  /** Value of the parameter. */
  value: string
}

/** Lets a pod run on nodes with matching taints. */
export type Toleration = {
  /** Key of the taint; empty, with Exists, matches every taint. */
  key?: string
  /** How value relates to that of the taint. Equal is the default; Exists takes any value. */
  operator?: string
  /** Value of the taint to compare with; empty for Exists. */
  value?: string
  /** Effect of the taint; empty matches all effects. */
  effect?: string
  /** Seconds that the pod stays after a NoExecute taint appears; unset is forever. */
  tolerationSeconds?: number
}

/** How evenly matching pods are spread over topology domains. */
export type TopologySpreadConstraint = {
  /** Maximum difference of matching pods between a domain and the one with the fewest. At least 1. */
  maxSkew: number
  /** Node label; nodes with the same value are one domain. */
  topologyKey: string
  /** DoNotSchedule leaves the pod pending; ScheduleAnyway only prefers domains that reduce the skew. */
  whenUnsatisfiable: string
  /** Selects the pods that are counted. */
  labelSelector?: metaV1.LabelSelector
  /** With fewer matching domains, the fewest counts as 0. Only with DoNotSchedule. Defaults to 1. */
  minDomains?: number
  /** Whether nodes outside the pod's node affinity are excluded. Defaults to Honor. */
  nodeAffinityPolicy?: string
  /** Whether nodes with taints that the pod does not tolerate are excluded. Defaults to Ignore. */
  nodeTaintsPolicy?: string
  /** Labels of the incoming pod that counted pods must share; labelSelector must be set. */
  matchLabelKeys?: string[]
}

/** Pods to be near or away from, and the weight of the preference. */
export type WeightedPodAffinityTerm = {
  /** 1 to 100; added to a node's score when the term is met there. */
  weight: number
  /** The term. */
  podAffinityTerm: PodAffinityTerm
}

/** Assigns a pod to a node. */
export type Binding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The node. */
  target: ObjectReference
}

/** Names an object of the same namespace. */
export type LocalObjectReference = {
  /** Name of the object. */
  name?: string
}

/** Selects nodes. */
export type NodeSelector = {
  /** Terms; at least one, and one must match. */
  nodeSelectorTerms?: NodeSelectorTerm[]
}

/** A condition on a label or field of a node. */
export type NodeSelectorRequirement = {
  /** Key of the label, or path of the field. */
  key: string
  /** How the label relates to the values: In, NotIn, Exists, DoesNotExist, Gt or Lt. */
  operator: string
  /** Values to compare with: none for Exists and DoesNotExist, one integer for Gt and Lt. */
  values?: string[]
}

/** Conditions that must all be met; without any, it matches nothing. */
export type NodeSelectorTerm = {
  /** Conditions on labels. */
  matchExpressions?: NodeSelectorRequirement[]
  /** Conditions on fields; metadata.name is the only one. */
  matchFields?: NodeSelectorRequirement[]
}

/** Names an object, or a part of it. New fields use narrower references. */
export type ObjectReference = {
  /** Kind of the object. */
  kind?: string
  /** Namespace of the object. */
  namespace?: string
  /** Name of the object. */
  name?: string
  /** UID of the object. */
  uid?: string
  /** Group version of the object. */
  apiVersion?: string
  /** Resource version of the referenced object. */
  resourceVersion?: string
  /** Referenced part of the object, such as spec.containers{name}. */
  fieldPath?: string
}

/** Names a secret in any namespace. */
export type SecretReference = {
  /** Name of the secret. */
  name?: string
  /** Namespace of the secret. */
  namespace?: string
}

/** A condition on a label of a topology domain. */
export type TopologySelectorLabelRequirement = {
  /** Key of the label. */
  key: string
  /** Values; the label must have one of them. */
  values?: string[]
}

/** Conditions on a topology domain that must all be met. */
export type TopologySelectorTerm = {
  /** The conditions. */
  matchLabelExpressions?: TopologySelectorLabelRequirement[]
}

/** A reference to an object, in a form to be stored as text. */
export type SerializedReference = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The object. */
  reference: ObjectReference
}

/** Conditions on an object before it is changed or deleted. */
export type Preconditions = {
  /** The UID that the object must have. */
  uid?: string
}

/** A list of objects that may be of different kinds. */
export type List = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: JsonValue[]
}

/** How long a client keeps its pod. */
export type ClientIPConfig = {
  /** Seconds that a client keeps its pod, up to 86400. Defaults to 10800. */
  timeoutSeconds?: number
}

/** An address of an endpoint. */
export type EndpointAddress = {
  /** The address. */
  ip: string
  /** Host name of the endpoint. */
  hostname?: string
  /** Node of the endpoint. */
  nodeName?: string
  /** The object of the endpoint, such as a pod. */
  targetRef?: ObjectReference
}

/** A port of an endpoint. */
export type EndpointPort = {
  /** Name of the port, as in the service; may be empty when it is the only one. */
  name?: string
  /** Number of the port. */
  port: number
  /** TCP (the default), UDP or SCTP. */
  protocol?: string
  /** Application protocol, such as kubernetes.io/h2c. */
  appProtocol?: string
}

/** Addresses that serve the same ports. */
export type EndpointSubset = {
  /** Addresses that are ready. */
  addresses?: EndpointAddress[]
  /** Addresses that are not ready. */
  notReadyAddresses?: EndpointAddress[]
  /** The ports. */
  ports?: EndpointPort[]
}

/** Deprecated: addresses that serve a service of the same name; use EndpointSlice. */
export type Endpoints = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** All addresses and ports together. */
  subsets?: EndpointSubset[]
}

/** A list of Endpoints objects. */
export type EndpointsList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Endpoints[]
}

/** An ingress point of a load balancer. */
export type LoadBalancerIngress = {
  /** Its address. */
  ip?: string
  /** Its host name. */
  hostname?: string
  /** VIP (the default) keeps the destination of packets; Proxy rewrites it to a node or pod. */
  ipMode?: string
  /** State of the service's ports there. */
  ports?: PortStatus[]
}

/** State of a load balancer. */
export type LoadBalancerStatus = {
  /** The ingress points. */
  ingress?: LoadBalancerIngress[]
}

/** State of a port of a load balancer. */
export type PortStatus = {
  /** Number of the port. */
  port: number
  /** TCP, UDP or SCTP. */
  protocol: string
  /** Machine-readable problem with the port; unset when there is none. */
  error?: string
}

/** A stable name and address for a set of pods. */
export type Service = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Selector, ports and type of the service. */
  spec: ServiceSpec
  /** State of the load balancer. */
  status: ServiceStatus
}

/** A list of Service objects. */
export type ServiceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Service[]
}

/** A port of a service. */
export type ServicePort = {
  /** Name of the port; required when there are several. */
  name?: string
  /** TCP (the default), UDP or SCTP. */
  protocol?: string
  /** Application protocol, such as kubernetes.io/h2c. */
  appProtocol?: string
  /** Number of the port at the service. */
  port: number
  /** Port of the pods, by number or name. Defaults to port. */
  targetPort: number | string
  /** Port of every node that is forwarded here, for NodePort and LoadBalancer; allocated when 0. */
  nodePort?: number
}

/** Selector, ports and type of a service. */
export type ServiceSpec = {
  /** The ports. */
  ports?: ServicePort[]
  /** Labels of the pods that serve; without it, another client maintains the endpoints. */
  selector?: Record<string, string>
  /** Address of the service: allocated when empty, None for a headless service. */
  clusterIP?: string
  /** Addresses of the service, one of each address family; the first is clusterIP. */
  clusterIPs?: string[]
  /** ClusterIP (the default), NodePort, LoadBalancer or ExternalName. */
  type?: string
  /** Further addresses at which nodes accept traffic for the service. */
  externalIPs?: string[]
  /** ClientIP sends a client to the same pod each time. Defaults to None. */
  sessionAffinity?: string
  /** Deprecated: desired address of the load balancer; not every provider supports it. */
  loadBalancerIP?: string
  /** Blocks of client addresses that the load balancer accepts. */
  loadBalancerSourceRanges?: string[]
  /** Name that the service is an alias of, for ExternalName. */
  externalName?: string
  /** Cluster (the default), or Local to keep outside traffic, and its source address, on the node. */
  externalTrafficPolicy?: string
  /** Port of every node at which load balancers check whether it has pods, for the policy Local. */
  healthCheckNodePort?: number
  /** Also includes pods that are not ready. Defaults to false. */
  publishNotReadyAddresses?: boolean
  /** Settings of sessionAffinity. */
  sessionAffinityConfig?: SessionAffinityConfig
  /** Address families of clusterIPs, in order. */
  ipFamilies?: string[]
  /** SingleStack (the default), PreferDualStack or RequireDualStack. */
  ipFamilyPolicy?: string
  /** Allocates node ports for a LoadBalancer. Defaults to true. */
  allocateLoadBalancerNodePorts?: boolean
  /** Implementation of the load balancer; the provider's default when unset. Cannot be changed. */
  loadBalancerClass?: string
  /** Cluster (the default), or Local to keep internal traffic on the node. */
  internalTrafficPolicy?: string
  /** Which endpoints to prefer: PreferSameZone, PreferSameNode or (older) PreferClose. */
  trafficDistribution?: string
}

/** State of a service. */
export type ServiceStatus = {
  /** State of the load balancer, if there is one. */
  loadBalancer: LoadBalancerStatus
  /** Aspects of the service's state. */
  conditions?: metaV1.Condition[]
}

/** Settings of session affinity. */
export type SessionAffinityConfig = {
  /** Settings of affinity by client address. */
  clientIP?: ClientIPConfig
}

/** Internal: the allocated values of a range. */
export type RangeAllocation = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The range, as text. */
  range: string
  /** A bit for each allocated value. */
  data?: string
}

/** A disk of AWS EBS. */
export type AWSElasticBlockStoreVolumeSource = {
  /** Identifier of the disk. */
  volumeID: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Number of the partition to mount; 0 is the whole disk. */
  partition?: number
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** A data disk of Azure. */
export type AzureDiskVolumeSource = {
  /** Name of the disk. */
  diskName: string
  /** URI of the disk. */
  diskURI: string
  /** How the host caches the disk. */
  cachingMode?: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Managed, Dedicated for a separate storage account, or Shared (the default). */
  kind?: string
}

/** A file share of Azure. */
export type AzureFilePersistentVolumeSource = {
  /** Secret with the name and key of the storage account. */
  secretName: string
  /** Name of the share. */
  shareName: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Namespace of the secret; that of the claim when unset. */
  secretNamespace?: string
}

/** A file share of Azure. */
export type AzureFileVolumeSource = {
  /** Secret with the name and key of the storage account. */
  secretName: string
  /** Name of the share. */
  shareName: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** The CSI driver attaches, stages and mounts it. */
export type CSIPersistentVolumeSource = {
  /** Name of the driver. */
  driver: string
  /** The driver's identifier of the volume. Cannot be changed. */
  volumeHandle: string
  /** Publishes the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Attributes of the volume, for the driver. */
  volumeAttributes?: Record<string, string>
  /** Secret for the driver's calls to attach and detach the volume. */
  controllerPublishSecretRef?: SecretReference
  /** Secret for the driver's call to stage the volume on a node. */
  nodeStageSecretRef?: SecretReference
  /** Secret for the driver's call to mount the volume for a pod. */
  nodePublishSecretRef?: SecretReference
  /** Secret for the driver's call to enlarge the volume. */
  controllerExpandSecretRef?: SecretReference
  /** Secret for the driver's call to enlarge the filesystem on a node. */
  nodeExpandSecretRef?: SecretReference
}

/** The driver must support the lifecycle Ephemeral. */
export type CSIVolumeSource = {
  /** Name of the driver. */
  driver: string
  /** Publishes the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Settings of the volume, for the driver. */
  volumeAttributes?: Record<string, string>
  /** Secret of the pod's namespace for the driver's call to mount the volume. */
  nodePublishSecretRef?: LocalObjectReference
}

/** A directory of a Ceph filesystem. */
export type CephFSPersistentVolumeSource = {
  /** Addresses of the Ceph monitors. */
  monitors?: string[]
  /** Directory to mount. Defaults to /. */
  path?: string
  /** User to log in as. Defaults to admin. */
  user?: string
  /** File on the host with the key ring. Defaults to /etc/ceph/user.secret. */
  secretFile?: string
  /** Secret with the key; has precedence over secretFile. */
  secretRef?: SecretReference
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** A directory of a Ceph filesystem. */
export type CephFSVolumeSource = {
  /** Addresses of the Ceph monitors. */
  monitors?: string[]
  /** Directory to mount. Defaults to /. */
  path?: string
  /** User to log in as. Defaults to admin. */
  user?: string
  /** File on the host with the key ring. Defaults to /etc/ceph/user.secret. */
  secretFile?: string
  /** Secret with the key; has precedence over secretFile. */
  secretRef?: LocalObjectReference
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** A volume of OpenStack Cinder. */
export type CinderPersistentVolumeSource = {
  /** Identifier of the volume. */
  volumeID: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Secret with the parameters to connect to OpenStack. */
  secretRef?: SecretReference
}

/** A volume of OpenStack Cinder. */
export type CinderVolumeSource = {
  /** Identifier of the volume. */
  volumeID: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Secret with the parameters to connect to OpenStack. */
  secretRef?: LocalObjectReference
}

/** Certificates of trust anchors as one PEM file. */
export type ClusterTrustBundleProjection = {
  /** Takes one bundle by name; excludes signerName and labelSelector. */
  name?: string
  /** Takes all bundles of this signer that labelSelector matches. */
  signerName?: string
  /** Narrows the bundles of signerName: none when unset, all when empty. */
  labelSelector?: metaV1.LabelSelector
  /** The pod starts even if no bundle is found. */
  optional?: boolean
  /** File to write to, relative to the volume. */
  path: string
}

/** The files follow changes of the config map after a while. */
export type ConfigMapProjection = {
  /** Name of the object. */
  name?: string
  /** Which entries become which files; all of them under their keys when empty. */
  items?: KeyToPath[]
  /** The config map or its keys may be missing. */
  optional?: boolean
}

/** The files follow changes of the config map after a while. */
export type ConfigMapVolumeSource = {
  /** Name of the object. */
  name?: string
  /** Which entries become which files; all of them under their keys when empty. */
  items?: KeyToPath[]
  /** Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers. */
  defaultMode?: number
  /** The config map or its keys may be missing. */
  optional?: boolean
}

/** The files follow changes of the pod after a while. */
export type DownwardAPIProjection = {
  /** One entry a file. */
  items?: DownwardAPIVolumeFile[]
}

/** A file that holds a field of the pod or a resource of a container. */
export type DownwardAPIVolumeFile = {
  /** File to write to, relative to the volume; without .. in it. */
  path: string
  /** Field of the pod: name, namespace, UID, labels or annotations. */
  fieldRef?: ObjectFieldSelector
  /** Resource limit or request of a container. */
  resourceFieldRef?: ResourceFieldSelector
  /** Permission bits of the file, 0 to 0777; the volume's defaultMode when unset. */
  mode?: number
}

/** The files follow changes of labels and annotations after a while. */
export type DownwardAPIVolumeSource = {
  /** One entry a file. */
  items?: DownwardAPIVolumeFile[]
  /** Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers. */
  defaultMode?: number
}

/** All containers of the pod can share it; it survives their restarts. */
export type EmptyDirVolumeSource = {
  /** Storage medium: "" is the node's disk, Memory is RAM. */
  medium?: string
  /** Maximum size; in memory also limited by the memory limits of the containers. */
  sizeLimit?: string
}

/** The pod owns the claim, which is deleted with it. */
export type EphemeralVolumeSource = {
  /** Template of the claim; its name is that of the pod, a dash and that of the volume. */
  volumeClaimTemplate?: PersistentVolumeClaimTemplate
}

/** The node mounts the disk; only one may write. */
export type FCVolumeSource = {
  /** World wide names of the targets; together with lun, instead of wwids. */
  targetWWNs?: string[]
  /** Number of the logical unit at the targets. */
  lun?: number
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** World wide identifiers of the volume; instead of targetWWNs and lun. */
  wwids?: string[]
}

/** A volume of a driver that is an executable on the node. */
export type FlexPersistentVolumeSource = {
  /** Name of the driver. */
  driver: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Secret that is passed to the driver. */
  secretRef?: SecretReference
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Further options for the driver. */
  options?: Record<string, string>
}

/** A volume of a driver that is an executable on the node. */
export type FlexVolumeSource = {
  /** Name of the driver. */
  driver: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Secret that is passed to the driver. */
  secretRef?: LocalObjectReference
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Further options for the driver. */
  options?: Record<string, string>
}

/** A dataset of Flocker; exactly one of the fields is set. */
export type FlockerVolumeSource = {
  /** Deprecated: name of the dataset, kept as metadata. */
  datasetName?: string
  /** Identifier of the dataset. */
  datasetUUID?: string
}

/** A persistent disk of Google Compute Engine. */
export type GCEPersistentDiskVolumeSource = {
  /** Name of the disk. */
  pdName: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Number of the partition to mount; 0 is the whole disk. */
  partition?: number
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** Deprecated: git on the node clones the repository when the pod starts. */
export type GitRepoVolumeSource = {
  /** URL of the repository. */
  repository: string
  /** Commit to check out. */
  revision?: string
  /** Directory to clone into, without ..; . makes the volume itself the clone. */
  directory?: string
}

/** A volume of GlusterFS. */
export type GlusterfsPersistentVolumeSource = {
  /** Name of the Endpoints object that has the servers. */
  endpoints: string
  /** Name of the volume. */
  path: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Namespace of the endpoints; that of the claim when unset. */
  endpointsNamespace?: string
}

/** A volume of GlusterFS. */
export type GlusterfsVolumeSource = {
  /** Name of the Endpoints object that has the servers. */
  endpoints: string
  /** Name of the volume. */
  path: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** A file or directory of the node itself. */
export type HostPathVolumeSource = {
  /** Path on the node. */
  path: string
  /** Type of the file at the path, or how it is created there; "" checks nothing. */
  type?: string
}

/** The node logs in to the target and mounts the disk; only one may write. */
export type ISCSIPersistentVolumeSource = {
  /** Address of the target, with its port unless that is 860 or 3260. */
  targetPortal: string
  /** Qualified name of the target. */
  iqn: string
  /** Number of the logical unit. */
  lun: number
  /** Interface that the initiator uses. Defaults to default. */
  iscsiInterface?: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Further addresses of the target, for multiple paths. */
  portals?: string[]
  /** Discovery authenticates by CHAP. */
  chapAuthDiscovery?: boolean
  /** The session authenticates by CHAP. */
  chapAuthSession?: boolean
  /** Secret with the CHAP credentials. */
  secretRef?: SecretReference
  /** Qualified name of the initiator, for a separate interface for this volume. */
  initiatorName?: string
}

/** The node logs in to the target and mounts the disk; only one may write. */
export type ISCSIVolumeSource = {
  /** Address of the target, with its port unless that is 860 or 3260. */
  targetPortal: string
  /** Qualified name of the target. */
  iqn: string
  /** Number of the logical unit. */
  lun: number
  /** Interface that the initiator uses. Defaults to default. */
  iscsiInterface?: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Further addresses of the target, for multiple paths. */
  portals?: string[]
  /** Discovery authenticates by CHAP. */
  chapAuthDiscovery?: boolean
  /** The session authenticates by CHAP. */
  chapAuthSession?: boolean
  /** Secret with the CHAP credentials. */
  secretRef?: LocalObjectReference
  /** Qualified name of the initiator, for a separate interface for this volume. */
  initiatorName?: string
}

/** Pulled like the images of containers, when the pod starts. */
export type ImageVolumeSource = {
  /** The image or artifact, as in a container. */
  reference?: string
  /** When to pull. Defaults to Always for the tag latest, to IfNotPresent otherwise. */
  pullPolicy?: string
}

/** An entry and its file. */
export type KeyToPath = {
  /** Key of the entry. */
  key: string
  /** File to write to, relative to the volume; without .. in it. */
  path: string
  /** Permission bits of the file, 0 to 0777; the volume's defaultMode when unset. */
  mode?: number
}

/** Such a volume must have node affinity. */
export type LocalVolumeSource = {
  /** Directory, or block device, on the node. */
  path: string
  /** Filesystem to mount from a block device; detected when unset. */
  fsType?: string
}

/** State of a change to another attributes class. */
export type ModifyVolumeStatus = {
  /** The desired class. */
  targetVolumeAttributesClassName?: string
  /** Pending while something is missing, InProgress, or Infeasible when the driver refuses. */
  status: string
}

/** The export must exist already. */
export type NFSVolumeSource = {
  /** Host name or address of the server. */
  server: string
  /** Directory that the server exports. */
  path: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** A piece of storage of the cluster, which outlives the pods that use it. */
export type PersistentVolume = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Storage, and how it can be used. */
  spec: PersistentVolumeSpec
  /** Whether the volume is free, bound or released. */
  status: PersistentVolumeStatus
}

/** Requests storage, and is bound to a matching or new volume. */
export type PersistentVolumeClaim = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Properties of the requested certificate. */
  spec: PersistentVolumeClaimSpec
  /** State of the claim. */
  status: PersistentVolumeClaimStatus
}

/** One aspect of a claim, such as Resizing while its volume grows. */
export type PersistentVolumeClaimCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the condition was last checked. */
  lastProbeTime?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of PersistentVolumeClaim objects. */
export type PersistentVolumeClaimList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PersistentVolumeClaim[]
}

/** Immutable, except for the size, the attributes class and fields that binding sets. */
export type PersistentVolumeClaimSpec = {
  /** Required access modes of the volume. */
  accessModes?: string[]
  /** Considers only volumes with matching labels. */
  selector?: metaV1.LabelSelector
  /** Minimum storage of the volume; may be raised when the class allows expansion. */
  resources: VolumeResourceRequirements
  /** The volume that the claim is bound to. */
  volumeName?: string
  /** Class of the storage: "" is none, unset is the default class. */
  storageClassName?: string
  /** Filesystem (the default) or Block, for a raw device. */
  volumeMode?: string
  /** Snapshot or claim that the new volume is filled from; equal to dataSourceRef unless that has a namespace. */
  dataSource?: TypedLocalObjectReference
  /** Object that the new volume is filled from: a claim, or an object outside core with a populator. */
  dataSourceRef?: TypedObjectReference
  /** Attributes class of the volume; may be changed, which changes the volume. */
  volumeAttributesClassName?: string
}

/** State of a claim. */
export type PersistentVolumeClaimStatus = {
  /** Pending, Bound, or Lost when the bound volume does not exist. */
  phase?: string
  /** Access modes of the bound volume. */
  accessModes?: string[]
  /** Actual resources of the bound volume. */
  capacity?: Record<string, string>
  /** Aspects of the claim, such as that its volume is being resized. */
  conditions?: PersistentVolumeClaimCondition[]
  /** Resources reserved for the claim, which may exceed capacity during an expansion. */
  allocatedResources?: Record<string, string>
  /** Progress of the expansion of each resource; without an entry there is none. */
  allocatedResourceStatuses?: Record<string, string>
  /** Attributes class that the volume has now. */
  currentVolumeAttributesClassName?: string
  /** Progress of a change of the attributes class; unset when there was none. */
  modifyVolumeStatus?: ModifyVolumeStatus
}

/** A template of a claim. */
export type PersistentVolumeClaimTemplate = {
  /** Labels and annotations of the claim; nothing else is allowed. */
  metadata: metaV1.ObjectMeta
  /** Requested storage of the claim. */
  spec: PersistentVolumeClaimSpec
}

/** The pod waits until the claim is bound. */
export type PersistentVolumeClaimVolumeSource = {
  /** Name of the claim. */
  claimName: string
  /** Mounts the volume read-only everywhere in the pod. Defaults to false. */
  readOnly?: boolean
}

/** A list of PersistentVolume objects. */
export type PersistentVolumeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PersistentVolume[]
}

/** Storage of a persistent volume; exactly one of the fields is set. */
export type PersistentVolumeSource = {
  /** Deprecated: a disk of Google Compute Engine, served by its CSI driver. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  /** Deprecated: a disk of AWS EBS, served by its CSI driver. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  /** A path of the node itself; for tests on a single node. */
  hostPath?: HostPathVolumeSource
  /** Deprecated: a volume of GlusterFS. No longer supported. */
  glusterfs?: GlusterfsPersistentVolumeSource
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource
  /** Deprecated: an image of a Ceph block device. No longer supported. */
  rbd?: RBDPersistentVolumeSource
  /** A volume of an iSCSI target. */
  iscsi?: ISCSIPersistentVolumeSource
  /** Deprecated: a volume of OpenStack Cinder, served by its CSI driver. */
  cinder?: CinderPersistentVolumeSource
  /** Deprecated: a directory of a Ceph filesystem. No longer supported. */
  cephfs?: CephFSPersistentVolumeSource
  /** A Fibre Channel volume. */
  fc?: FCVolumeSource
  /** Deprecated: a dataset of Flocker. No longer supported. */
  flocker?: FlockerVolumeSource
  /** Deprecated: a volume of an executable driver; use a CSI driver. */
  flexVolume?: FlexPersistentVolumeSource
  /** Deprecated: a file share of Azure, served by its CSI driver. */
  azureFile?: AzureFilePersistentVolumeSource
  /** Deprecated: a virtual disk of vSphere, served by its CSI driver. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  /** Deprecated: a volume of Quobyte. No longer supported. */
  quobyte?: QuobyteVolumeSource
  /** Deprecated: a data disk of Azure, served by its CSI driver. */
  azureDisk?: AzureDiskVolumeSource
  /** Deprecated: a disk of Photon Controller. No longer supported. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  /** Deprecated: a volume of Portworx, served by its CSI driver. */
  portworxVolume?: PortworxVolumeSource
  /** Deprecated: a volume of ScaleIO. No longer supported. */
  scaleIO?: ScaleIOPersistentVolumeSource
  /** A disk, partition or directory of one node. */
  local?: LocalVolumeSource
  /** Deprecated: a volume of StorageOS. No longer supported. */
  storageos?: StorageOSPersistentVolumeSource
  /** A volume of an external storage driver. */
  csi?: CSIPersistentVolumeSource
}

/** Created by people, or by the provisioner of a storage class. */
export type PersistentVolumeSpec = {
  /** Resources of the volume, above all storage. */
  capacity?: Record<string, string>
  /** Deprecated: a disk of Google Compute Engine, served by its CSI driver. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  /** Deprecated: a disk of AWS EBS, served by its CSI driver. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  /** A path of the node itself; for tests on a single node. */
  hostPath?: HostPathVolumeSource
  /** Deprecated: a volume of GlusterFS. No longer supported. */
  glusterfs?: GlusterfsPersistentVolumeSource
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource
  /** Deprecated: an image of a Ceph block device. No longer supported. */
  rbd?: RBDPersistentVolumeSource
  /** A volume of an iSCSI target. */
  iscsi?: ISCSIPersistentVolumeSource
  /** Deprecated: a volume of OpenStack Cinder, served by its CSI driver. */
  cinder?: CinderPersistentVolumeSource
  /** Deprecated: a directory of a Ceph filesystem. No longer supported. */
  cephfs?: CephFSPersistentVolumeSource
  /** A Fibre Channel volume. */
  fc?: FCVolumeSource
  /** Deprecated: a dataset of Flocker. No longer supported. */
  flocker?: FlockerVolumeSource
  /** Deprecated: a volume of an executable driver; use a CSI driver. */
  flexVolume?: FlexPersistentVolumeSource
  /** Deprecated: a file share of Azure, served by its CSI driver. */
  azureFile?: AzureFilePersistentVolumeSource
  /** Deprecated: a virtual disk of vSphere, served by its CSI driver. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  /** Deprecated: a volume of Quobyte. No longer supported. */
  quobyte?: QuobyteVolumeSource
  /** Deprecated: a data disk of Azure, served by its CSI driver. */
  azureDisk?: AzureDiskVolumeSource
  /** Deprecated: a disk of Photon Controller. No longer supported. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  /** Deprecated: a volume of Portworx, served by its CSI driver. */
  portworxVolume?: PortworxVolumeSource
  /** Deprecated: a volume of ScaleIO. No longer supported. */
  scaleIO?: ScaleIOPersistentVolumeSource
  /** A disk, partition or directory of one node. */
  local?: LocalVolumeSource
  /** Deprecated: a volume of StorageOS. No longer supported. */
  storageos?: StorageOSPersistentVolumeSource
  /** A volume of an external storage driver. */
  csi?: CSIPersistentVolumeSource
  /** Access modes of the volume. */
  accessModes?: string[]
  /** The claim that the volume is bound to or reserved for; the claim's volumeName confirms it. */
  claimRef?: ObjectReference
  /** When its claim is deleted: Retain, Delete or (deprecated) Recycle. Defaults to Retain for volumes made by hand. */
  persistentVolumeReclaimPolicy?: string
  /** Class of the volume; empty is none. */
  storageClassName?: string
  /** Mount options; not checked, and a wrong one makes mounting fail. */
  mountOptions?: string[]
  /** Filesystem (the default) or Block, for a raw device. */
  volumeMode?: string
  /** Nodes that can access the volume; pods that use it are scheduled there. */
  nodeAffinity?: VolumeNodeAffinity
  /** Attributes class of the volume; unset is none, and it cannot be empty. */
  volumeAttributesClassName?: string
}

/** State of a volume. */
export type PersistentVolumeStatus = {
  /** Available, Bound to a claim, Released by it, or Failed to be reclaimed. */
  phase?: string
  /** Details of the phase, for people. */
  message?: string
  /** Machine-readable cause of a failure, in CamelCase. */
  reason?: string
  /** When the phase last changed. */
  lastPhaseTransitionTime?: string
}

/** A persistent disk of Photon Controller. */
export type PhotonPersistentDiskVolumeSource = {
  /** Identifier of the disk. */
  pdID: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
}

/** A private key, made on the node, and a certificate for it as files; both are renewed before they expire. */
export type PodCertificateProjection = {
  /** Signer of the certificate. */
  signerName?: string
  /** Kind of key, such as ECDSAP256, ED25519 or RSA3072. */
  keyType?: string
  /** Longest validity of the certificate, in seconds. */
  maxExpirationSeconds?: number
  /** File for the key followed by the certificate chain, in PEM. */
  credentialBundlePath?: string
  /** File for the key alone; a bundle is easier to read consistently. */
  keyPath?: string
  /** File for the certificate chain alone; a bundle is easier to read consistently. */
  certificateChainPath?: string
  /** Further data for the signer, which must check it. */
  userAnnotations?: Record<string, string>
}

/** A volume of Portworx. */
export type PortworxVolumeSource = {
  /** Identifier of the volume. */
  volumeID: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** Later sources must not write the files of earlier ones. */
export type ProjectedVolumeSource = {
  /** The sources. */
  sources?: VolumeProjection[]
  /** Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers. */
  defaultMode?: number
}

/** A volume of Quobyte. */
export type QuobyteVolumeSource = {
  /** Addresses of the registries as host:port, separated by commas. */
  registry: string
  /** Name of the volume. */
  volume: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** User to access the volume as. Defaults to the user of the service account. */
  user?: string
  /** Group to access the volume as. Defaults to none. */
  group?: string
  /** Tenant that owns the volume; set by the plugin when it is provisioned. */
  tenant?: string
}

/** The image must exist already. */
export type RBDPersistentVolumeSource = {
  /** Addresses of the Ceph monitors. */
  monitors?: string[]
  /** Name of the image. */
  image: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Pool of the image. Defaults to rbd. */
  pool?: string
  /** User to log in as. Defaults to admin. */
  user?: string
  /** File with the key ring of the user. Defaults to /etc/ceph/keyring. */
  keyring?: string
  /** Secret with the key; has precedence over keyring. */
  secretRef?: SecretReference
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** The image must exist already. */
export type RBDVolumeSource = {
  /** Addresses of the Ceph monitors. */
  monitors?: string[]
  /** Name of the image. */
  image: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Pool of the image. Defaults to rbd. */
  pool?: string
  /** User to log in as. Defaults to admin. */
  user?: string
  /** File with the key ring of the user. Defaults to /etc/ceph/keyring. */
  keyring?: string
  /** Secret with the key; has precedence over keyring. */
  secretRef?: LocalObjectReference
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** A volume of ScaleIO. */
export type ScaleIOPersistentVolumeSource = {
  /** Address of the gateway to the API. */
  gateway: string
  /** Name of the storage system. */
  system: string
  /** Secret with the user and password. */
  secretRef?: SecretReference
  /** Uses TLS to the gateway. Defaults to false. */
  sslEnabled?: boolean
  /** Protection domain of the storage. */
  protectionDomain?: string
  /** Pool in the protection domain. */
  storagePool?: string
  /** ThickProvisioned or ThinProvisioned, the default. */
  storageMode?: string
  /** Name of a volume that exists. */
  volumeName?: string
  /** Filesystem to mount. Defaults to xfs. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** A volume of ScaleIO. */
export type ScaleIOVolumeSource = {
  /** Address of the gateway to the API. */
  gateway: string
  /** Name of the storage system. */
  system: string
  /** Secret with the user and password. */
  secretRef?: LocalObjectReference
  /** Uses TLS to the gateway. Defaults to false. */
  sslEnabled?: boolean
  /** Protection domain of the storage. */
  protectionDomain?: string
  /** Pool in the protection domain. */
  storagePool?: string
  /** ThickProvisioned or ThinProvisioned, the default. */
  storageMode?: string
  /** Name of a volume that exists. */
  volumeName?: string
  /** Filesystem to mount. Defaults to xfs. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
}

/** The files follow changes of the secret after a while. */
export type SecretProjection = {
  /** Name of the object. */
  name?: string
  /** Which entries become which files; all of them under their keys when empty. */
  items?: KeyToPath[]
  /** The secret or its keys may be missing. */
  optional?: boolean
}

/** The files are kept in memory and follow changes of the secret after a while. */
export type SecretVolumeSource = {
  /** Name of the secret, in the pod's namespace. */
  secretName?: string
  /** Which entries become which files; all of them under their keys when empty. */
  items?: KeyToPath[]
  /** Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers. */
  defaultMode?: number
  /** The secret or its keys may be missing. */
  optional?: boolean
}

/** A token of the pod's service account as a file, renewed before it expires. */
export type ServiceAccountTokenProjection = {
  /** Audience of the token. Defaults to the API server. */
  audience?: string
  /** Seconds that a token is valid, at least 600. Defaults to an hour. */
  expirationSeconds?: number
  /** File to write to, relative to the volume. */
  path: string
}

/** A volume of StorageOS. */
export type StorageOSPersistentVolumeSource = {
  /** Name of the volume. */
  volumeName?: string
  /** Namespace of the volume within StorageOS; that of the pod when empty. */
  volumeNamespace?: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Secret with the credentials for the API. */
  secretRef?: ObjectReference
}

/** A volume of StorageOS. */
export type StorageOSVolumeSource = {
  /** Name of the volume. */
  volumeName?: string
  /** Namespace of the volume within StorageOS; that of the pod when empty. */
  volumeNamespace?: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Secret with the credentials for the API. */
  secretRef?: LocalObjectReference
}

/** Names an object of any kind in the same namespace. */
export type TypedLocalObjectReference = {
  /** API group of the object; unset is core. */
  apiGroup?: string
  /** Kind of the object. */
  kind: string
  /** Name of the object. */
  name: string
}

/** Names an object of any kind, also in another namespace. */
export type TypedObjectReference = {
  /** API group of the object; unset is core. */
  apiGroup?: string
  /** Kind of the object. */
  kind: string
  /** Name of the object. */
  name: string
  /** Namespace of the object; there, a ReferenceGrant must allow it. Unset is the same namespace. */
  namespace?: string
}

/** A directory, or device, that containers of the pod can use. */
export type Volume = {
  /** Name to refer to the volume by, unique in the pod. */
  name: string
  /** A path of the node itself; the pod can then read, and may harm, the host. */
  hostPath?: HostPathVolumeSource
  /** An empty directory that lives as long as the pod. */
  emptyDir?: EmptyDirVolumeSource
  /** Deprecated: a disk of Google Compute Engine, served by its CSI driver. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  /** Deprecated: a disk of AWS EBS, served by its CSI driver. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  /** Deprecated: a clone of a git repository; clone in an init container instead. */
  gitRepo?: GitRepoVolumeSource
  /** Entries of a secret as files. */
  secret?: SecretVolumeSource
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource
  /** A volume of an iSCSI target. */
  iscsi?: ISCSIVolumeSource
  /** Deprecated: a volume of GlusterFS. No longer supported. */
  glusterfs?: GlusterfsVolumeSource
  /** The volume of a claim in the pod's namespace. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  /** Deprecated: an image of a Ceph block device. No longer supported. */
  rbd?: RBDVolumeSource
  /** Deprecated: a volume of an executable driver; use a CSI driver. */
  flexVolume?: FlexVolumeSource
  /** Deprecated: a volume of OpenStack Cinder, served by its CSI driver. */
  cinder?: CinderVolumeSource
  /** Deprecated: a directory of a Ceph filesystem. No longer supported. */
  cephfs?: CephFSVolumeSource
  /** Deprecated: a dataset of Flocker. No longer supported. */
  flocker?: FlockerVolumeSource
  /** Fields of the pod as files. */
  downwardAPI?: DownwardAPIVolumeSource
  /** A Fibre Channel volume. */
  fc?: FCVolumeSource
  /** Deprecated: a file share of Azure, served by its CSI driver. */
  azureFile?: AzureFileVolumeSource
  /** Entries of a config map as files. */
  configMap?: ConfigMapVolumeSource
  /** Deprecated: a virtual disk of vSphere, served by its CSI driver. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  /** Deprecated: a volume of Quobyte. No longer supported. */
  quobyte?: QuobyteVolumeSource
  /** Deprecated: a data disk of Azure, served by its CSI driver. */
  azureDisk?: AzureDiskVolumeSource
  /** Deprecated: a disk of Photon Controller. No longer supported. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  /** Files from several sources in one directory. */
  projected?: ProjectedVolumeSource
  /** Deprecated: a volume of Portworx, served by its CSI driver. */
  portworxVolume?: PortworxVolumeSource
  /** Deprecated: a volume of ScaleIO. No longer supported. */
  scaleIO?: ScaleIOVolumeSource
  /** Deprecated: a volume of StorageOS. No longer supported. */
  storageos?: StorageOSVolumeSource
  /** A volume that a CSI driver creates for the pod. */
  csi?: CSIVolumeSource
  /** A claim that is made for the pod and deleted with it. */
  ephemeral?: EphemeralVolumeSource
  /** The files of a container image or artifact, read-only. */
  image?: ImageVolumeSource
}

/** Makes a raw block volume available in a container. */
export type VolumeDevice = {
  /** Name of the pod's volume, which is a claim's. */
  name: string
  /** Path of the device in the container. */
  devicePath: string
}

/** Mounts a volume in a container. */
export type VolumeMount = {
  /** Name of the pod's volume. */
  name: string
  /** Mounts the volume read-only. Defaults to false. */
  readOnly?: boolean
  /** Whether mounts below a read-only one are read-only, too: Disabled, IfPossible or Enabled. */
  recursiveReadOnly?: string
  /** Path in the container; without : in it. */
  mountPath: string
  /** Path in the volume to mount instead of its root. */
  subPath?: string
  /** Whether mounts made on one side appear on the other. Defaults to None. */
  mountPropagation?: string
  /** As subPath, with $(NAME) replaced by the container's variables; excludes subPath. */
  subPathExpr?: string
}

/** How a volume is mounted in a container. */
export type VolumeMountStatus = {
  /** Name of the mount. */
  name: string
  /** Path in the container. */
  mountPath: string
  /** Whether the mount is read-only. */
  readOnly?: boolean
  /** Actual mode of mounts below: Disabled or Enabled. */
  recursiveReadOnly?: string
  /** Further state, by kind of volume. */
  volumeStatus?: VolumeStatus
}

/** Pods that use the volume are scheduled only there. */
export type VolumeNodeAffinity = {
  /** Conditions that a node must meet. */
  required?: NodeSelector
}

/** One source of a projected volume; exactly one of the fields is set. */
export type VolumeProjection = {
  /** Entries of a secret. */
  secret?: SecretProjection
  /** Fields of the pod. */
  downwardAPI?: DownwardAPIProjection
  /** Entries of a config map. */
  configMap?: ConfigMapProjection
  /** A token of the pod's service account. */
  serviceAccountToken?: ServiceAccountTokenProjection
  /** Certificates of trust anchors. */
  clusterTrustBundle?: ClusterTrustBundleProjection
  /** A key and a certificate for the pod. */
  podCertificate?: PodCertificateProjection
}

/** Requested storage of a claim. */
export type VolumeResourceRequirements = {
  /** Maximum of each resource of the volume. */
  limits?: Record<string, string>
  /** Minimum of each resource of the volume. */
  requests?: Record<string, string>
}

/** Source of a pod's volume; exactly one of the fields is set, else emptyDir. */
export type VolumeSource = {
  /** A path of the node itself; the pod can then read, and may harm, the host. */
  hostPath?: HostPathVolumeSource
  /** An empty directory that lives as long as the pod. */
  emptyDir?: EmptyDirVolumeSource
  /** Deprecated: a disk of Google Compute Engine, served by its CSI driver. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  /** Deprecated: a disk of AWS EBS, served by its CSI driver. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  /** Deprecated: a clone of a git repository; clone in an init container instead. */
  gitRepo?: GitRepoVolumeSource
  /** Entries of a secret as files. */
  secret?: SecretVolumeSource
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource
  /** A volume of an iSCSI target. */
  iscsi?: ISCSIVolumeSource
  /** Deprecated: a volume of GlusterFS. No longer supported. */
  glusterfs?: GlusterfsVolumeSource
  /** The volume of a claim in the pod's namespace. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  /** Deprecated: an image of a Ceph block device. No longer supported. */
  rbd?: RBDVolumeSource
  /** Deprecated: a volume of an executable driver; use a CSI driver. */
  flexVolume?: FlexVolumeSource
  /** Deprecated: a volume of OpenStack Cinder, served by its CSI driver. */
  cinder?: CinderVolumeSource
  /** Deprecated: a directory of a Ceph filesystem. No longer supported. */
  cephfs?: CephFSVolumeSource
  /** Deprecated: a dataset of Flocker. No longer supported. */
  flocker?: FlockerVolumeSource
  /** Fields of the pod as files. */
  downwardAPI?: DownwardAPIVolumeSource
  /** A Fibre Channel volume. */
  fc?: FCVolumeSource
  /** Deprecated: a file share of Azure, served by its CSI driver. */
  azureFile?: AzureFileVolumeSource
  /** Entries of a config map as files. */
  configMap?: ConfigMapVolumeSource
  /** Deprecated: a virtual disk of vSphere, served by its CSI driver. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource
  /** Deprecated: a volume of Quobyte. No longer supported. */
  quobyte?: QuobyteVolumeSource
  /** Deprecated: a data disk of Azure, served by its CSI driver. */
  azureDisk?: AzureDiskVolumeSource
  /** Deprecated: a disk of Photon Controller. No longer supported. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  /** Files from several sources in one directory. */
  projected?: ProjectedVolumeSource
  /** Deprecated: a volume of Portworx, served by its CSI driver. */
  portworxVolume?: PortworxVolumeSource
  /** Deprecated: a volume of ScaleIO. No longer supported. */
  scaleIO?: ScaleIOVolumeSource
  /** Deprecated: a volume of StorageOS. No longer supported. */
  storageos?: StorageOSVolumeSource
  /** A volume that a CSI driver creates for the pod. */
  csi?: CSIVolumeSource
  /** A claim that is made for the pod and deleted with it. */
  ephemeral?: EphemeralVolumeSource
  /** The files of a container image or artifact, read-only. */
  image?: ImageVolumeSource
}

/** Its fields depend on the kind of volume. */
export type VolumeStatus = {
  /** State of an image volume. */
  image?: ImageVolumeStatus
}

/** A virtual disk of vSphere. */
export type VsphereVirtualDiskVolumeSource = {
  /** Path of the disk. */
  volumePath: string
  /** Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty. */
  fsType?: string
  /** Name of the storage policy. */
  storagePolicyName?: string
  /** Identifier of the policy that storagePolicyName names. */
  storagePolicyID?: string
}

import type { TypeTable } from '../../../lib/schema/index.ts'

/** Pods, their bindings to nodes, templates and replication controllers. */
export const podTypes: Readonly<Record<string, TypeTable>> = {
  Affinity: {
    doc: 'Placement by the labels of nodes, and by pods that run there already.',
    fields: {
      nodeAffinity: { n: 1, type: '*NodeAffinity', doc: 'Nodes to run on, by their labels.' },
      podAffinity: { n: 2, type: '*PodAffinity', doc: 'Pods to be near.' },
      podAntiAffinity: { n: 3, type: '*PodAntiAffinity', doc: 'Pods to be away from.' },
    },
  },
  HostAlias: {
    doc: 'Names for an address in the hosts file of a pod.',
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'The address.' },
      hostnames: { n: 2, type: '[]string', list: 'atomic', doc: 'The names.' },
    },
  },
  HostIP: {
    doc: 'An address of the node that a pod runs on.',
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'The address.' },
    },
  },
  ImageVolumeStatus: {
    doc: 'Identifies the image behind a tag.',
    fields: {
      imageRef: { n: 1, type: 'string', required: true, doc: 'Digest of the image that is mounted.' },
    },
  },
  NodeAffinity: {
    doc: 'Evaluated when the pod is scheduled; later changes of labels evict nothing.',
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: { n: 1, type: '*NodeSelector', doc: 'Terms for nodes; the pod is only scheduled to a node that matches.' },
      preferredDuringSchedulingIgnoredDuringExecution: { n: 2, type: '[]PreferredSchedulingTerm', list: 'atomic', doc: 'Preferred terms for nodes; the weights of matching terms are added up.' },
    },
  },
  Pod: {
    doc: 'One or more containers that run together on a node and share its network identity and volumes.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'PodSpec', doc: 'Containers of the pod and their settings.' },
      status: { n: 3, type: 'PodStatus', doc: 'State of the pod; may be out of date.' },
    },
  },
  PodAffinity: {
    doc: 'Pods to be near; evaluated only when the pod is scheduled.',
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: { n: 1, type: '[]PodAffinityTerm', list: 'atomic', doc: 'Terms that must all be met; otherwise the pod is not scheduled there.' },
      preferredDuringSchedulingIgnoredDuringExecution: { n: 2, type: '[]WeightedPodAffinityTerm', list: 'atomic', doc: 'Terms that should be met; the weights of those met are added up.' },
    },
  },
  PodAffinityTerm: {
    doc: 'Selects pods, and defines what counts as near.',
    fields: {
      labelSelector: { n: 1, type: '*meta/v1.LabelSelector', doc: 'Selects the pods by label; none when unset.' },
      namespaces: { n: 2, type: '[]string', list: 'atomic', doc: "Namespaces of the pods, in addition to those of namespaceSelector; the pod's own when both are unset." },
      topologyKey: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Node label; nodes with the same value are one domain. Required.' },
      namespaceSelector: { n: 4, type: '*meta/v1.LabelSelector', doc: 'Selects namespaces by label; an empty one selects all.' },
      matchLabelKeys: { n: 5, type: '[]string', list: 'atomic', doc: 'Labels of the incoming pod that the pods must share.' },
      mismatchLabelKeys: { n: 6, type: '[]string', list: 'atomic', doc: 'Labels of the incoming pod that the pods must not share.' },
    },
  },
  PodAntiAffinity: {
    doc: 'Pods to be away from; evaluated only when the pod is scheduled.',
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: { n: 1, type: '[]PodAffinityTerm', list: 'atomic', doc: 'Terms of which none may be met; otherwise the pod is not scheduled there.' },
      preferredDuringSchedulingIgnoredDuringExecution: { n: 2, type: '[]WeightedPodAffinityTerm', list: 'atomic', doc: 'Terms that should not be met; the weights of those met are added up.' },
    },
  },
  PodCondition: {
    doc: 'One aspect of a pod, such as Ready or PodScheduled.',
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
      observedGeneration: { n: 7, type: 'int64', format: 'int64', gate: ['PodObservedGenerationTracking'], doc: 'Generation of the object that the condition was derived from.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
      lastProbeTime: { n: 3, type: 'Time', doc: 'When the condition was last checked.' },
      lastTransitionTime: { n: 4, type: 'Time', doc: 'When the status last changed from one value to another.' },
      reason: { n: 5, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
      message: { n: 6, type: 'string', doc: 'Details of the last change, for people.' },
    },
  },
  PodDNSConfig: {
    doc: 'With dnsPolicy None, these are the only settings.',
    fields: {
      nameservers: { n: 1, type: '[]string', list: 'atomic', doc: 'Addresses of name servers.' },
      searches: { n: 2, type: '[]string', list: 'atomic', doc: 'Domains to search names in.' },
      options: { n: 3, type: '[]PodDNSConfigOption', list: 'atomic', doc: 'Resolver options; they override those of the policy.' },
    },
  },
  PodDNSConfigOption: {
    doc: 'A resolver option.',
    fields: {
      name: { n: 1, type: 'string', doc: 'Name of the option, such as ndots. Required.' },
      value: { n: 2, type: '*string', doc: 'Value of the option, if it has one.' },
    },
  },
  PodExtendedResourceClaimStatus: {
    doc: 'The claim that the scheduler creates for resources from device classes.',
    fields: {
      requestMappings: { n: 1, type: '[]ContainerExtendedResourceRequest', omit: 'never', required: true, list: 'atomic', doc: 'Which request of the claim serves which container resource.' },
      resourceClaimName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the claim.' },
    },
  },
  PodIP: {
    doc: 'An address of a pod.',
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'The address.' },
    },
  },
  PodList: {
    doc: 'A list of Pod objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]Pod', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  PodOS: {
    doc: 'Operating system of a pod.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'OSName', doc: 'Either linux or windows.' },
    },
  },
  PodReadinessGate: {
    doc: 'A further condition for a pod to be ready.',
    fields: {
      conditionType: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodConditionType', doc: 'Type of the condition, among those of the pod.' },
    },
  },
  PodResourceClaimStatus: {
    doc: "The claim that was made for one of a pod's resource claims.",
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the entry in spec.resourceClaims.' },
      resourceClaimName: { n: 2, type: '*string', doc: 'Name of the claim; unset when none was needed.' },
    },
  },
  PodSchedulingGate: {
    doc: 'Keeps a pod from being scheduled.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the gate.' },
    },
  },
  PodSchedulingGroup: {
    doc: 'Pods of one group are scheduled together.',
    unions: [{ fields: { podGroupName: 'PodGroupName' } }],
    fields: {
      podGroupName: { n: 1, type: '*string', doc: "Name of the PodGroup, in the pod's namespace." },
    },
  },
  PodSpec: {
    doc: 'Fixed when the pod exists, except for images, tolerations and a few other fields.',
    fields: {
      volumes: { n: 1, type: '[]Volume', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', doc: 'Volumes that the containers can mount.' },
      initContainers: { n: 20, type: '[]Container', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Containers that run one after another, before the others; each must succeed.' },
      containers: { n: 2, type: '[]Container', omit: 'never', required: true, list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'The containers; at least one. None can be added or removed later.' },
      ephemeralContainers: { n: 34, type: '[]EphemeralContainer', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Containers for debugging, added to a running pod by its own subresource; they cannot be removed.' },
      restartPolicy: { n: 3, type: 'string', alias: 'RestartPolicy', enum: ['Always', 'Never', 'OnFailure'], doc: 'When containers are started again: Always (the default), OnFailure or Never.' },
      terminationGracePeriodSeconds: { n: 4, type: '*int64', format: 'int64', doc: 'Seconds from the stop signal to the kill when the pod is deleted. Defaults to 30.' },
      activeDeadlineSeconds: { n: 5, type: '*int64', format: 'int64', doc: 'Seconds after which the pod fails and its containers are killed.' },
      dnsPolicy: { n: 6, type: 'string', alias: 'DNSPolicy', enum: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], doc: 'Source of name resolution. Defaults to ClusterFirst.' },
      nodeSelector: { n: 7, type: 'map[string]string', map: 'atomic', doc: 'Labels that the node must have.' },
      serviceAccountName: { n: 8, type: 'string', doc: 'Service account that the pod runs as. Defaults to default.' },
      serviceAccount: { n: 9, type: 'string', deprecated: true, doc: 'Deprecated: use serviceAccountName.' },
      automountServiceAccountToken: { n: 21, type: '*bool', doc: "Whether a token of the service account is mounted; defaults to the account's setting." },
      nodeName: { n: 10, type: 'string', doc: 'Node that the pod runs on; set by the scheduler, or beforehand to bypass it.' },
      hostNetwork: { n: 11, type: 'bool', doc: 'Uses the network of the node; ports of containers are then ports of the node. Defaults to false.' },
      hostPID: { n: 12, type: 'bool', doc: 'Sees the processes of the node. Defaults to false.' },
      hostIPC: { n: 13, type: 'bool', doc: 'Shares inter-process communication with the node. Defaults to false.' },
      shareProcessNamespace: { n: 27, type: '*bool', doc: "Containers of the pod see each other's processes; excludes hostPID. Defaults to false." },
      securityContext: { n: 14, type: '*PodSecurityContext', doc: 'Security settings of the pod, and defaults for its containers.' },
      imagePullSecrets: { n: 15, type: '[]LocalObjectReference', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Secrets of the namespace for pulling the images.' },
      hostname: { n: 16, type: 'string', doc: "Host name of the pod. Defaults to the pod's name." },
      subdomain: { n: 17, type: 'string', doc: 'With it, the full host name is <hostname>.<subdomain>.<namespace>.svc.<cluster domain>.' },
      affinity: { n: 18, type: '*Affinity', doc: 'Preferred and avoided places of the pod.' },
      schedulerName: { n: 19, type: 'string', doc: 'Scheduler that places the pod. Defaults to default-scheduler.' },
      tolerations: { n: 22, type: '[]Toleration', list: 'atomic', doc: 'Node taints that the pod tolerates.' },
      hostAliases: { n: 23, type: '[]HostAlias', list: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip', doc: 'Entries for the hosts file of the containers.' },
      priorityClassName: { n: 24, type: 'string', doc: 'Priority class of the pod; its value becomes the priority. Unset is the default class, if any.' },
      priority: { n: 25, type: '*int32', format: 'int32', doc: 'Higher ones are scheduled first and may evict lower ones; set from the class.' },
      dnsConfig: { n: 26, type: '*PodDNSConfig', doc: 'Settings of name resolution, added to those of dnsPolicy.' },
      readinessGates: { n: 28, type: '[]PodReadinessGate', list: 'atomic', doc: 'Conditions that must be True, besides the containers being ready, for the pod to be ready.' },
      runtimeClassName: { n: 29, type: '*string', doc: "Runtime class that runs the pod; unset is the node's default runtime." },
      enableServiceLinks: { n: 30, type: '*bool', doc: 'Gives containers environment variables for the services of the namespace. Defaults to true.' },
      preemptionPolicy: { n: 31, type: '*string', alias: 'PreemptionPolicy', enum: ['Never', 'PreemptLowerPriority'], doc: 'Whether the pod may evict pods of lower priority: PreemptLowerPriority (the default) or Never.' },
      overhead: { n: 32, type: 'map[string]Quantity', doc: 'Resources for running the pod in addition to its containers; set from the runtime class.' },
      topologySpreadConstraints: { n: 33, type: '[]TopologySpreadConstraint', list: 'map', keys: ['topologyKey', 'whenUnsatisfiable'], patch: 'merge', patchKey: 'topologyKey', doc: 'How evenly pods are to be spread over the cluster; all must be met.' },
      setHostnameAsFQDN: { n: 35, type: '*bool', doc: 'Makes the full name the host name within the pod. Defaults to false.' },
      os: { n: 36, type: '*PodOS', doc: 'Operating system that the pod is for; some fields are not allowed with it.' },
      hostUsers: { n: 37, type: '*bool', doc: 'False gives the pod its own user ids, separate from those of the node. Defaults to true.' },
      schedulingGates: { n: 38, type: '[]PodSchedulingGate', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'The pod is not scheduled until this is empty; entries can only be removed.' },
      resourceClaims: { n: 39, type: '[]PodResourceClaim', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DynamicResourceAllocation'], doc: 'Claims of devices that must be allocated before the pod starts.' },
      resources: { n: 40, type: '*ResourceRequirements', gate: ['PodLevelResources'], doc: 'Requests and limits of the pod as a whole: cpu, memory and huge pages.' },
      hostnameOverride: { n: 41, type: '*string', gate: ['HostnameOverride'], doc: 'Host name within the pod, regardless of hostname and subdomain.' },
      schedulingGroup: { n: 43, type: '*PodSchedulingGroup', gate: ['GenericWorkload'], doc: 'Group of pods that are scheduled together.' },
    },
  },
  PodStatus: {
    doc: 'Reported by the kubelet; may be out of date.',
    fields: {
      observedGeneration: { n: 17, type: 'int64', format: 'int64', gate: ['PodObservedGenerationTracking'], doc: 'Generation of the pod that this status was derived from.' },
      phase: { n: 1, type: 'string', alias: 'PodPhase', enum: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'], deprecated: true, doc: 'Summary: Pending, Running, Succeeded, Failed or Unknown.' },
      conditions: { n: 2, type: '[]PodCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the pod's state, such as Ready and PodScheduled." },
      message: { n: 3, type: 'string', doc: 'Why the pod is in this state, for people.' },
      reason: { n: 4, type: 'string', doc: 'Machine-readable cause of the state, such as Evicted.' },
      nominatedNodeName: { n: 11, type: 'string', doc: 'Node that pods are being evicted from for this one, which may still be scheduled elsewhere.' },
      hostIP: { n: 5, type: 'string', doc: 'Address of the node that the pod was assigned to.' },
      hostIPs: { n: 16, type: '[]HostIP', list: 'atomic', patch: 'merge', patchKey: 'ip', doc: 'Addresses of that node, one an address family; the first is hostIP.' },
      podIP: { n: 6, type: 'string', doc: 'Address of the pod; empty until it has one.' },
      podIPs: { n: 12, type: '[]PodIP', list: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip', doc: 'Addresses of the pod, one an address family; the first is podIP.' },
      startTime: { n: 7, type: '*Time', doc: 'When the kubelet accepted the pod, before any image was pulled.' },
      initContainerStatuses: { n: 10, type: '[]ContainerStatus', list: 'atomic', doc: 'State of the init containers, in their order.' },
      containerStatuses: { n: 8, type: '[]ContainerStatus', list: 'atomic', doc: 'State of the containers.' },
      qosClass: { n: 9, type: 'string', alias: 'PodQOSClass', enum: ['BestEffort', 'Burstable', 'Guaranteed'], doc: 'Guaranteed, Burstable or BestEffort, derived from requests and limits.' },
      ephemeralContainerStatuses: { n: 13, type: '[]ContainerStatus', list: 'atomic', doc: 'State of the ephemeral containers.' },
      resize: { n: 14, type: 'string', alias: 'PodResizeStatus', deprecated: true, gate: ['InPlacePodVerticalScaling'], doc: 'Deprecated: see the conditions PodResizePending and PodResizeInProgress.' },
      resourceClaimStatuses: { n: 15, type: '[]PodResourceClaimStatus', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DynamicResourceAllocation'], doc: 'Claims that were made from templates for this pod.' },
      extendedResourceClaimStatus: { n: 18, type: '*PodExtendedResourceClaimStatus', gate: ['DRAExtendedResource'], doc: "The claim that serves the pod's extended resources." },
      allocatedResources: { n: 19, type: 'map[string]Quantity', gate: ['InPlacePodLevelResourcesVerticalScaling'], doc: 'Resources that the node has allocated to the pod as a whole.' },
      resources: { n: 20, type: '*ResourceRequirements', gate: ['InPlacePodLevelResourcesVerticalScaling'], doc: 'Requests and limits of the pod as a whole that are in force.' },
      nodeAllocatableResourceClaimStatuses: { n: 21, type: '[]NodeAllocatableResourceClaimStatus', list: 'atomic', gate: ['DRANodeAllocatableResources'], doc: 'Claims of the pod that use allocatable resources of the node.' },
    },
  },
  PodStatusResult: {
    doc: 'The status of a pod, without the pod.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      status: { n: 2, type: 'PodStatus', doc: 'The observed state, updated by controllers.' },
    },
  },
  PodTemplate: {
    doc: 'A stored template of pods.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      template: { n: 2, type: 'PodTemplateSpec', doc: 'The template.' },
    },
  },
  PodTemplateList: {
    doc: 'A list of PodTemplate objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]PodTemplate', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  PodTemplateSpec: {
    doc: 'A template: initial metadata and spec of each pod.',
    fields: {
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Labels, annotations and other metadata of the pods.' },
      spec: { n: 2, type: 'PodSpec', doc: 'Containers of the pods and their settings.' },
    },
  },
  PreferredSchedulingTerm: {
    doc: 'A preferred node, and the weight of the preference.',
    fields: {
      weight: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: "1 to 100; added to a node's score when the node matches." },
      preference: { n: 2, type: 'NodeSelectorTerm', omit: 'never', required: true, doc: 'The preferred term; an empty one matches every node.' },
    },
  },
  ReplicationController: {
    doc: 'Keeps a number of equal pods running; use Deployment instead.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', rules: ['subfield(name)=optional @alpha 1.36', 'subfield(name)=format=k8s-long-name @alpha 1.36'], doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'ReplicationControllerSpec', doc: 'Pods to keep running.' },
      status: { n: 3, type: 'ReplicationControllerStatus', doc: 'State of the pods.' },
    },
  },
  ReplicationControllerCondition: {
    doc: "One aspect of the controller's state.",
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ReplicationControllerConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
      lastTransitionTime: { n: 3, type: 'Time', doc: 'When the status last changed from one value to another.' },
      reason: { n: 4, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
      message: { n: 5, type: 'string', doc: 'Details of the last change, for people.' },
    },
  },
  ReplicationControllerList: {
    doc: 'A list of ReplicationController objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]ReplicationController', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  ReplicationControllerSpec: {
    doc: 'Creates pods from the template, or deletes pods, until replicas of them match the selector.',
    fields: {
      replicas: { n: 1, type: '*int32', default: 1, format: 'int32', rules: ['optional @alpha 1.36', 'minimum=0 @alpha 1.36'], doc: 'How many pods there should be. Defaults to 1.' },
      minReadySeconds: { n: 4, type: 'int32', default: 0, format: 'int32', rules: ['optional @alpha 1.36', 'minimum=0 @alpha 1.36'], doc: 'Seconds that a pod must be ready before it counts as available. Defaults to 0.' },
      selector: { n: 2, type: 'map[string]string', map: 'atomic', doc: 'Labels of the pods that count. Defaults to the labels of the template.' },
      template: { n: 3, type: '*PodTemplateSpec', doc: 'Template of the pods.' },
    },
  },
  ReplicationControllerStatus: {
    doc: 'Counts of the pods that match the selector.',
    fields: {
      replicas: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'How many pods there are.' },
      fullyLabeledReplicas: { n: 2, type: 'int32', format: 'int32', doc: 'Pods that have all labels of the template.' },
      readyReplicas: { n: 4, type: 'int32', format: 'int32', doc: 'Pods that are ready.' },
      availableReplicas: { n: 5, type: 'int32', format: 'int32', doc: 'Pods that have been ready for minReadySeconds.' },
      observedGeneration: { n: 3, type: 'int64', format: 'int64', doc: 'Newest generation of the object that its controller has acted on.' },
      conditions: { n: 6, type: '[]ReplicationControllerCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the controller's state, such as ReplicaFailure." },
    },
  },
  Sysctl: {
    doc: 'A kernel parameter to set.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the parameter.' },
      value: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Value of the parameter.' },
    },
  },
  Toleration: {
    doc: 'Lets a pod run on nodes with matching taints.',
    fields: {
      key: { n: 1, type: 'string', doc: 'Key of the taint; empty, with Exists, matches every taint.' },
      operator: { n: 2, type: 'string', alias: 'TolerationOperator', enum: ['Equal', 'Exists', 'Gt', 'Lt'], doc: 'How value relates to that of the taint. Equal is the default; Exists takes any value.' },
      value: { n: 3, type: 'string', doc: 'Value of the taint to compare with; empty for Exists.' },
      effect: { n: 4, type: 'string', alias: 'TaintEffect', enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'], doc: 'Effect of the taint; empty matches all effects.' },
      tolerationSeconds: { n: 5, type: '*int64', format: 'int64', doc: 'Seconds that the pod stays after a NoExecute taint appears; unset is forever.' },
    },
  },
  TopologySpreadConstraint: {
    doc: 'How evenly matching pods are spread over topology domains.',
    fields: {
      maxSkew: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Maximum difference of matching pods between a domain and the one with the fewest. At least 1.' },
      topologyKey: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Node label; nodes with the same value are one domain.' },
      whenUnsatisfiable: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'UnsatisfiableConstraintAction', enum: ['DoNotSchedule', 'ScheduleAnyway'], doc: 'DoNotSchedule leaves the pod pending; ScheduleAnyway only prefers domains that reduce the skew.' },
      labelSelector: { n: 4, type: '*meta/v1.LabelSelector', doc: 'Selects the pods that are counted.' },
      minDomains: { n: 5, type: '*int32', format: 'int32', doc: 'With fewer matching domains, the fewest counts as 0. Only with DoNotSchedule. Defaults to 1.' },
      nodeAffinityPolicy: { n: 6, type: '*string', alias: 'NodeInclusionPolicy', enum: ['Honor', 'Ignore'], doc: "Whether nodes outside the pod's node affinity are excluded. Defaults to Honor." },
      nodeTaintsPolicy: { n: 7, type: '*string', alias: 'NodeInclusionPolicy', enum: ['Honor', 'Ignore'], doc: 'Whether nodes with taints that the pod does not tolerate are excluded. Defaults to Ignore.' },
      matchLabelKeys: { n: 8, type: '[]string', list: 'atomic', doc: 'Labels of the incoming pod that counted pods must share; labelSelector must be set.' },
    },
  },
  WeightedPodAffinityTerm: {
    doc: 'Pods to be near or away from, and the weight of the preference.',
    fields: {
      weight: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: "1 to 100; added to a node's score when the term is met there." },
      podAffinityTerm: { n: 2, type: 'PodAffinityTerm', omit: 'never', required: true, doc: 'The term.' },
    },
  },
  Binding: {
    doc: 'Assigns a pod to a node.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      target: { n: 2, type: 'ObjectReference', omit: 'never', required: true, doc: 'The node.' },
    },
  },
}

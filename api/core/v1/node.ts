import type { TypeTable } from '../../../lib/schema/index.ts'

/** Nodes. */
export const nodeTypes: Readonly<Record<string, TypeTable>> = {
  AttachedVolume: {
    doc: 'A volume that is attached to a node.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'UniqueVolumeName', doc: 'Name of the volume.' },
      devicePath: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Path of the volume on the node.' },
    },
  },
  AvoidPods: {
    doc: 'Pods that should not run on a node.',
    fields: {
      preferAvoidPods: { n: 1, type: '[]PreferAvoidPodsEntry', list: 'atomic', doc: 'One entry a controller of pods.' },
    },
  },
  ContainerImage: {
    doc: 'An image that is on a node.',
    fields: {
      names: { n: 1, type: '[]string', omit: 'never', list: 'atomic', doc: 'Names of the image, by tag and by digest.' },
      sizeBytes: { n: 2, type: 'int64', format: 'int64', doc: 'Size of the image, in bytes.' },
    },
  },
  DaemonEndpoint: {
    doc: 'Where a daemon listens.',
    fields: {
      Port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the port.' },
    },
  },
  Node: {
    doc: 'A machine that runs pods.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'NodeSpec', doc: 'Settings of the node.' },
      status: { n: 3, type: 'NodeStatus', doc: 'State of the node.' },
    },
  },
  NodeAddress: {
    doc: 'An address of a node.',
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeAddressType', doc: 'Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.' },
      address: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'The address.' },
    },
  },
  NodeAllocatableResourceClaimStatus: {
    doc: 'Allocatable resources of the node that a claim uses.',
    fields: {
      resourceClaimName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the claim.' },
      containers: { n: 2, type: '[]string', list: 'set', doc: 'Containers that use the claim.' },
      resources: { n: 3, type: 'map[string]Quantity', omit: 'never', required: true, doc: 'The resources and how much of them.' },
    },
  },
  NodeCondition: {
    doc: 'One aspect of a node, such as Ready or MemoryPressure.',
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
      lastHeartbeatTime: { n: 3, type: 'Time', doc: 'When the condition was last reported, changed or not.' },
      lastTransitionTime: { n: 4, type: 'Time', doc: 'When the status last changed from one value to another.' },
      reason: { n: 5, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
      message: { n: 6, type: 'string', doc: 'Details of the last change, for people.' },
    },
  },
  NodeConfigSource: {
    doc: "Deprecated: source of a node's configuration.",
    fields: {
      configMap: { n: 2, type: '*ConfigMapNodeConfigSource', doc: 'A config map.' },
    },
  },
  NodeConfigStatus: {
    doc: 'Deprecated: configuration of a node.',
    fields: {
      assigned: { n: 1, type: '*NodeConfigSource', doc: 'The configuration that the node will use.' },
      active: { n: 2, type: '*NodeConfigSource', doc: 'The configuration that the node uses.' },
      lastKnownGood: { n: 3, type: '*NodeConfigSource', doc: 'The configuration that the node falls back to.' },
      error: { n: 4, type: 'string', doc: 'What is wrong with the assigned configuration.' },
    },
  },
  NodeDaemonEndpoints: {
    doc: "Ports of the node's daemons.",
    fields: {
      kubeletEndpoint: { n: 1, type: 'DaemonEndpoint', doc: 'Address of the kubelet.' },
    },
  },
  NodeFeatures: {
    doc: 'Features that are the same for every runtime class.',
    fields: {
      supplementalGroupsPolicy: { n: 1, type: '*bool', doc: 'It supports supplementalGroupsPolicy of pods.' },
    },
  },
  NodeList: {
    doc: 'A list of Node objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]Node', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  NodeRuntimeHandler: {
    doc: 'A runtime handler of a node.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', default: '', doc: 'Name of the handler; empty for the default one.' },
      features: { n: 2, type: '*NodeRuntimeHandlerFeatures', doc: 'Features of the handler.' },
    },
  },
  NodeRuntimeHandlerFeatures: {
    doc: 'Features that depend on the handler.',
    fields: {
      recursiveReadOnlyMounts: { n: 1, type: '*bool', doc: 'It can make mounts below a read-only one read-only.' },
      userNamespaces: { n: 2, type: '*bool', doc: 'It can give pods their own user ids.' },
    },
  },
  NodeSpec: {
    doc: 'Mostly written by administrators and the cloud provider.',
    fields: {
      podCIDR: { n: 1, type: 'string', doc: "Block of the addresses of the node's pods." },
      podCIDRs: { n: 7, type: '[]string', list: 'set', patch: 'merge', doc: 'Such blocks, one of each address family; the first is podCIDR.' },
      providerID: { n: 3, type: 'string', doc: 'Identifier of the machine at the cloud provider, as <provider>://<id>.' },
      unschedulable: { n: 4, type: 'bool', doc: 'Schedules no new pods to the node. Defaults to false.' },
      taints: { n: 5, type: '[]Taint', list: 'atomic', doc: 'Taints, which repel pods that do not tolerate them.' },
      configSource: { n: 6, type: '*NodeConfigSource', deprecated: true, doc: 'Deprecated: no longer used.' },
      externalID: { n: 2, type: 'string', deprecated: true, doc: 'Deprecated: no longer used.' },
    },
  },
  NodeStatus: {
    doc: 'Reported by the kubelet.',
    fields: {
      capacity: { n: 1, type: 'map[string]Quantity', doc: 'All resources of the node.' },
      allocatable: { n: 2, type: 'map[string]Quantity', doc: 'Resources that pods can use. Defaults to the capacity.' },
      phase: { n: 3, type: 'string', alias: 'NodePhase', enum: ['Pending', 'Running', 'Terminated'], deprecated: true, doc: 'Deprecated: no longer used.' },
      conditions: { n: 4, type: '[]NodeCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the node's state, such as Ready." },
      addresses: { n: 5, type: '[]NodeAddress', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'Addresses of the node.' },
      daemonEndpoints: { n: 6, type: 'NodeDaemonEndpoints', doc: "Addresses of the node's daemons." },
      nodeInfo: { n: 7, type: 'NodeSystemInfo', doc: 'Versions and identifiers of the machine and its software.' },
      images: { n: 8, type: '[]ContainerImage', list: 'atomic', doc: 'Images that are on the node.' },
      volumesInUse: { n: 9, type: '[]string', list: 'atomic', alias: 'UniqueVolumeName', doc: 'Attachable volumes that the node has mounted.' },
      volumesAttached: { n: 10, type: '[]AttachedVolume', list: 'atomic', doc: 'Volumes that are attached to the node.' },
      config: { n: 11, type: '*NodeConfigStatus', doc: "Deprecated: state of the node's configuration source." },
      runtimeHandlers: { n: 12, type: '[]NodeRuntimeHandler', list: 'atomic', doc: 'Runtime handlers of the node.' },
      features: { n: 13, type: '*NodeFeatures', gate: ['SupplementalGroupsPolicy'], doc: "Features of the node's runtime." },
      declaredFeatures: { n: 14, type: '[]string', list: 'atomic', gate: ['NodeDeclaredFeatures'], doc: 'Features of the kubelet that pods may depend on.' },
    },
  },
  NodeSwapStatus: {
    doc: "The operating system's swap space.",
    fields: {
      capacity: { n: 1, type: '*int64', format: 'int64', doc: 'Size of it, in bytes.' },
    },
  },
  NodeSystemInfo: {
    doc: 'Versions and identifiers of a node.',
    fields: {
      machineID: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the machine, from /etc/machine-id.' },
      systemUUID: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the hardware or virtual machine.' },
      bootID: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the present boot.' },
      kernelVersion: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'Version of the kernel.' },
      osImage: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the operating system, from /etc/os-release.' },
      containerRuntimeVersion: { n: 6, type: 'string', omit: 'never', required: true, default: '', doc: 'Runtime and its version, as <runtime>://<version>.' },
      kubeletVersion: { n: 7, type: 'string', omit: 'never', required: true, default: '', doc: 'Version of the kubelet.' },
      kubeProxyVersion: { n: 8, type: 'string', omit: 'never', required: true, default: '', deprecated: true, doc: 'Deprecated: no longer meaningful.' },
      operatingSystem: { n: 9, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of operating system: linux or windows.' },
      architecture: { n: 10, type: 'string', omit: 'never', required: true, default: '', doc: 'Processor architecture, such as amd64 or arm64.' },
      swap: { n: 11, type: '*NodeSwapStatus', doc: 'Swap space of the node.' },
    },
  },
  PodSignature: {
    doc: 'Identifies pods by the controller that owns them.',
    fields: {
      podController: { n: 1, type: '*meta/v1.OwnerReference', doc: 'The controller that owns the pods.' },
    },
  },
  PreferAvoidPodsEntry: {
    doc: 'A class of pods that should not run on a node.',
    fields: {
      podSignature: { n: 1, type: 'PodSignature', omit: 'never', required: true, doc: 'The pods.' },
      evictionTime: { n: 2, type: 'Time', doc: 'When the entry was added.' },
      reason: { n: 3, type: 'string', doc: 'Machine-readable cause of the entry.' },
      message: { n: 4, type: 'string', doc: 'Details, for people.' },
    },
  },
  Taint: {
    doc: 'Repels pods that do not tolerate it from a node.',
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the taint.' },
      value: { n: 2, type: 'string', doc: 'Value of the taint.' },
      effect: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'TaintEffect', enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'], doc: 'NoSchedule, PreferNoSchedule, or NoExecute, which also evicts running pods.' },
      timeAdded: { n: 4, type: '*Time', doc: 'When the taint was added.' },
    },
  },
}

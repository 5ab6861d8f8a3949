import type { TypeTable } from '../../../lib/schema/index.ts'

/** Nodes. */
export const nodeTypes: Readonly<Record<string, TypeTable>> = {
  AttachedVolume: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'UniqueVolumeName' },
      devicePath: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  AvoidPods: {
    fields: {
      preferAvoidPods: { n: 1, type: '[]PreferAvoidPodsEntry', list: 'atomic' },
    },
  },
  ContainerImage: {
    fields: {
      names: { n: 1, type: '[]string', omit: 'never', list: 'atomic' },
      sizeBytes: { n: 2, type: 'int64', format: 'int64' },
    },
  },
  DaemonEndpoint: {
    fields: {
      Port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
    },
  },
  Node: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'NodeSpec' },
      status: { n: 3, type: 'NodeStatus' },
    },
  },
  NodeAddress: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeAddressType' },
      address: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  NodeAllocatableResourceClaimStatus: {
    fields: {
      resourceClaimName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      containers: { n: 2, type: '[]string', list: 'set' },
      resources: { n: 3, type: 'map[string]Quantity', omit: 'never', required: true },
    },
  },
  NodeCondition: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeConditionType' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
      lastHeartbeatTime: { n: 3, type: 'Time' },
      lastTransitionTime: { n: 4, type: 'Time' },
      reason: { n: 5, type: 'string' },
      message: { n: 6, type: 'string' },
    },
  },
  NodeConfigSource: {
    fields: {
      configMap: { n: 2, type: '*ConfigMapNodeConfigSource' },
    },
  },
  NodeConfigStatus: {
    fields: {
      assigned: { n: 1, type: '*NodeConfigSource' },
      active: { n: 2, type: '*NodeConfigSource' },
      lastKnownGood: { n: 3, type: '*NodeConfigSource' },
      error: { n: 4, type: 'string' },
    },
  },
  NodeDaemonEndpoints: {
    fields: {
      kubeletEndpoint: { n: 1, type: 'DaemonEndpoint' },
    },
  },
  NodeFeatures: {
    fields: {
      supplementalGroupsPolicy: { n: 1, type: '*bool' },
    },
  },
  NodeList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]Node', omit: 'never', required: true },
    },
  },
  NodeRuntimeHandler: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', default: '' },
      features: { n: 2, type: '*NodeRuntimeHandlerFeatures' },
    },
  },
  NodeRuntimeHandlerFeatures: {
    fields: {
      recursiveReadOnlyMounts: { n: 1, type: '*bool' },
      userNamespaces: { n: 2, type: '*bool' },
    },
  },
  NodeSpec: {
    fields: {
      podCIDR: { n: 1, type: 'string' },
      podCIDRs: { n: 7, type: '[]string', list: 'set', patch: 'merge' },
      providerID: { n: 3, type: 'string' },
      unschedulable: { n: 4, type: 'bool' },
      taints: { n: 5, type: '[]Taint', list: 'atomic' },
      configSource: { n: 6, type: '*NodeConfigSource', deprecated: true },
      externalID: { n: 2, type: 'string', deprecated: true },
    },
  },
  NodeStatus: {
    fields: {
      capacity: { n: 1, type: 'map[string]Quantity' },
      allocatable: { n: 2, type: 'map[string]Quantity' },
      phase: { n: 3, type: 'string', alias: 'NodePhase', enum: ['Pending', 'Running', 'Terminated'], deprecated: true },
      conditions: { n: 4, type: '[]NodeCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      addresses: { n: 5, type: '[]NodeAddress', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      daemonEndpoints: { n: 6, type: 'NodeDaemonEndpoints' },
      nodeInfo: { n: 7, type: 'NodeSystemInfo' },
      images: { n: 8, type: '[]ContainerImage', list: 'atomic' },
      volumesInUse: { n: 9, type: '[]string', list: 'atomic', alias: 'UniqueVolumeName' },
      volumesAttached: { n: 10, type: '[]AttachedVolume', list: 'atomic' },
      config: { n: 11, type: '*NodeConfigStatus' },
      runtimeHandlers: { n: 12, type: '[]NodeRuntimeHandler', list: 'atomic' },
      features: { n: 13, type: '*NodeFeatures', gate: ['SupplementalGroupsPolicy'] },
      declaredFeatures: { n: 14, type: '[]string', list: 'atomic', gate: ['NodeDeclaredFeatures'] },
    },
  },
  NodeSwapStatus: {
    fields: {
      capacity: { n: 1, type: '*int64', format: 'int64' },
    },
  },
  NodeSystemInfo: {
    fields: {
      machineID: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      systemUUID: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      bootID: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      kernelVersion: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
      osImage: { n: 5, type: 'string', omit: 'never', required: true, default: '' },
      containerRuntimeVersion: { n: 6, type: 'string', omit: 'never', required: true, default: '' },
      kubeletVersion: { n: 7, type: 'string', omit: 'never', required: true, default: '' },
      kubeProxyVersion: { n: 8, type: 'string', omit: 'never', required: true, default: '', deprecated: true },
      operatingSystem: { n: 9, type: 'string', omit: 'never', required: true, default: '' },
      architecture: { n: 10, type: 'string', omit: 'never', required: true, default: '' },
      swap: { n: 11, type: '*NodeSwapStatus' },
    },
  },
  PodSignature: {
    fields: {
      podController: { n: 1, type: '*meta/v1.OwnerReference' },
    },
  },
  PreferAvoidPodsEntry: {
    fields: {
      podSignature: { n: 1, type: 'PodSignature', omit: 'never', required: true },
      evictionTime: { n: 2, type: 'Time' },
      reason: { n: 3, type: 'string' },
      message: { n: 4, type: 'string' },
    },
  },
  Taint: {
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      value: { n: 2, type: 'string' },
      effect: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'TaintEffect', enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] },
      timeAdded: { n: 4, type: '*Time' },
    },
  },
}

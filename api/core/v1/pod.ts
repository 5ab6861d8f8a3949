import type { TypeTable } from '../../../lib/schema/index.ts'

/** Pods, templates and replication controllers. */
export const podTypes: Readonly<Record<string, TypeTable>> = {
  Affinity: {
    fields: {
      nodeAffinity: { n: 1, type: '*NodeAffinity' },
      podAffinity: { n: 2, type: '*PodAffinity' },
      podAntiAffinity: { n: 3, type: '*PodAntiAffinity' },
    },
  },
  HostAlias: {
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      hostnames: { n: 2, type: '[]string', list: 'atomic' },
    },
  },
  HostIP: {
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  ImageVolumeStatus: {
    fields: {
      imageRef: { n: 1, type: 'string', required: true },
    },
  },
  NodeAffinity: {
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: { n: 1, type: '*NodeSelector' },
      preferredDuringSchedulingIgnoredDuringExecution: { n: 2, type: '[]PreferredSchedulingTerm', list: 'atomic' },
    },
  },
  Pod: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'PodSpec' },
      status: { n: 3, type: 'PodStatus' },
    },
  },
  PodAffinity: {
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: { n: 1, type: '[]PodAffinityTerm', list: 'atomic' },
      preferredDuringSchedulingIgnoredDuringExecution: { n: 2, type: '[]WeightedPodAffinityTerm', list: 'atomic' },
    },
  },
  PodAffinityTerm: {
    fields: {
      labelSelector: { n: 1, type: '*meta/v1.LabelSelector' },
      namespaces: { n: 2, type: '[]string', list: 'atomic' },
      topologyKey: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      namespaceSelector: { n: 4, type: '*meta/v1.LabelSelector' },
      matchLabelKeys: { n: 5, type: '[]string', list: 'atomic' },
      mismatchLabelKeys: { n: 6, type: '[]string', list: 'atomic' },
    },
  },
  PodAntiAffinity: {
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: { n: 1, type: '[]PodAffinityTerm', list: 'atomic' },
      preferredDuringSchedulingIgnoredDuringExecution: { n: 2, type: '[]WeightedPodAffinityTerm', list: 'atomic' },
    },
  },
  PodCondition: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodConditionType' },
      observedGeneration: { n: 7, type: 'int64', format: 'int64' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
      lastProbeTime: { n: 3, type: 'Time' },
      lastTransitionTime: { n: 4, type: 'Time' },
      reason: { n: 5, type: 'string' },
      message: { n: 6, type: 'string' },
    },
  },
  PodDNSConfig: {
    fields: {
      nameservers: { n: 1, type: '[]string', list: 'atomic' },
      searches: { n: 2, type: '[]string', list: 'atomic' },
      options: { n: 3, type: '[]PodDNSConfigOption', list: 'atomic' },
    },
  },
  PodDNSConfigOption: {
    fields: {
      name: { n: 1, type: 'string' },
      value: { n: 2, type: '*string' },
    },
  },
  PodExtendedResourceClaimStatus: {
    fields: {
      requestMappings: { n: 1, type: '[]ContainerExtendedResourceRequest', omit: 'never', required: true, list: 'atomic' },
      resourceClaimName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  PodIP: {
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  PodList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]Pod', omit: 'never', required: true },
    },
  },
  PodOS: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'OSName' },
    },
  },
  PodReadinessGate: {
    fields: {
      conditionType: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodConditionType' },
    },
  },
  PodResourceClaimStatus: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      resourceClaimName: { n: 2, type: '*string' },
    },
  },
  PodSchedulingGate: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  PodSchedulingGroup: {
    unions: [{ fields: { podGroupName: 'PodGroupName' } }],
    fields: {
      podGroupName: { n: 1, type: '*string' },
    },
  },
  PodSpec: {
    fields: {
      volumes: { n: 1, type: '[]Volume', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name' },
      initContainers: { n: 20, type: '[]Container', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      containers: { n: 2, type: '[]Container', omit: 'never', required: true, list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      ephemeralContainers: { n: 34, type: '[]EphemeralContainer', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      restartPolicy: { n: 3, type: 'string', alias: 'RestartPolicy', enum: ['Always', 'Never', 'OnFailure'] },
      terminationGracePeriodSeconds: { n: 4, type: '*int64', format: 'int64' },
      activeDeadlineSeconds: { n: 5, type: '*int64', format: 'int64' },
      dnsPolicy: { n: 6, type: 'string', alias: 'DNSPolicy', enum: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'] },
      nodeSelector: { n: 7, type: 'map[string]string', map: 'atomic' },
      serviceAccountName: { n: 8, type: 'string' },
      serviceAccount: { n: 9, type: 'string', deprecated: true },
      automountServiceAccountToken: { n: 21, type: '*bool' },
      nodeName: { n: 10, type: 'string' },
      hostNetwork: { n: 11, type: 'bool' },
      hostPID: { n: 12, type: 'bool' },
      hostIPC: { n: 13, type: 'bool' },
      shareProcessNamespace: { n: 27, type: '*bool' },
      securityContext: { n: 14, type: '*PodSecurityContext' },
      imagePullSecrets: { n: 15, type: '[]LocalObjectReference', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      hostname: { n: 16, type: 'string' },
      subdomain: { n: 17, type: 'string' },
      affinity: { n: 18, type: '*Affinity' },
      schedulerName: { n: 19, type: 'string' },
      tolerations: { n: 22, type: '[]Toleration', list: 'atomic' },
      hostAliases: { n: 23, type: '[]HostAlias', list: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' },
      priorityClassName: { n: 24, type: 'string' },
      priority: { n: 25, type: '*int32', format: 'int32' },
      dnsConfig: { n: 26, type: '*PodDNSConfig' },
      readinessGates: { n: 28, type: '[]PodReadinessGate', list: 'atomic' },
      runtimeClassName: { n: 29, type: '*string' },
      enableServiceLinks: { n: 30, type: '*bool' },
      preemptionPolicy: { n: 31, type: '*string', alias: 'PreemptionPolicy', enum: ['Never', 'PreemptLowerPriority'] },
      overhead: { n: 32, type: 'map[string]Quantity' },
      topologySpreadConstraints: { n: 33, type: '[]TopologySpreadConstraint', list: 'map', keys: ['topologyKey', 'whenUnsatisfiable'], patch: 'merge', patchKey: 'topologyKey' },
      setHostnameAsFQDN: { n: 35, type: '*bool' },
      os: { n: 36, type: '*PodOS' },
      hostUsers: { n: 37, type: '*bool' },
      schedulingGates: { n: 38, type: '[]PodSchedulingGate', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      resourceClaims: { n: 39, type: '[]PodResourceClaim', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DynamicResourceAllocation'] },
      resources: { n: 40, type: '*ResourceRequirements', gate: ['PodLevelResources'] },
      hostnameOverride: { n: 41, type: '*string', gate: ['HostnameOverride'] },
      schedulingGroup: { n: 43, type: '*PodSchedulingGroup', gate: ['GenericWorkload'] },
    },
  },
  PodStatus: {
    fields: {
      observedGeneration: { n: 17, type: 'int64', format: 'int64' },
      phase: { n: 1, type: 'string', alias: 'PodPhase', enum: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'], deprecated: true },
      conditions: { n: 2, type: '[]PodCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      message: { n: 3, type: 'string' },
      reason: { n: 4, type: 'string' },
      nominatedNodeName: { n: 11, type: 'string' },
      hostIP: { n: 5, type: 'string' },
      hostIPs: { n: 16, type: '[]HostIP', list: 'atomic', patch: 'merge', patchKey: 'ip' },
      podIP: { n: 6, type: 'string' },
      podIPs: { n: 12, type: '[]PodIP', list: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' },
      startTime: { n: 7, type: '*Time' },
      initContainerStatuses: { n: 10, type: '[]ContainerStatus', list: 'atomic' },
      containerStatuses: { n: 8, type: '[]ContainerStatus', list: 'atomic' },
      qosClass: { n: 9, type: 'string', alias: 'PodQOSClass', enum: ['BestEffort', 'Burstable', 'Guaranteed'] },
      ephemeralContainerStatuses: { n: 13, type: '[]ContainerStatus', list: 'atomic' },
      resize: { n: 14, type: 'string', alias: 'PodResizeStatus', deprecated: true, gate: ['InPlacePodVerticalScaling'] },
      resourceClaimStatuses: { n: 15, type: '[]PodResourceClaimStatus', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DynamicResourceAllocation'] },
      extendedResourceClaimStatus: { n: 18, type: '*PodExtendedResourceClaimStatus', gate: ['DRAExtendedResource'] },
      allocatedResources: { n: 19, type: 'map[string]Quantity', gate: ['InPlacePodLevelResourcesVerticalScaling'] },
      resources: { n: 20, type: '*ResourceRequirements', gate: ['InPlacePodLevelResourcesVerticalScaling'] },
      nodeAllocatableResourceClaimStatuses: { n: 21, type: '[]NodeAllocatableResourceClaimStatus', list: 'atomic', gate: ['DRANodeAllocatableResources'] },
    },
  },
  PodStatusResult: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      status: { n: 2, type: 'PodStatus' },
    },
  },
  PodTemplate: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      template: { n: 2, type: 'PodTemplateSpec' },
    },
  },
  PodTemplateList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]PodTemplate', omit: 'never', required: true },
    },
  },
  PodTemplateSpec: {
    fields: {
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'PodSpec' },
    },
  },
  PreferredSchedulingTerm: {
    fields: {
      weight: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      preference: { n: 2, type: 'NodeSelectorTerm', omit: 'never', required: true },
    },
  },
  ReplicationController: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', rules: ['subfield(name)=optional @alpha 1.36', 'subfield(name)=format=k8s-long-name @alpha 1.36'] },
      spec: { n: 2, type: 'ReplicationControllerSpec' },
      status: { n: 3, type: 'ReplicationControllerStatus' },
    },
  },
  ReplicationControllerCondition: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ReplicationControllerConditionType' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
      lastTransitionTime: { n: 3, type: 'Time' },
      reason: { n: 4, type: 'string' },
      message: { n: 5, type: 'string' },
    },
  },
  ReplicationControllerList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]ReplicationController', omit: 'never', required: true },
    },
  },
  ReplicationControllerSpec: {
    fields: {
      replicas: { n: 1, type: '*int32', default: 1, format: 'int32', rules: ['optional @alpha 1.36', 'minimum=0 @alpha 1.36'] },
      minReadySeconds: { n: 4, type: 'int32', default: 0, format: 'int32', rules: ['optional @alpha 1.36', 'minimum=0 @alpha 1.36'] },
      selector: { n: 2, type: 'map[string]string', map: 'atomic' },
      template: { n: 3, type: '*PodTemplateSpec' },
    },
  },
  ReplicationControllerStatus: {
    fields: {
      replicas: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      fullyLabeledReplicas: { n: 2, type: 'int32', format: 'int32' },
      readyReplicas: { n: 4, type: 'int32', format: 'int32' },
      availableReplicas: { n: 5, type: 'int32', format: 'int32' },
      observedGeneration: { n: 3, type: 'int64', format: 'int64' },
      conditions: { n: 6, type: '[]ReplicationControllerCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
    },
  },
  Sysctl: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      value: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  Toleration: {
    fields: {
      key: { n: 1, type: 'string' },
      operator: { n: 2, type: 'string', alias: 'TolerationOperator', enum: ['Equal', 'Exists', 'Gt', 'Lt'] },
      value: { n: 3, type: 'string' },
      effect: { n: 4, type: 'string', alias: 'TaintEffect', enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] },
      tolerationSeconds: { n: 5, type: '*int64', format: 'int64' },
    },
  },
  TopologySpreadConstraint: {
    fields: {
      maxSkew: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      topologyKey: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      whenUnsatisfiable: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'UnsatisfiableConstraintAction', enum: ['DoNotSchedule', 'ScheduleAnyway'] },
      labelSelector: { n: 4, type: '*meta/v1.LabelSelector' },
      minDomains: { n: 5, type: '*int32', format: 'int32' },
      nodeAffinityPolicy: { n: 6, type: '*string', alias: 'NodeInclusionPolicy', enum: ['Honor', 'Ignore'] },
      nodeTaintsPolicy: { n: 7, type: '*string', alias: 'NodeInclusionPolicy', enum: ['Honor', 'Ignore'] },
      matchLabelKeys: { n: 8, type: '[]string', list: 'atomic' },
    },
  },
  WeightedPodAffinityTerm: {
    fields: {
      weight: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      podAffinityTerm: { n: 2, type: 'PodAffinityTerm', omit: 'never', required: true },
    },
  },
}

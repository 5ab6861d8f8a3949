import type { FieldTable, GroupVersionTable } from '../../lib/schema/index.ts'

const typeMeta: FieldTable = { type: 'meta/v1.TypeMeta', inline: true }
const pluginSet = (doc: string): FieldTable => ({ type: 'PluginSet', omit: 'zero', doc })

export const kubeschedulerConfigV1: GroupVersionTable = {
  group: 'kubescheduler.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.kube_scheduler.config.v1',
  types: {
    ClientConnectionConfiguration: {
      doc: 'The connection to the API server.',
      fields: {
        kubeconfig: { type: 'string', omit: 'never', doc: 'Kubeconfig of the API server; in a pod that of its service account is the default.' },
        acceptContentTypes: { type: 'string', omit: 'never', doc: 'Formats of answers.' },
        contentType: { type: 'string', omit: 'never', doc: 'Format of requests.' },
        qps: { type: 'double', omit: 'never', doc: 'Requests a second.' },
        burst: { type: 'int32', omit: 'never', doc: 'Requests at once after a quiet time.' },
      },
    },
    DefaultPreemptionArgs: {
      doc: 'Settings of DefaultPreemption.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        minCandidateNodesPercentage: { type: '*int32', doc: 'Nodes that are tried, in percent of all.' },
        minCandidateNodesAbsolute: { type: '*int32', doc: 'Nodes that are tried at least.' },
      },
    },
    DynamicResourcesArgs: {
      doc: 'Settings of DynamicResources.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        filterTimeout: { type: '*Duration', doc: 'Longest search for devices on one node; 0 for no limit.' },
        bindingTimeout: { type: '*Duration', doc: 'Longest wait for the binding conditions of devices.' },
      },
    },
    Extender: {
      doc: 'A web service that takes part in decisions.',
      fields: {
        urlPrefix: { type: 'string', omit: 'never', doc: 'Where it is.' },
        filterVerb: { type: 'string', doc: 'Path of its filter.' },
        preemptVerb: { type: 'string', doc: 'Path of its choice of victims.' },
        prioritizeVerb: { type: 'string', doc: 'Path of its scores.' },
        weight: { type: 'int64', doc: 'Weight of its scores.' },
        bindVerb: { type: 'string', doc: 'Path of its binding.' },
        enableHTTPS: { type: 'bool', doc: 'Whether it is asked over TLS.' },
        tlsConfig: { type: 'RawExtension', doc: 'Credentials for that.' },
        httpTimeout: { type: 'Duration', doc: 'Longest wait for its answer.' },
        nodeCacheCapable: { type: 'bool', doc: 'Whether it knows nodes by their names.' },
        managedResources: { type: '[]RawExtension', doc: 'Resources that it manages.' },
        ignorable: { type: 'bool', doc: 'Whether a pod may be scheduled without it.' },
      },
    },
    InterPodAffinityArgs: {
      doc: 'Settings of InterPodAffinity.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        hardPodAffinityWeight: { type: '*int32', doc: 'Weight of the required affinity of pods that run.' },
        ignorePreferredTermsOfExistingPods: { type: 'bool', omit: 'never', doc: 'Whether preferences of pods that run count only for pods with affinity of their own.' },
      },
    },
    KubeSchedulerConfiguration: {
      doc: 'Settings of a scheduler.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        parallelism: { type: '*int32', doc: 'Nodes that are asked at once.' },
        leaderElection: { type: 'LeaderElectionConfiguration', doc: 'The lease that one of several schedulers holds.' },
        clientConnection: { type: 'ClientConnectionConfiguration', doc: 'The connection to the API server.' },
        enableProfiling: { type: '*bool', doc: 'Whether profiles are served below /debug/pprof.' },
        enableContentionProfiling: { type: '*bool', doc: 'Whether waiting for locks is profiled.' },
        percentageOfNodesToScore: { type: '*int32', doc: 'Nodes that are found at most before they are scored, in percent of all; 0: by the number of nodes.' },
        podInitialBackoffSeconds: { type: '*int64', doc: 'First pause of a pod that fits nowhere.' },
        podMaxBackoffSeconds: { type: '*int64', doc: 'Longest pause of a pod that fits nowhere.' },
        profiles: { type: '[]KubeSchedulerProfile', doc: 'Schedulers by the names that pods choose them by.' },
        extenders: { type: '[]Extender', doc: 'Web services that take part in decisions.' },
        delayCacheUntilActive: { type: 'bool', doc: 'Whether objects are watched only while the lease is held.' },
      },
    },
    KubeSchedulerProfile: {
      doc: 'A scheduler by a name.',
      fields: {
        schedulerName: { type: '*string', doc: 'The name in spec.schedulerName of its pods.' },
        percentageOfNodesToScore: { type: '*int32', doc: 'As for all profiles.' },
        plugins: { type: '*Plugins', doc: 'Plugins that are added to the default ones, or left out.' },
        pluginConfig: { type: '[]PluginConfig', doc: 'Settings of plugins.' },
      },
    },
    LeaderElectionConfiguration: {
      doc: 'The lease that one of several processes holds.',
      fields: {
        leaderElect: { type: '*bool', omit: 'never', doc: 'Whether to work only while holding the lease.' },
        leaseDuration: { type: 'Duration', omit: 'never', doc: 'How long others wait for a silent leader.' },
        renewDeadline: { type: 'Duration', omit: 'never', doc: 'A leader that can not renew its lease for so long ends.' },
        retryPeriod: { type: 'Duration', omit: 'never', doc: 'Pause between attempts.' },
        resourceLock: { type: 'string', omit: 'never', doc: 'Kind of the lock.' },
        resourceName: { type: 'string', omit: 'never', doc: 'Name of the lease.' },
        resourceNamespace: { type: 'string', omit: 'never', doc: 'Namespace of the lease.' },
      },
    },
    NodeAffinityArgs: {
      doc: 'Settings of NodeAffinity.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        addedAffinity: { type: '*core/v1.NodeAffinity', doc: 'Affinity that every pod has in addition to its own.' },
      },
    },
    NodeResourcesBalancedAllocationArgs: {
      doc: 'Settings of NodeResourcesBalancedAllocation.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        resources: { type: '[]ResourceSpec', doc: 'Resources whose use is to be balanced.' },
      },
    },
    NodeResourcesFitArgs: {
      doc: 'Settings of NodeResourcesFit.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        ignoredResources: { type: '[]string', list: 'atomic', doc: 'Resources that need not be free.' },
        ignoredResourceGroups: { type: '[]string', list: 'atomic', doc: 'Prefixes of such resources.' },
        scoringStrategy: { type: '*ScoringStrategy', doc: 'Which nodes suit better.' },
      },
    },
    Plugin: {
      doc: 'A plugin by its name.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Its name.' },
        weight: { type: '*int32', doc: 'Weight of its scores.' },
      },
    },
    PluginConfig: {
      doc: 'Settings of one plugin.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Its name.' },
        args: { type: 'RawExtension', doc: 'Its settings.' },
      },
    },
    PluginSet: {
      doc: 'Plugins at one extension point.',
      fields: {
        enabled: { type: '[]Plugin', list: 'atomic', doc: 'Plugins in addition to the default ones.' },
        disabled: { type: '[]Plugin', doc: 'Default plugins to leave out; * is all.' },
      },
    },
    Plugins: {
      doc: 'Plugins by extension point.',
      fields: {
        preEnqueue: pluginSet('Asked before a pod is queued.'),
        queueSort: pluginSet('Orders the queue.'),
        preFilter: pluginSet('Asked once a pod.'),
        filter: pluginSet('Asked whether a node takes the pod.'),
        postFilter: pluginSet('Asked where no node does.'),
        preScore: pluginSet('Asked once before scores.'),
        score: pluginSet('Asked how well a node suits the pod.'),
        reserve: pluginSet('Asked when a node was chosen.'),
        permit: pluginSet('Asked whether the pod may be bound.'),
        preBind: pluginSet('Asked before the pod is bound.'),
        bind: pluginSet('Binds the pod.'),
        postBind: pluginSet('Asked after the pod was bound.'),
        multiPoint: pluginSet('At every point that a plugin has.'),
      },
    },
    PodTopologySpreadArgs: {
      doc: 'Settings of PodTopologySpread.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        defaultConstraints: { type: '[]core/v1.TopologySpreadConstraint', list: 'atomic', doc: 'Constraints of pods without any.' },
        defaultingType: { type: 'string', doc: 'System or List.' },
      },
    },
    RequestedToCapacityRatioParam: {
      doc: 'A score by the part of a node that is used.',
      fields: {
        shape: { type: '[]UtilizationShapePoint', list: 'atomic', doc: 'Points of the function.' },
      },
    },
    ResourceSpec: {
      doc: 'A resource and its weight.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Its name.' },
        weight: { type: 'int64', doc: 'Its weight.' },
      },
    },
    ScoringStrategy: {
      doc: 'Which nodes suit better.',
      fields: {
        type: { type: 'string', doc: 'LeastAllocated, MostAllocated or RequestedToCapacityRatio.' },
        resources: { type: '[]ResourceSpec', doc: 'Resources that count.' },
        requestedToCapacityRatio: { type: '*RequestedToCapacityRatioParam', doc: 'The function of RequestedToCapacityRatio.' },
      },
    },
    UtilizationShapePoint: {
      doc: 'A point of a function.',
      fields: {
        utilization: { type: 'int32', omit: 'never', doc: 'The part that is used, in percent.' },
        score: { type: 'int32', omit: 'never', doc: 'The score there, 0 to 10.' },
      },
    },
    VolumeBindingArgs: {
      doc: 'Settings of VolumeBinding.',
      kind: true,
      fields: {
        TypeMeta: typeMeta,
        bindTimeoutSeconds: { type: '*int64', doc: 'Longest wait for volumes to be bound.' },
        shape: { type: '[]UtilizationShapePoint', list: 'atomic', doc: 'Score by the part of the volumes that is requested.' },
      },
    },
  },
}

import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const appsV1: GroupVersionTable = {
  group: 'apps',
  version: 'v1',
  protoPackage: 'k8s.io.api.apps.v1',
  types: {
    ControllerRevision: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        data: { n: 2, type: 'RawExtension' },
        revision: { n: 3, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64' },
      },
    },
    ControllerRevisionList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ControllerRevision', omit: 'never', required: true },
      },
    },
    DaemonSet: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'DaemonSetSpec' },
        status: { n: 3, type: 'DaemonSetStatus' },
      },
    },
    DaemonSetCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'DaemonSetConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    DaemonSetList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]DaemonSet', omit: 'never', required: true },
      },
    },
    DaemonSetSpec: {
      fields: {
        selector: { n: 1, type: '*meta/v1.LabelSelector', omit: 'never', required: true },
        template: { n: 2, type: 'core/v1.PodTemplateSpec', omit: 'never', required: true },
        updateStrategy: { n: 3, type: 'DaemonSetUpdateStrategy' },
        minReadySeconds: { n: 4, type: 'int32', format: 'int32' },
        revisionHistoryLimit: { n: 6, type: '*int32', format: 'int32' },
      },
    },
    DaemonSetStatus: {
      fields: {
        currentNumberScheduled: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        numberMisscheduled: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        desiredNumberScheduled: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        numberReady: { n: 4, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        observedGeneration: { n: 5, type: 'int64', format: 'int64' },
        updatedNumberScheduled: { n: 6, type: 'int32', format: 'int32' },
        numberAvailable: { n: 7, type: 'int32', format: 'int32' },
        numberUnavailable: { n: 8, type: 'int32', format: 'int32' },
        collisionCount: { n: 9, type: '*int32', format: 'int32' },
        conditions: { n: 10, type: '[]DaemonSetCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
    DaemonSetUpdateStrategy: {
      fields: {
        type: { n: 1, type: 'string', alias: 'DaemonSetUpdateStrategyType', enum: ['OnDelete', 'RollingUpdate'] },
        rollingUpdate: { n: 2, type: '*RollingUpdateDaemonSet' },
      },
    },
    Deployment: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'DeploymentSpec' },
        status: { n: 3, type: 'DeploymentStatus' },
      },
    },
    DeploymentCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'DeploymentConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastUpdateTime: { n: 6, type: 'Time' },
        lastTransitionTime: { n: 7, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    DeploymentList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Deployment', omit: 'never', required: true },
      },
    },
    DeploymentSpec: {
      fields: {
        replicas: { n: 1, type: '*int32', format: 'int32' },
        selector: { n: 2, type: '*meta/v1.LabelSelector', omit: 'never', required: true },
        template: { n: 3, type: 'core/v1.PodTemplateSpec', omit: 'never', required: true },
        strategy: { n: 4, type: 'DeploymentStrategy', patch: 'retainKeys' },
        minReadySeconds: { n: 5, type: 'int32', format: 'int32' },
        revisionHistoryLimit: { n: 6, type: '*int32', format: 'int32' },
        paused: { n: 7, type: 'bool' },
        progressDeadlineSeconds: { n: 9, type: '*int32', format: 'int32' },
      },
    },
    DeploymentStatus: {
      fields: {
        observedGeneration: { n: 1, type: 'int64', format: 'int64' },
        replicas: { n: 2, type: 'int32', format: 'int32' },
        updatedReplicas: { n: 3, type: 'int32', format: 'int32' },
        readyReplicas: { n: 7, type: 'int32', format: 'int32' },
        availableReplicas: { n: 4, type: 'int32', format: 'int32' },
        unavailableReplicas: { n: 5, type: 'int32', format: 'int32' },
        terminatingReplicas: { n: 9, type: '*int32', format: 'int32' },
        conditions: { n: 6, type: '[]DeploymentCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
        collisionCount: { n: 8, type: '*int32', format: 'int32' },
      },
    },
    DeploymentStrategy: {
      fields: {
        type: { n: 1, type: 'string', alias: 'DeploymentStrategyType', enum: ['Recreate', 'RollingUpdate'] },
        rollingUpdate: { n: 2, type: '*RollingUpdateDeployment' },
      },
    },
    ReplicaSet: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ReplicaSetSpec' },
        status: { n: 3, type: 'ReplicaSetStatus' },
      },
    },
    ReplicaSetCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ReplicaSetConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    ReplicaSetList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ReplicaSet', omit: 'never', required: true },
      },
    },
    ReplicaSetSpec: {
      fields: {
        replicas: { n: 1, type: '*int32', format: 'int32' },
        minReadySeconds: { n: 4, type: 'int32', format: 'int32' },
        selector: { n: 2, type: '*meta/v1.LabelSelector', omit: 'never', required: true },
        template: { n: 3, type: 'core/v1.PodTemplateSpec' },
      },
    },
    ReplicaSetStatus: {
      fields: {
        replicas: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        fullyLabeledReplicas: { n: 2, type: 'int32', format: 'int32' },
        readyReplicas: { n: 4, type: 'int32', format: 'int32' },
        availableReplicas: { n: 5, type: 'int32', format: 'int32' },
        terminatingReplicas: { n: 7, type: '*int32', format: 'int32' },
        observedGeneration: { n: 3, type: 'int64', format: 'int64' },
        conditions: { n: 6, type: '[]ReplicaSetCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
    RollingUpdateDaemonSet: {
      fields: {
        maxUnavailable: { n: 1, type: '*IntOrString' },
        maxSurge: { n: 2, type: '*IntOrString' },
      },
    },
    RollingUpdateDeployment: {
      fields: {
        maxUnavailable: { n: 1, type: '*IntOrString' },
        maxSurge: { n: 2, type: '*IntOrString' },
      },
    },
    RollingUpdateStatefulSetStrategy: {
      fields: {
        partition: { n: 1, type: '*int32', format: 'int32' },
        maxUnavailable: { n: 2, type: '*IntOrString', gate: ['MaxUnavailableStatefulSet'] },
      },
    },
    StatefulSet: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'StatefulSetSpec' },
        status: { n: 3, type: 'StatefulSetStatus' },
      },
    },
    StatefulSetCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'StatefulSetConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    StatefulSetList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]StatefulSet', omit: 'never', required: true },
      },
    },
    StatefulSetOrdinals: {
      fields: {
        start: { n: 1, type: 'int32', omit: 'never', default: 0, format: 'int32' },
      },
    },
    StatefulSetPersistentVolumeClaimRetentionPolicy: {
      fields: {
        whenDeleted: { n: 1, type: 'string', alias: 'PersistentVolumeClaimRetentionPolicyType' },
        whenScaled: { n: 2, type: 'string', alias: 'PersistentVolumeClaimRetentionPolicyType' },
      },
    },
    StatefulSetSpec: {
      fields: {
        replicas: { n: 1, type: '*int32', format: 'int32' },
        selector: { n: 2, type: '*meta/v1.LabelSelector', omit: 'never', required: true },
        template: { n: 3, type: 'core/v1.PodTemplateSpec', omit: 'never', required: true },
        volumeClaimTemplates: { n: 4, type: '[]core/v1.PersistentVolumeClaim', list: 'atomic' },
        serviceName: { n: 5, type: 'string', omit: 'never', default: '' },
        podManagementPolicy: { n: 6, type: 'string', alias: 'PodManagementPolicyType', enum: ['OrderedReady', 'Parallel'] },
        updateStrategy: { n: 7, type: 'StatefulSetUpdateStrategy' },
        revisionHistoryLimit: { n: 8, type: '*int32', format: 'int32' },
        minReadySeconds: { n: 9, type: 'int32', format: 'int32' },
        persistentVolumeClaimRetentionPolicy: { n: 10, type: '*StatefulSetPersistentVolumeClaimRetentionPolicy' },
        ordinals: { n: 11, type: '*StatefulSetOrdinals' },
      },
    },
    StatefulSetStatus: {
      fields: {
        observedGeneration: { n: 1, type: 'int64', format: 'int64' },
        replicas: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        readyReplicas: { n: 3, type: 'int32', format: 'int32' },
        currentReplicas: { n: 4, type: 'int32', format: 'int32' },
        updatedReplicas: { n: 5, type: 'int32', format: 'int32' },
        currentRevision: { n: 6, type: 'string' },
        updateRevision: { n: 7, type: 'string' },
        collisionCount: { n: 9, type: '*int32', format: 'int32' },
        conditions: { n: 10, type: '[]StatefulSetCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
        availableReplicas: { n: 11, type: 'int32', omit: 'never', default: 0, format: 'int32' },
      },
    },
    StatefulSetUpdateStrategy: {
      fields: {
        type: { n: 1, type: 'string', alias: 'StatefulSetUpdateStrategyType', enum: ['OnDelete', 'RollingUpdate'] },
        rollingUpdate: { n: 2, type: '*RollingUpdateStatefulSetStrategy' },
      },
    },
  },
  resources: {
    controllerrevisions: {
      kind: 'ControllerRevision',
      singular: 'controllerrevision',
      listKind: 'ControllerRevisionList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'controllerrevisions',
      storageVersionHash: '85nkx63pcBU=',
      introduced: '1.9',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
    },
    daemonsets: {
      kind: 'DaemonSet',
      singular: 'daemonset',
      listKind: 'DaemonSetList',
      namespaced: true,
      shortNames: ['ds'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'daemonsets',
      storageVersionHash: 'dd7pWHUlMKQ=',
      introduced: '1.9',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        status: { kind: 'DaemonSet', verbs: ['get', 'patch', 'update'] },
      },
    },
    deployments: {
      kind: 'Deployment',
      singular: 'deployment',
      listKind: 'DeploymentList',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'deployments',
      storageVersionHash: '8aSe+NMegvE=',
      introduced: '1.9',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec', 'metadata.labels'] },
      subresources: {
        scale: { kind: 'Scale', groupVersion: 'autoscaling/v1', verbs: ['get', 'patch', 'update'] },
        status: { kind: 'Deployment', verbs: ['get', 'patch', 'update'] },
      },
    },
    replicasets: {
      kind: 'ReplicaSet',
      singular: 'replicaset',
      listKind: 'ReplicaSetList',
      namespaced: true,
      shortNames: ['rs'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'replicasets',
      storageVersionHash: 'P1RzHs8/mWQ=',
      introduced: '1.9',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        scale: { kind: 'Scale', groupVersion: 'autoscaling/v1', verbs: ['get', 'patch', 'update'] },
        status: { kind: 'ReplicaSet', verbs: ['get', 'patch', 'update'] },
      },
    },
    statefulsets: {
      kind: 'StatefulSet',
      singular: 'statefulset',
      listKind: 'StatefulSetList',
      namespaced: true,
      shortNames: ['sts'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'statefulsets',
      storageVersionHash: 'H+vl74LkKdo=',
      introduced: '1.9',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        scale: { kind: 'Scale', groupVersion: 'autoscaling/v1', verbs: ['get', 'patch', 'update'] },
        status: { kind: 'StatefulSet', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}

import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const metaV1: GroupVersionTable = {
  group: 'meta.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apimachinery.pkg.apis.meta.v1',
  types: {
    APIGroup: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        versions: { n: 2, type: '[]GroupVersionForDiscovery', omit: 'never', required: true, list: 'atomic' },
        preferredVersion: { n: 3, type: 'GroupVersionForDiscovery' },
        serverAddressByClientCIDRs: { n: 4, type: '[]ServerAddressByClientCIDR', list: 'atomic' },
      },
    },
    APIGroupList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        groups: { n: 1, type: '[]APIGroup', omit: 'never', required: true, list: 'atomic' },
      },
    },
    APIResource: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        namespaced: { n: 2, type: 'bool', omit: 'never', required: true, default: false },
        kind: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
        verbs: { n: 4, type: 'Verbs', omit: 'never', required: true, alias: 'Verbs' },
        shortNames: { n: 5, type: '[]string', list: 'atomic' },
        singularName: { n: 6, type: 'string', omit: 'never', required: true, default: '' },
        categories: { n: 7, type: '[]string', list: 'atomic' },
        group: { n: 8, type: 'string' },
        version: { n: 9, type: 'string' },
        storageVersionHash: { n: 10, type: 'string' },
      },
    },
    APIResourceList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        groupVersion: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        resources: { n: 2, type: '[]APIResource', omit: 'never', required: true, list: 'atomic' },
      },
    },
    APIVersions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        versions: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
        serverAddressByClientCIDRs: { n: 2, type: '[]ServerAddressByClientCIDR', omit: 'never', required: true, list: 'atomic' },
      },
    },
    ApplyOptions: {
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic' },
        force: { n: 2, type: 'bool', omit: 'never', required: true, default: false },
        fieldManager: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    Condition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        observedGeneration: { n: 3, type: 'int64', format: 'int64' },
        lastTransitionTime: { n: 4, type: 'Time', omit: 'never', required: true },
        reason: { n: 5, type: 'string', omit: 'never', required: true, default: '' },
        message: { n: 6, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    CreateOptions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic' },
        fieldManager: { n: 3, type: 'string' },
        fieldValidation: { n: 4, type: 'string' },
      },
    },
    DeleteOptions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        gracePeriodSeconds: { n: 1, type: '*int64', format: 'int64' },
        preconditions: { n: 2, type: '*Preconditions' },
        orphanDependents: { n: 3, type: '*bool', deprecated: true },
        propagationPolicy: { n: 4, type: '*string', alias: 'DeletionPropagation' },
        dryRun: { n: 5, type: '[]string', list: 'atomic' },
        ignoreStoreReadErrorWithClusterBreakingPotential: { n: 6, type: '*bool' },
      },
    },
    FieldSelectorRequirement: {
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'FieldSelectorOperator' },
        values: { n: 3, type: '[]string', list: 'atomic' },
      },
    },
    GetOptions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        resourceVersion: { n: 1, type: 'string' },
      },
    },
    GroupKind: {
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        kind: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    GroupResource: {
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        resource: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    GroupVersion: {
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    GroupVersionForDiscovery: {
      fields: {
        groupVersion: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    GroupVersionKind: {
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        kind: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    GroupVersionResource: {
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        resource: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    LabelSelector: {
      map: 'atomic',
      fields: {
        matchLabels: { n: 1, type: 'map[string]string' },
        matchExpressions: { n: 2, type: '[]LabelSelectorRequirement', list: 'atomic' },
      },
    },
    LabelSelectorRequirement: {
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'LabelSelectorOperator' },
        values: { n: 3, type: '[]string', list: 'atomic' },
      },
    },
    List: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ListMeta' },
        items: { n: 2, type: '[]RawExtension', omit: 'never', required: true },
      },
    },
    ListMeta: {
      fields: {
        selfLink: { n: 1, type: 'string', deprecated: true },
        resourceVersion: { n: 2, type: 'string' },
        continue: { n: 3, type: 'string' },
        remainingItemCount: { n: 4, type: '*int64', format: 'int64' },
        shardInfo: { n: 5, type: '*ShardInfo', gate: ['ShardedListAndWatch'] },
      },
    },
    ListOptions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        labelSelector: { n: 1, type: 'string' },
        fieldSelector: { n: 2, type: 'string' },
        watch: { n: 3, type: 'bool' },
        allowWatchBookmarks: { n: 9, type: 'bool' },
        resourceVersion: { n: 4, type: 'string' },
        resourceVersionMatch: { n: 10, type: 'string', alias: 'ResourceVersionMatch' },
        timeoutSeconds: { n: 5, type: '*int64', format: 'int64' },
        limit: { n: 7, type: 'int64', format: 'int64' },
        continue: { n: 8, type: 'string' },
        sendInitialEvents: { n: 11, type: '*bool' },
        shardSelector: { n: 15, type: 'string', gate: ['ShardedListAndWatch'] },
      },
    },
    ManagedFieldsEntry: {
      fields: {
        manager: { n: 1, type: 'string' },
        operation: { n: 2, type: 'string', alias: 'ManagedFieldsOperationType' },
        apiVersion: { n: 3, type: 'string' },
        time: { n: 4, type: '*Time' },
        fieldsType: { n: 6, type: 'string' },
        fieldsV1: { n: 7, type: '*FieldsV1' },
        subresource: { n: 8, type: 'string' },
      },
    },
    ObjectMeta: {
      fields: {
        name: { n: 1, type: 'string' },
        generateName: { n: 2, type: 'string' },
        namespace: { n: 3, type: 'string' },
        selfLink: { n: 4, type: 'string', deprecated: true },
        uid: { n: 5, type: 'string', alias: 'UID' },
        resourceVersion: { n: 6, type: 'string' },
        generation: { n: 7, type: 'int64', format: 'int64' },
        creationTimestamp: { n: 8, type: 'Time', omit: 'zero' },
        deletionTimestamp: { n: 9, type: '*Time' },
        deletionGracePeriodSeconds: { n: 10, type: '*int64', format: 'int64' },
        labels: { n: 11, type: 'map[string]string' },
        annotations: { n: 12, type: 'map[string]string' },
        ownerReferences: { n: 13, type: '[]OwnerReference', list: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid' },
        finalizers: { n: 14, type: '[]string', list: 'set', patch: 'merge' },
        managedFields: { n: 17, type: '[]ManagedFieldsEntry', list: 'atomic' },
      },
    },
    OwnerReference: {
      map: 'atomic',
      fields: {
        apiVersion: { n: 5, type: 'string', omit: 'never', required: true, default: '' },
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
        uid: { n: 4, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
        controller: { n: 6, type: '*bool' },
        blockOwnerDeletion: { n: 7, type: '*bool' },
      },
    },
    PartialObjectMetadata: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ObjectMeta' },
      },
    },
    PartialObjectMetadataList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ListMeta' },
        items: { n: 2, type: '[]PartialObjectMetadata', omit: 'never', required: true },
      },
    },
    Patch: {
      fields: {},
    },
    PatchOptions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic' },
        force: { n: 2, type: '*bool' },
        fieldManager: { n: 3, type: 'string' },
        fieldValidation: { n: 4, type: 'string' },
      },
    },
    Preconditions: {
      fields: {
        uid: { n: 1, type: '*string', alias: 'UID' },
        resourceVersion: { n: 2, type: '*string' },
      },
    },
    RootPaths: {
      fields: {
        paths: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
      },
    },
    ServerAddressByClientCIDR: {
      fields: {
        clientCIDR: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        serverAddress: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    ShardInfo: {
      fields: {
        selector: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    Status: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ListMeta' },
        status: { n: 2, type: 'string' },
        message: { n: 3, type: 'string' },
        reason: { n: 4, type: 'string', alias: 'StatusReason' },
        details: { n: 5, type: '*StatusDetails' },
        code: { n: 6, type: 'int32', format: 'int32' },
      },
    },
    StatusCause: {
      fields: {
        reason: { n: 1, type: 'string', alias: 'CauseType' },
        message: { n: 2, type: 'string' },
        field: { n: 3, type: 'string' },
      },
    },
    StatusDetails: {
      fields: {
        name: { n: 1, type: 'string' },
        group: { n: 2, type: 'string' },
        kind: { n: 3, type: 'string' },
        uid: { n: 6, type: 'string', alias: 'UID' },
        causes: { n: 4, type: '[]StatusCause', list: 'atomic' },
        retryAfterSeconds: { n: 5, type: 'int32', format: 'int32' },
      },
    },
    Table: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { type: 'ListMeta' },
        columnDefinitions: { type: '[]TableColumnDefinition', omit: 'never', required: true, list: 'atomic' },
        rows: { type: '[]TableRow', omit: 'never', required: true, list: 'atomic' },
      },
    },
    TableColumnDefinition: {
      fields: {
        name: { type: 'string', omit: 'never', required: true, default: '' },
        type: { type: 'string', omit: 'never', required: true, default: '' },
        format: { type: 'string', omit: 'never', required: true, default: '' },
        description: { type: 'string', omit: 'never', required: true, default: '' },
        priority: { type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      },
    },
    TableOptions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        includeObject: { n: 1, type: 'string', alias: 'IncludeObjectPolicy' },
      },
    },
    TableRow: {
      fields: {
        cells: { type: '[]JSON', omit: 'never', required: true, list: 'atomic' },
        conditions: { type: '[]TableRowCondition', list: 'atomic' },
        object: { type: 'RawExtension' },
      },
    },
    TableRowCondition: {
      fields: {
        type: { type: 'string', omit: 'never', required: true, default: '', alias: 'RowConditionType' },
        status: { type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        reason: { type: 'string' },
        message: { type: 'string' },
      },
    },
    Timestamp: {
      fields: {
        seconds: { n: 1, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64' },
        nanos: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      },
    },
    TypeMeta: {
      fields: {
        kind: { n: 1, type: 'string' },
        apiVersion: { n: 2, type: 'string' },
      },
    },
    UpdateOptions: {
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic' },
        fieldManager: { n: 2, type: 'string' },
        fieldValidation: { n: 3, type: 'string' },
      },
    },
    Verbs: {
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string' },
      },
    },
    WatchEvent: {
      kind: true,
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        object: { n: 2, type: 'RawExtension', omit: 'never', required: true },
      },
    },
  },
}

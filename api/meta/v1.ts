import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const metaV1: GroupVersionTable = {
  group: 'meta.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apimachinery.pkg.apis.meta.v1',
  types: {
    APIGroup: {
      doc: 'An API group: its name, its versions and the preferred version.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the group; empty for the core group.' },
        versions: { n: 2, type: '[]GroupVersionForDiscovery', omit: 'never', required: true, list: 'atomic', doc: 'Versions of the group that are served.' },
        preferredVersion: { n: 3, type: 'GroupVersionForDiscovery', doc: 'Version that clients should use by default.' },
        serverAddressByClientCIDRs: { n: 4, type: '[]ServerAddressByClientCIDR', list: 'atomic', doc: 'Addresses of the server, by the network of the client.' },
      },
    },
    APIGroupList: {
      doc: 'The API groups of a server, the answer of /apis.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        groups: { n: 1, type: '[]APIGroup', omit: 'never', required: true, list: 'atomic', doc: 'One entry a group.' },
      },
    },
    APIResource: {
      doc: 'A resource of a group version, as discovery lists it.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Plural name, as in paths; subresources as resource/subresource.' },
        namespaced: { n: 2, type: 'bool', omit: 'never', required: true, default: false, doc: 'True when objects of the resource live in namespaces.' },
        kind: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of the objects, such as Pod.' },
        verbs: { n: 4, type: 'Verbs', omit: 'never', required: true, alias: 'Verbs', doc: 'Verbs that the resource takes, such as get, list and watch.' },
        shortNames: { n: 5, type: '[]string', list: 'atomic', doc: 'Abbreviations that clients accept for the name.' },
        singularName: { n: 6, type: 'string', omit: 'never', required: true, default: '', doc: 'Singular name, as clients print it.' },
        categories: { n: 7, type: '[]string', list: 'atomic', doc: 'Groups of resources that this one is listed under, such as all.' },
        group: { n: 8, type: 'string', doc: 'Group of the kind where it differs from that of the list.' },
        version: { n: 9, type: 'string', doc: 'Version of the kind where it differs from that of the list.' },
        storageVersionHash: { n: 10, type: 'string', doc: 'Opaque hash of the version that objects are stored in; it changes when that version does.' },
      },
    },
    APIResourceList: {
      doc: 'The resources of a group version, the answer of /apis/<group>/<version>.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        groupVersion: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'The group version that the resources belong to.' },
        resources: { n: 2, type: '[]APIResource', omit: 'never', required: true, list: 'atomic', doc: 'One entry a resource or subresource.' },
      },
    },
    APIVersions: {
      doc: 'Versions of the core group, the answer of /api.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        versions: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Versions that are served.' },
        serverAddressByClientCIDRs: { n: 2, type: '[]ServerAddressByClientCIDR', omit: 'never', required: true, list: 'atomic', doc: 'Addresses of the server, by the network of the client.' },
      },
    },
    ApplyOptions: {
      doc: 'Options of a server-side apply.',
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic', doc: 'With All, the request runs through every stage but nothing is stored.' },
        force: { n: 2, type: 'bool', omit: 'never', required: true, default: false, doc: 'Takes over fields that other managers own.' },
        fieldManager: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name under which the applied fields are owned; required.' },
      },
    },
    Condition: {
      doc: "One aspect of an object's state.",
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        observedGeneration: { n: 3, type: 'int64', format: 'int64', doc: 'Generation of the object that the condition was derived from.' },
        lastTransitionTime: { n: 4, type: 'Time', omit: 'never', required: true, doc: 'When the status last changed from one value to another.' },
        reason: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 6, type: 'string', omit: 'never', required: true, default: '', doc: 'Details of the last change, for people.' },
      },
    },
    CreateOptions: {
      doc: 'Options of a create.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic', doc: 'With All, the request runs through every stage but nothing is stored.' },
        fieldManager: { n: 3, type: 'string', doc: 'Name of the client that makes the change, for field ownership; at most 128 printable characters.' },
        fieldValidation: { n: 4, type: 'string', doc: 'Treatment of unknown and duplicate fields: Ignore, Warn or Strict.' },
      },
    },
    DeleteOptions: {
      doc: 'Options of a delete.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        gracePeriodSeconds: { n: 1, type: '*int64', format: 'int64', doc: "Seconds until the object is removed; 0 removes it at once. Defaults to the kind's own period." },
        preconditions: { n: 2, type: '*Preconditions', doc: 'Conditions on the stored object; otherwise the delete fails with a conflict.' },
        orphanDependents: { n: 3, type: '*bool', deprecated: true, doc: 'Deprecated: use propagationPolicy. Whether dependents lose their owner instead of being deleted.' },
        propagationPolicy: { n: 4, type: '*string', alias: 'DeletionPropagation', doc: 'Treatment of dependents: Orphan, Background or Foreground.' },
        dryRun: { n: 5, type: '[]string', list: 'atomic', doc: 'With All, the request runs through every stage but nothing is stored.' },
        ignoreStoreReadErrorWithClusterBreakingPotential: { n: 6, type: '*bool', doc: 'Removes an object that cannot be read from the store, regardless of finalizers and preconditions.' },
      },
    },
    FieldSelectorRequirement: {
      doc: 'A condition on one field of an object.',
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Path of the field.' },
        operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'FieldSelectorOperator', doc: 'How the field relates to the values: In, NotIn, Exists or DoesNotExist.' },
        values: { n: 3, type: '[]string', list: 'atomic', doc: 'Values to compare with; at least one for In and NotIn, none otherwise.' },
      },
    },
    GetOptions: {
      doc: 'Options of a get.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        resourceVersion: { n: 1, type: 'string', doc: 'Oldest state that the answer may show; see the resource versions of a list.' },
      },
    },
    GroupKind: {
      doc: 'A kind without its version.',
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the API group.' },
        kind: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the kind.' },
      },
    },
    GroupResource: {
      doc: 'A resource without its version.',
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the API group; empty for core.' },
        resource: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Plural name of the resource.' },
      },
    },
    GroupVersion: {
      doc: 'A version of an API group.',
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the API group.' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the version.' },
      },
    },
    GroupVersionForDiscovery: {
      doc: 'A version of a group in discovery.',
      fields: {
        groupVersion: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Group and version as one text: group/version, or the version alone for core.' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'The version alone.' },
      },
    },
    GroupVersionKind: {
      doc: 'A kind, fully named.',
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the API group; empty for core.' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the version.' },
        kind: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the kind.' },
      },
    },
    GroupVersionResource: {
      doc: 'A resource, fully named.',
      fields: {
        group: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the API group; empty for core.' },
        version: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the version.' },
        resource: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Plural name of the resource.' },
      },
    },
    LabelSelector: {
      doc: 'Selects objects by their labels; all parts must match. An empty selector matches everything.',
      map: 'atomic',
      fields: {
        matchLabels: { n: 1, type: 'map[string]string', doc: 'Labels that an object must have with exactly these values.' },
        matchExpressions: { n: 2, type: '[]LabelSelectorRequirement', list: 'atomic', doc: 'Further conditions on labels.' },
      },
    },
    LabelSelectorRequirement: {
      doc: 'A condition on one label.',
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the label.' },
        operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'LabelSelectorOperator', doc: 'How the label relates to the values: In, NotIn, Exists or DoesNotExist.' },
        values: { n: 3, type: '[]string', list: 'atomic', doc: 'Values to compare with; at least one for In and NotIn, none otherwise.' },
      },
    },
    List: {
      doc: 'A list of objects that may be of different kinds.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]RawExtension', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ListMeta: {
      doc: 'Metadata of a list.',
      fields: {
        selfLink: { n: 1, type: 'string', deprecated: true, doc: 'Deprecated: no longer filled in.' },
        resourceVersion: { n: 2, type: 'string', doc: 'Version of the store at which the list was read; a watch can start from it.' },
        continue: { n: 3, type: 'string', doc: 'Token for the next chunk of the list; empty when this is the last.' },
        remainingItemCount: { n: 4, type: '*int64', format: 'int64', doc: 'How many items follow this chunk; absent when unknown.' },
        shardInfo: { n: 5, type: '*ShardInfo', gate: ['ShardedListAndWatch'], doc: 'The part of the collection in the list, when a shard was requested.' },
      },
    },
    ListOptions: {
      doc: 'Options of a list or watch.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        labelSelector: { n: 1, type: 'string', doc: 'Keeps only objects whose labels match.' },
        fieldSelector: { n: 2, type: 'string', doc: 'Keeps only objects whose fields match.' },
        watch: { n: 3, type: 'bool', doc: 'Answers with a stream of changes instead of a list.' },
        allowWatchBookmarks: { n: 9, type: 'bool', doc: 'Lets a watch send BOOKMARK events, which carry only a resource version.' },
        resourceVersion: { n: 4, type: 'string', doc: 'Which state an answer may show, read together with resourceVersionMatch.' },
        resourceVersionMatch: { n: 10, type: 'string', alias: 'ResourceVersionMatch', doc: 'How resourceVersion applies to a list: Exact or NotOlderThan.' },
        timeoutSeconds: { n: 5, type: '*int64', format: 'int64', doc: 'Seconds after which the call ends, whatever it does.' },
        limit: { n: 7, type: 'int64', format: 'int64', doc: 'Maximum number of items in one answer; the rest follows by the continue token.' },
        continue: { n: 8, type: 'string', doc: 'Token of the previous chunk: the list continues after it.' },
        sendInitialEvents: { n: 11, type: '*bool', doc: 'Begins a watch with the present objects as ADDED events and a bookmark.' },
        shardSelector: { n: 15, type: 'string', gate: ['ShardedListAndWatch'], doc: 'Restricts the answer to a part of the collection, by hash of a field.' },
      },
    },
    ManagedFieldsEntry: {
      doc: 'Fields that one manager set by one operation.',
      fields: {
        manager: { n: 1, type: 'string', doc: 'Name of the manager: a program, controller or user.' },
        operation: { n: 2, type: 'string', alias: 'ManagedFieldsOperationType', doc: 'How the fields were set: Apply or Update.' },
        apiVersion: { n: 3, type: 'string', doc: 'Version of the API that the field paths are written in.' },
        time: { n: 4, type: '*Time', doc: 'When the entry was last changed.' },
        fieldsType: { n: 6, type: 'string', doc: 'Format of the field set; FieldsV1 is the only one.' },
        fieldsV1: { n: 7, type: '*FieldsV1', doc: 'The fields, as a tree of their paths.' },
        subresource: { n: 8, type: 'string', doc: 'Subresource through which the object was written; empty for the object itself.' },
      },
    },
    ObjectMeta: {
      doc: 'Metadata that every stored object has.',
      fields: {
        name: { n: 1, type: 'string', doc: 'Name of the object, unique among those of its resource in a namespace. Cannot be changed.' },
        generateName: { n: 2, type: 'string', doc: 'Prefix of a name that the server generates when name is empty.' },
        namespace: { n: 3, type: 'string', doc: 'Namespace of the object; empty for cluster-wide objects. Cannot be changed.' },
        selfLink: { n: 4, type: 'string', deprecated: true, doc: 'Deprecated: no longer filled in.' },
        uid: { n: 5, type: 'string', alias: 'UID', doc: 'Unique identifier of the object, never used again. Set by the server.' },
        resourceVersion: { n: 6, type: 'string', doc: 'Changes with every write; send it back to make an update fail if someone else wrote.' },
        generation: { n: 7, type: 'int64', format: 'int64', doc: 'Counts changes of the desired state. Set by the server.' },
        creationTimestamp: { n: 8, type: 'Time', omit: 'zero', doc: 'CreationTimestamp is a timestamp of when the object was made, set by the server.' },
        deletionTimestamp: { n: 9, type: '*Time', doc: 'When the object is to be removed; set when deletion was requested and finalizers or a grace period delay it.' },
        deletionGracePeriodSeconds: { n: 10, type: '*int64', format: 'int64', doc: 'Seconds that the object has for its termination. Set together with deletionTimestamp.' },
        labels: { n: 11, type: 'map[string]string', doc: 'Short keys and values to organize and select objects by.' },
        annotations: { n: 12, type: 'map[string]string', doc: 'Keys and values for tools and people; selectors cannot use them.' },
        ownerReferences: { n: 13, type: '[]OwnerReference', list: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid', doc: 'Objects that this one belongs to; it is collected when all of them are deleted.' },
        finalizers: { n: 14, type: '[]string', list: 'set', patch: 'merge', doc: 'Names of tasks that must be done before the object is removed; each is removed by the component that did it.' },
        managedFields: { n: 17, type: '[]ManagedFieldsEntry', list: 'atomic', emptyDiffers: true, doc: 'Which manager set which fields; maintained by the server for server-side apply.' },
      },
    },
    OwnerReference: {
      doc: 'Names an object that owns this one, in the same namespace or cluster-wide.',
      map: 'atomic',
      fields: {
        apiVersion: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Group version of the owner.' },
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of the owner.' },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the owner.' },
        uid: { n: 4, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'UID of the owner.' },
        controller: { n: 6, type: '*bool', doc: 'True for the one owner that manages the object.' },
        blockOwnerDeletion: { n: 7, type: '*bool', doc: 'Delays a foreground deletion of the owner until this object is deleted.' },
      },
    },
    PartialObjectMetadata: {
      doc: 'An object reduced to its metadata.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      },
    },
    PartialObjectMetadataList: {
      doc: 'A list of objects reduced to their metadata.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]PartialObjectMetadata', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    Patch: {
      doc: 'Body of a PATCH; its form follows from the content type.',
      fields: {},
    },
    PatchOptions: {
      doc: 'Options of a patch.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic', doc: 'With All, the request runs through every stage but nothing is stored.' },
        force: { n: 2, type: '*bool', doc: 'Takes over fields that other managers own. Only for apply.' },
        fieldManager: { n: 3, type: 'string', doc: 'Name of the client that makes the change, for field ownership; at most 128 printable characters.' },
        fieldValidation: { n: 4, type: 'string', doc: 'Treatment of unknown and duplicate fields: Ignore, Warn or Strict.' },
      },
    },
    Preconditions: {
      doc: 'Conditions on an object before it is changed or deleted.',
      fields: {
        uid: { n: 1, type: '*string', alias: 'UID', doc: 'The UID that the object must have.' },
        resourceVersion: { n: 2, type: '*string', doc: 'The resource version that the object must be at.' },
      },
    },
    RootPaths: {
      doc: 'Paths that the server serves.',
      fields: {
        paths: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'One entry a path.' },
      },
    },
    ServerAddressByClientCIDR: {
      doc: 'Address of the server for clients of one network.',
      fields: {
        clientCIDR: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Network of the clients, as a CIDR block.' },
        serverAddress: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Host name, address, or address and port of the server.' },
      },
    },
    ShardInfo: {
      doc: 'The shard that a list covers.',
      fields: {
        selector: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'The shard selector that the list was asked with.' },
      },
    },
    Status: {
      doc: 'Outcome of a request that returns no object: success or the reason of a failure.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { n: 1, type: 'ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        status: { n: 2, type: 'string', doc: 'Success or Failure.' },
        message: { n: 3, type: 'string', doc: 'What happened, for people.' },
        reason: { n: 4, type: 'string', alias: 'StatusReason', doc: 'Machine-readable cause of a failure, such as NotFound; it refines the code.' },
        details: { n: 5, type: '*StatusDetails', doc: 'Further data about the failure; what is in it depends on the reason.' },
        code: { n: 6, type: 'int32', format: 'int32', doc: 'HTTP status code of the answer.' },
      },
    },
    StatusCause: {
      doc: 'One of several causes of a failure.',
      fields: {
        reason: { n: 1, type: 'string', alias: 'CauseType', doc: 'Machine-readable kind of the cause.' },
        message: { n: 2, type: 'string', doc: 'What is wrong, for people.' },
        field: { n: 3, type: 'string', doc: 'Path of the field at fault, such as spec.containers[0].name.' },
      },
    },
    StatusDetails: {
      doc: 'Object and causes of a failure.',
      fields: {
        name: { n: 1, type: 'string', doc: 'Name of the object concerned.' },
        group: { n: 2, type: 'string', doc: 'API group of the object concerned.' },
        kind: { n: 3, type: 'string', doc: 'Kind or resource of the object concerned.' },
        uid: { n: 6, type: 'string', alias: 'UID', doc: 'UID of the object concerned, when it is a single one.' },
        causes: { n: 4, type: '[]StatusCause', list: 'atomic', doc: 'The single causes, such as one entry an invalid field.' },
        retryAfterSeconds: { n: 5, type: 'int32', format: 'int32', doc: "Seconds to wait before a retry, or before checking the operation's progress." },
      },
    },
    Table: {
      doc: 'Objects as rows for printing.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        metadata: { type: 'ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        columnDefinitions: { type: '[]TableColumnDefinition', omit: 'never', required: true, list: 'atomic', doc: 'The columns, in order.' },
        rows: { type: '[]TableRow', omit: 'never', required: true, list: 'atomic', doc: 'One row an object.' },
      },
    },
    TableColumnDefinition: {
      doc: 'A column of a table.',
      fields: {
        name: { type: 'string', omit: 'never', required: true, default: '', doc: 'Heading of the column.' },
        type: { type: 'string', omit: 'never', required: true, default: '', doc: 'OpenAPI type of the cells: string, integer, number, boolean or date.' },
        format: { type: 'string', omit: 'never', required: true, default: '', doc: "OpenAPI format that refines the type; name marks the column with the object's name." },
        description: { type: 'string', omit: 'never', required: true, default: '', doc: 'Description of the column.' },
        priority: { type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: '0 for columns that always show; higher ones show in wide output.' },
      },
    },
    TableOptions: {
      doc: 'Options of a call that answers with a table.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        includeObject: { n: 1, type: 'string', alias: 'IncludeObjectPolicy', doc: 'How much of each object a row carries: None, Metadata or Object.' },
      },
    },
    TableRow: {
      doc: 'One object of a table.',
      fields: {
        cells: { type: '[]JSON', omit: 'never', required: true, list: 'atomic', doc: 'One value a column.' },
        conditions: { type: '[]TableRowCondition', list: 'atomic', doc: 'Conditions of the row, such as Completed.' },
        object: { type: 'RawExtension', doc: 'The object or its metadata, as includeObject demands.' },
      },
    },
    TableRowCondition: {
      doc: "A condition of a table's row.",
      fields: {
        type: { type: 'string', omit: 'never', required: true, default: '', alias: 'RowConditionType', doc: 'Type of the condition; Completed is the only one.' },
        status: { type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        reason: { type: 'string', doc: 'Machine-readable cause of the condition.' },
        message: { type: 'string', doc: 'Details of the condition, for people.' },
      },
    },
    Timestamp: {
      doc: 'An instant, as protobuf carries it.',
      fields: {
        seconds: { n: 1, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', doc: 'Seconds since 1970-01-01T00:00:00Z.' },
        nanos: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Nanoseconds within the second, 0 to 999999999.' },
      },
    },
    TypeMeta: {
      doc: 'Kind and version of an object.',
      fields: {
        kind: { n: 1, type: 'string', doc: "Name of the object's kind, in CamelCase. Cannot be changed." },
        apiVersion: { n: 2, type: 'string', doc: "Group and version of the object's form, such as apps/v1, or v1 for core." },
      },
    },
    UpdateOptions: {
      doc: 'Options of an update.',
      kind: true,
      fields: {
        TypeMeta: { type: 'TypeMeta', inline: true },
        dryRun: { n: 1, type: '[]string', list: 'atomic', doc: 'With All, the request runs through every stage but nothing is stored.' },
        fieldManager: { n: 2, type: 'string', doc: 'Name of the client that makes the change, for field ownership; at most 128 printable characters.' },
        fieldValidation: { n: 3, type: 'string', doc: 'Treatment of unknown and duplicate fields: Ignore, Warn or Strict.' },
      },
    },
    Verbs: {
      doc: 'Names of verbs.',
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string', doc: 'One entry a verb.' },
      },
    },
    WatchEvent: {
      doc: 'One change that a watch reports.',
      kind: true,
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'What happened: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.' },
        object: { n: 2, type: 'RawExtension', omit: 'never', required: true, doc: 'The object after the change or, when deleted, before it; a Status for ERROR.' },
      },
    },
  },
}

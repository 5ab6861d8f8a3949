import type { TypeTable } from '../../../lib/schema/index.ts'

/** Namespaces, config maps, secrets, service accounts, quotas and limits. */
export const configTypes: Readonly<Record<string, TypeTable>> = {
  ConfigMap: {
    doc: 'Configuration data for pods to read.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      immutable: { n: 4, type: '*bool', doc: 'When true, the data cannot be changed and this cannot be unset.' },
      data: { n: 2, type: 'map[string]string', doc: 'Text by key; keys have letters, digits, -, _ and . and do not occur in binaryData.' },
      binaryData: { n: 3, type: 'map[string]bytes', doc: 'Bytes by key, for what is not UTF-8; keys do not occur in data.' },
    },
  },
  ConfigMapList: {
    doc: 'A list of ConfigMap objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]ConfigMap', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  ConfigMapNodeConfigSource: {
    doc: "A config map that was a node's configuration. No longer used.",
    fields: {
      namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Namespace of the config map.' },
      name: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the config map.' },
      uid: { n: 3, type: 'string', alias: 'UID', doc: 'UID of the config map.' },
      resourceVersion: { n: 4, type: 'string', doc: 'Resource version of the config map.' },
      kubeletConfigKey: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the config map that has the configuration.' },
    },
  },
  LimitRange: {
    doc: 'Bounds and defaults for the resources that objects of a namespace use.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'LimitRangeSpec', doc: 'The limits.' },
    },
  },
  LimitRangeItem: {
    doc: 'Limits for one kind of object.',
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'LimitType', doc: 'What the limits are for: Container, Pod or PersistentVolumeClaim.' },
      max: { n: 2, type: 'map[string]Quantity', doc: 'Maximum of each resource.' },
      min: { n: 3, type: 'map[string]Quantity', doc: 'Minimum of each resource.' },
      default: { n: 4, type: 'map[string]Quantity', doc: 'Default limits of containers.' },
      defaultRequest: { n: 5, type: 'map[string]Quantity', doc: 'Default requests of containers.' },
      maxLimitRequestRatio: { n: 6, type: 'map[string]Quantity', doc: 'Maximum ratio of a limit to its request.' },
    },
  },
  LimitRangeList: {
    doc: 'A list of LimitRange objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]LimitRange', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  LimitRangeSpec: {
    doc: 'Checked when an object is created; containers without values get the defaults.',
    fields: {
      limits: { n: 1, type: '[]LimitRangeItem', omit: 'never', required: true, list: 'atomic', doc: 'One entry a kind of object.' },
    },
  },
  Namespace: {
    doc: 'A scope for names: objects of different namespaces may have the same name.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'NamespaceSpec', doc: 'Finalizers of the namespace.' },
      status: { n: 3, type: 'NamespaceStatus', doc: 'Whether the namespace is in use or being deleted.' },
    },
  },
  NamespaceCondition: {
    doc: "One aspect of a namespace's deletion.",
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'NamespaceConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
      lastTransitionTime: { n: 4, type: 'Time', doc: 'When the status last changed from one value to another.' },
      reason: { n: 5, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
      message: { n: 6, type: 'string', doc: 'Details of the last change, for people.' },
    },
  },
  NamespaceList: {
    doc: 'A list of Namespace objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]Namespace', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  NamespaceSpec: {
    doc: 'A namespace is removed only after its finalizers are.',
    fields: {
      finalizers: { n: 1, type: '[]string', list: 'atomic', alias: 'FinalizerName', doc: 'Names of tasks that must be done before the namespace is removed.' },
    },
  },
  NamespaceStatus: {
    doc: 'State of a namespace.',
    fields: {
      phase: { n: 1, type: 'string', alias: 'NamespacePhase', enum: ['Active', 'Terminating'], doc: 'Active, or Terminating while its objects are being deleted.' },
      conditions: { n: 2, type: '[]NamespaceCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'Progress and failures of the deletion.' },
    },
  },
  ResourceQuota: {
    doc: 'Limits on the total usage of a namespace.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'ResourceQuotaSpec', doc: 'The limits.' },
      status: { n: 3, type: 'ResourceQuotaStatus', doc: 'The limits in force and the usage.' },
    },
  },
  ResourceQuotaList: {
    doc: 'A list of ResourceQuota objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]ResourceQuota', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  ResourceQuotaSpec: {
    doc: 'A request that would exceed any of these is refused.',
    fields: {
      hard: { n: 1, type: 'map[string]Quantity', doc: 'Maximum of each resource; count/<resource>.<group> limits a number of objects.' },
      scopes: { n: 2, type: '[]string', list: 'atomic', alias: 'ResourceQuotaScope', itemEnum: ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'], doc: 'Counts only objects that are in all of these scopes.' },
      scopeSelector: { n: 3, type: '*ScopeSelector', doc: 'Counts only objects that match, by scope and value; in addition to scopes.' },
    },
  },
  ResourceQuotaStatus: {
    doc: 'Limits and usage of a namespace.',
    fields: {
      hard: { n: 1, type: 'map[string]Quantity', doc: 'The limits in force.' },
      used: { n: 2, type: 'map[string]Quantity', doc: 'Present usage.' },
    },
  },
  ScopeSelector: {
    doc: 'Selects objects by the scopes that they are in.',
    map: 'atomic',
    fields: {
      matchExpressions: { n: 1, type: '[]ScopedResourceSelectorRequirement', list: 'atomic', doc: 'Conditions on scopes; all must match.' },
    },
  },
  ScopedResourceSelectorRequirement: {
    doc: 'A condition on one scope.',
    fields: {
      scopeName: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceQuotaScope', enum: ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'], doc: 'The scope, such as PriorityClass.' },
      operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ScopeSelectorOperator', enum: ['DoesNotExist', 'Exists', 'In', 'NotIn'], doc: 'How the scope relates to the values.' },
      values: { n: 3, type: '[]string', list: 'atomic', doc: 'Values to compare with; at least one for In and NotIn, none otherwise.' },
    },
  },
  Secret: {
    doc: 'Small amounts of confidential data, such as passwords, tokens and keys.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      immutable: { n: 5, type: '*bool', doc: 'When true, the data cannot be changed and this cannot be unset.' },
      data: { n: 2, type: 'map[string]bytes', doc: 'Bytes by key, base64 in JSON; keys have letters, digits, -, _ and ., all values together at most 1 MiB.' },
      stringData: { n: 4, type: 'map[string]string', doc: 'Text to write to data, replacing existing values; never returned.' },
      type: { n: 3, type: 'string', alias: 'SecretType', doc: 'Purpose of the data; some types require certain keys. Defaults to Opaque. Cannot be changed.' },
    },
  },
  SecretList: {
    doc: 'A list of Secret objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]Secret', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  ServiceAccount: {
    doc: 'An identity for processes in pods.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      secrets: { n: 2, type: '[]ObjectReference', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', deprecated: true, doc: 'Deprecated: secrets that pods of this account may use, when the account has the annotation that enforces it.' },
      imagePullSecrets: { n: 3, type: '[]LocalObjectReference', list: 'atomic', doc: 'Secrets for pulling images, added to pods of this account without any.' },
      automountServiceAccountToken: { n: 4, type: '*bool', doc: 'Whether pods get a token mounted; pods may override it. Defaults to true.' },
    },
  },
  ServiceAccountList: {
    doc: 'A list of ServiceAccount objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]ServiceAccount', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
}

import type { TypeTable } from '../../../lib/schema/index.ts'

/** Namespaces, config maps, secrets, service accounts, quotas and limits. */
export const configTypes: Readonly<Record<string, TypeTable>> = {
  ConfigMap: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      immutable: { n: 4, type: '*bool' },
      data: { n: 2, type: 'map[string]string' },
      binaryData: { n: 3, type: 'map[string]bytes' },
    },
  },
  ConfigMapList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]ConfigMap', omit: 'never', required: true },
    },
  },
  ConfigMapNodeConfigSource: {
    fields: {
      namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      name: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      uid: { n: 3, type: 'string', alias: 'UID' },
      resourceVersion: { n: 4, type: 'string' },
      kubeletConfigKey: { n: 5, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  LimitRange: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'LimitRangeSpec' },
    },
  },
  LimitRangeItem: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'LimitType' },
      max: { n: 2, type: 'map[string]Quantity' },
      min: { n: 3, type: 'map[string]Quantity' },
      default: { n: 4, type: 'map[string]Quantity' },
      defaultRequest: { n: 5, type: 'map[string]Quantity' },
      maxLimitRequestRatio: { n: 6, type: 'map[string]Quantity' },
    },
  },
  LimitRangeList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]LimitRange', omit: 'never', required: true },
    },
  },
  LimitRangeSpec: {
    fields: {
      limits: { n: 1, type: '[]LimitRangeItem', omit: 'never', required: true, list: 'atomic' },
    },
  },
  Namespace: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'NamespaceSpec' },
      status: { n: 3, type: 'NamespaceStatus' },
    },
  },
  NamespaceCondition: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'NamespaceConditionType' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
      lastTransitionTime: { n: 4, type: 'Time' },
      reason: { n: 5, type: 'string' },
      message: { n: 6, type: 'string' },
    },
  },
  NamespaceList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]Namespace', omit: 'never', required: true },
    },
  },
  NamespaceSpec: {
    fields: {
      finalizers: { n: 1, type: '[]string', list: 'atomic', alias: 'FinalizerName' },
    },
  },
  NamespaceStatus: {
    fields: {
      phase: { n: 1, type: 'string', alias: 'NamespacePhase', enum: ['Active', 'Terminating'] },
      conditions: { n: 2, type: '[]NamespaceCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
    },
  },
  ResourceQuota: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'ResourceQuotaSpec' },
      status: { n: 3, type: 'ResourceQuotaStatus' },
    },
  },
  ResourceQuotaList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]ResourceQuota', omit: 'never', required: true },
    },
  },
  ResourceQuotaSpec: {
    fields: {
      hard: { n: 1, type: 'map[string]Quantity' },
      scopes: { n: 2, type: '[]string', list: 'atomic', alias: 'ResourceQuotaScope', itemEnum: ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'] },
      scopeSelector: { n: 3, type: '*ScopeSelector' },
    },
  },
  ResourceQuotaStatus: {
    fields: {
      hard: { n: 1, type: 'map[string]Quantity' },
      used: { n: 2, type: 'map[string]Quantity' },
    },
  },
  ScopeSelector: {
    map: 'atomic',
    fields: {
      matchExpressions: { n: 1, type: '[]ScopedResourceSelectorRequirement', list: 'atomic' },
    },
  },
  ScopedResourceSelectorRequirement: {
    fields: {
      scopeName: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceQuotaScope', enum: ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'] },
      operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ScopeSelectorOperator', enum: ['DoesNotExist', 'Exists', 'In', 'NotIn'] },
      values: { n: 3, type: '[]string', list: 'atomic' },
    },
  },
  Secret: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      immutable: { n: 5, type: '*bool' },
      data: { n: 2, type: 'map[string]bytes' },
      stringData: { n: 4, type: 'map[string]string' },
      type: { n: 3, type: 'string', alias: 'SecretType' },
    },
  },
  SecretList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]Secret', omit: 'never', required: true },
    },
  },
  ServiceAccount: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      secrets: { n: 2, type: '[]ObjectReference', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', deprecated: true },
      imagePullSecrets: { n: 3, type: '[]LocalObjectReference', list: 'atomic' },
      automountServiceAccountToken: { n: 4, type: '*bool' },
    },
  },
  ServiceAccountList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]ServiceAccount', omit: 'never', required: true },
    },
  },
}

import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const storageV1beta1: GroupVersionTable = {
  group: 'storage.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.storage.v1beta1',
  types: {
    CSIDriver: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'CSIDriverSpec', omit: 'never', required: true },
      },
    },
    CSIDriverList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]CSIDriver', omit: 'never', required: true },
      },
    },
    CSIDriverSpec: {
      fields: {
        attachRequired: { n: 1, type: '*bool' },
        podInfoOnMount: { n: 2, type: '*bool' },
        volumeLifecycleModes: { n: 3, type: '[]string', list: 'atomic', alias: 'VolumeLifecycleMode' },
        storageCapacity: { n: 4, type: '*bool' },
        fsGroupPolicy: { n: 5, type: '*string', alias: 'FSGroupPolicy' },
        tokenRequests: { n: 6, type: '[]TokenRequest', list: 'atomic' },
        requiresRepublish: { n: 7, type: '*bool' },
        seLinuxMount: { n: 8, type: '*bool', gate: ['SELinuxMountReadWriteOncePod'] },
        nodeAllocatableUpdatePeriodSeconds: { n: 9, type: '*int64', format: 'int64', gate: ['MutableCSINodeAllocatableCount'] },
        serviceAccountTokenInSecrets: { n: 10, type: '*bool', gate: ['CSIServiceAccountTokenSecrets'] },
        preventPodSchedulingIfMissing: { n: 11, type: '*bool', gate: ['VolumeLimitScaling'] },
      },
    },
    CSINode: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'CSINodeSpec', omit: 'never', required: true },
      },
    },
    CSINodeDriver: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        nodeID: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        topologyKeys: { n: 3, type: '[]string', omit: 'never', list: 'atomic' },
        allocatable: { n: 4, type: '*VolumeNodeResources' },
      },
    },
    CSINodeList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]CSINode', omit: 'never', required: true },
      },
    },
    CSINodeSpec: {
      fields: {
        drivers: { n: 1, type: '[]CSINodeDriver', omit: 'never', required: true, list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      },
    },
    CSIStorageCapacity: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        nodeTopology: { n: 2, type: '*meta/v1.LabelSelector' },
        storageClassName: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
        capacity: { n: 4, type: '*Quantity' },
        maximumVolumeSize: { n: 5, type: '*Quantity' },
      },
    },
    CSIStorageCapacityList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]CSIStorageCapacity', omit: 'never', required: true },
      },
    },
    StorageClass: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        provisioner: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'immutable @alpha 1.36'] },
        parameters: { n: 3, type: 'map[string]string', rules: ['immutable @alpha 1.36', 'optional @alpha 1.36'] },
        reclaimPolicy: { n: 4, type: '*string', alias: 'PersistentVolumeReclaimPolicy', enum: ['Delete', 'Recycle', 'Retain'], rules: ['immutable @alpha 1.36', 'optional @alpha 1.36'] },
        mountOptions: { n: 5, type: '[]string', list: 'atomic' },
        allowVolumeExpansion: { n: 6, type: '*bool' },
        volumeBindingMode: { n: 7, type: '*string', alias: 'VolumeBindingMode', rules: ['immutable @alpha 1.36', 'optional @alpha 1.36'] },
        allowedTopologies: { n: 8, type: '[]core/v1.TopologySelectorTerm', list: 'atomic' },
      },
    },
    StorageClassList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]StorageClass', omit: 'never', required: true },
      },
    },
    TokenRequest: {
      fields: {
        audience: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        expirationSeconds: { n: 2, type: '*int64', format: 'int64' },
      },
    },
    VolumeAttachment: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'VolumeAttachmentSpec', omit: 'never', required: true, rules: ['immutable @alpha 1.36'] },
        status: { n: 3, type: 'VolumeAttachmentStatus' },
      },
    },
    VolumeAttachmentList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]VolumeAttachment', omit: 'never', required: true },
      },
    },
    VolumeAttachmentSource: {
      fields: {
        persistentVolumeName: { n: 1, type: '*string' },
        inlineVolumeSpec: { n: 2, type: '*core/v1.PersistentVolumeSpec' },
      },
    },
    VolumeAttachmentSpec: {
      fields: {
        attacher: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format="k8s-long-name-caseless" @alpha 1.36', 'maxLength=63 @alpha 1.36'] },
        source: { n: 2, type: 'VolumeAttachmentSource', omit: 'never', required: true },
        nodeName: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    VolumeAttachmentStatus: {
      fields: {
        attached: { n: 1, type: 'bool', omit: 'never', required: true, default: false },
        attachmentMetadata: { n: 2, type: 'map[string]string' },
        attachError: { n: 3, type: '*VolumeError' },
        detachError: { n: 4, type: '*VolumeError' },
      },
    },
    VolumeAttributesClass: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        driverName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        parameters: { n: 3, type: 'map[string]string' },
      },
    },
    VolumeAttributesClassList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]VolumeAttributesClass', omit: 'never', required: true },
      },
    },
    VolumeError: {
      fields: {
        time: { n: 1, type: 'Time' },
        message: { n: 2, type: 'string' },
        errorCode: { n: 3, type: '*int32', format: 'int32', gate: ['MutableCSINodeAllocatableCount'] },
      },
    },
    VolumeNodeResources: {
      fields: {
        count: { n: 1, type: '*int32', format: 'int32' },
      },
    },
  },
  resources: {
    volumeattributesclasses: {
      kind: 'VolumeAttributesClass',
      singular: 'volumeattributesclass',
      listKind: 'VolumeAttributesClassList',
      namespaced: false,
      shortNames: ['vac'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'volumeattributesclasses',
      storageVersionHash: 'tIjydgKBC5w=',
      served: false,
      introduced: '1.31',
      deprecated: '1.34',
      removed: '1.37',
      replacement: 'storage.k8s.io/v1 VolumeAttributesClass',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'object',
    },
  },
}

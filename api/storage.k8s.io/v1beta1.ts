import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const storageV1beta1: GroupVersionTable = {
  group: 'storage.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.storage.v1beta1',
  types: {
    CSIDriver: {
      doc: 'A storage driver in the cluster; its name is the one that the driver reports.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'CSIDriverSpec', omit: 'never', required: true, doc: 'Requirements and features of the driver.' },
      },
    },
    CSIDriverList: {
      doc: 'A list of CSIDriver objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]CSIDriver', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    CSIDriverSpec: {
      doc: 'Requirements and features of a driver.',
      fields: {
        attachRequired: { n: 1, type: '*bool', doc: 'Volumes need an attach step before they are mounted. Defaults to true. Cannot be changed.' },
        podInfoOnMount: { n: 2, type: '*bool', doc: 'Passes name, namespace and UID of the pod in the volume context of a mount. Defaults to false.' },
        volumeLifecycleModes: { n: 3, type: '[]string', list: 'atomic', alias: 'VolumeLifecycleMode', doc: 'Kinds of volume: Persistent (the default) and Ephemeral, for volumes inline in a pod. Cannot be changed.' },
        storageCapacity: { n: 4, type: '*bool', doc: 'The scheduler waits for CSIStorageCapacity objects from the driver, and uses them.' },
        fsGroupPolicy: { n: 5, type: '*string', alias: 'FSGroupPolicy', doc: "When a pod's fsGroup applies to volumes: ReadWriteOnceWithFSType (the default), File or None." },
        tokenRequests: { n: 6, type: '[]TokenRequest', list: 'atomic', doc: 'Service account tokens of the pod for mounts; one of each audience, at most one with an empty one.' },
        requiresRepublish: { n: 7, type: '*bool', doc: "Repeats the mount call at intervals so that the volume's contents are renewed. Defaults to false." },
        seLinuxMount: { n: 8, type: '*bool', gate: ['SELinuxMountReadWriteOncePod'], doc: 'Each volume can be mounted with a separate SELinux context. Defaults to false.' },
        nodeAllocatableUpdatePeriodSeconds: { n: 9, type: '*int64', format: 'int64', gate: ['MutableCSINodeAllocatableCount'], doc: "Seconds between updates of a node's volume limit, at least 10; unset is never." },
        serviceAccountTokenInSecrets: { n: 10, type: '*bool', gate: ['CSIServiceAccountTokenSecrets'], doc: 'Passes tokens in the secrets of a call instead of in the volume context.' },
        preventPodSchedulingIfMissing: { n: 11, type: '*bool', gate: ['VolumeLimitScaling'], doc: 'Keeps pods that need the driver off nodes where it is not installed.' },
      },
    },
    CSINode: {
      doc: "The storage drivers of one node; has the node's name. Normally written by the kubelet.",
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'CSINodeSpec', omit: 'never', required: true, doc: 'The drivers.' },
      },
    },
    CSINodeDriver: {
      doc: 'A driver that is installed on the node.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name that the driver reports; matches its CSIDriver.' },
        nodeID: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: "The driver's identifier of this node." },
        topologyKeys: { n: 3, type: '[]string', omit: 'never', list: 'atomic', doc: 'Node labels by which the driver describes the reachability of volumes.' },
        allocatable: { n: 4, type: '*VolumeNodeResources', doc: 'How many volumes the driver can serve on this node.' },
      },
    },
    CSINodeList: {
      doc: 'A list of CSINode objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]CSINode', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    CSINodeSpec: {
      doc: 'Drivers register with the kubelet.',
      fields: {
        drivers: { n: 1, type: '[]CSINodeDriver', omit: 'never', required: true, list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'One entry a driver; may become empty.' },
      },
    },
    CSIStorageCapacity: {
      doc: 'Space that one storage class offers to one part of the cluster, as its driver reports it.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        nodeTopology: { n: 2, type: '*meta/v1.LabelSelector', doc: 'Nodes that can access the space: none when unset, all when empty. Cannot be changed.' },
        storageClassName: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the class; the object is obsolete when the class is deleted. Cannot be changed.' },
        capacity: { n: 4, type: '*Quantity', doc: 'Bytes that are free for new volumes; unset means none.' },
        maximumVolumeSize: { n: 5, type: '*Quantity', doc: 'Size of the largest possible volume; capacity is used when unset.' },
      },
    },
    CSIStorageCapacityList: {
      doc: 'A list of CSIStorageCapacity objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]CSIStorageCapacity', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    StorageClass: {
      doc: 'A class of storage from which volumes are provisioned.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        provisioner: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'immutable @alpha 1.36'], doc: 'Name of the provisioner that makes the volumes.' },
        parameters: { n: 3, type: 'map[string]string', rules: ['immutable @alpha 1.36', 'optional @alpha 1.36'], doc: 'Settings for the provisioner, which interprets them.' },
        reclaimPolicy: { n: 4, type: '*string', alias: 'PersistentVolumeReclaimPolicy', enum: ['Delete', 'Recycle', 'Retain'], rules: ['immutable @alpha 1.36', 'optional @alpha 1.36'], doc: 'Whether a volume is kept when its claim is deleted. Defaults to Delete.' },
        mountOptions: { n: 5, type: '[]string', list: 'atomic', doc: 'Mount options of the volumes; not checked, and a wrong one makes mounting fail.' },
        allowVolumeExpansion: { n: 6, type: '*bool', doc: 'Claims of this class may request more space later.' },
        volumeBindingMode: { n: 7, type: '*string', alias: 'VolumeBindingMode', rules: ['immutable @alpha 1.36', 'optional @alpha 1.36'], doc: 'Creates volumes at once (Immediate, the default) or when a pod needs them (WaitForFirstConsumer).' },
        allowedTopologies: { n: 8, type: '[]core/v1.TopologySelectorTerm', list: 'atomic', doc: 'Where volumes may be created; empty is anywhere. Any one term suffices.' },
      },
    },
    StorageClassList: {
      doc: 'A list of StorageClass objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]StorageClass', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    TokenRequest: {
      doc: 'A service account token that a driver requires.',
      fields: {
        audience: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Audience of the token; empty for the audiences of the API server.' },
        expirationSeconds: { n: 2, type: '*int64', format: 'int64', doc: 'Seconds that the token is valid; the default is that of token requests.' },
      },
    },
    VolumeAttachment: {
      doc: 'Attaches a volume to a node, and detaches it when deleted.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'VolumeAttachmentSpec', omit: 'never', required: true, rules: ['immutable @alpha 1.36'], doc: 'Volume, node and driver. Cannot be changed.' },
        status: { n: 3, type: 'VolumeAttachmentStatus', doc: 'State of the attachment.' },
      },
    },
    VolumeAttachmentList: {
      doc: 'A list of VolumeAttachment objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]VolumeAttachment', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    VolumeAttachmentSource: {
      doc: 'The volume to attach: exactly one of the fields is set.',
      fields: {
        persistentVolumeName: { n: 1, type: '*string', doc: 'Name of the persistent volume.' },
        inlineVolumeSpec: { n: 2, type: '*core/v1.PersistentVolumeSpec', doc: 'An inline volume of a pod, translated for the driver that replaces its plugin.' },
      },
    },
    VolumeAttachmentSpec: {
      doc: 'One volume, one node, one driver.',
      fields: {
        attacher: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format="k8s-long-name-caseless" @alpha 1.36', 'maxLength=63 @alpha 1.36'], doc: 'Name of the driver that attaches it.' },
        source: { n: 2, type: 'VolumeAttachmentSource', omit: 'never', required: true, doc: 'The volume.' },
        nodeName: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'The node.' },
      },
    },
    VolumeAttachmentStatus: {
      doc: 'State of an attachment; written by the attacher alone.',
      fields: {
        attached: { n: 1, type: 'bool', omit: 'never', required: true, default: false, doc: 'True after the volume was attached.' },
        attachmentMetadata: { n: 2, type: 'map[string]string', doc: 'Result of the attach call, for later calls.' },
        attachError: { n: 3, type: '*VolumeError', doc: 'Last failure to attach.' },
        detachError: { n: 4, type: '*VolumeError', doc: 'Last failure to detach.' },
      },
    },
    VolumeAttributesClass: {
      doc: 'Volume settings that a driver can change while the volume is in use.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        driverName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver. Cannot be changed.' },
        parameters: { n: 3, type: 'map[string]string', doc: 'Settings for the driver, which interprets them; 1 to 512. Cannot be changed.' },
      },
    },
    VolumeAttributesClassList: {
      doc: 'A list of VolumeAttributesClass objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]VolumeAttributesClass', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    VolumeError: {
      doc: 'A failed storage call.',
      fields: {
        time: { n: 1, type: 'Time', doc: 'When it failed.' },
        message: { n: 2, type: 'string', doc: 'Details of the failure; may be logged, so it must not hold secrets.' },
        errorCode: { n: 3, type: '*int32', format: 'int32', gate: ['MutableCSINodeAllocatableCount'], doc: 'Code of the failure, as gRPC numbers them.' },
      },
    },
    VolumeNodeResources: {
      doc: 'Limits of a driver on a node.',
      fields: {
        count: { n: 1, type: '*int32', format: 'int32', doc: "Maximum number of the driver's volumes on the node; unset is no limit." },
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

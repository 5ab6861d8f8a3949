// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** A storage driver in the cluster; its name is the one that the driver reports. */
export type CSIDriver = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Requirements and features of the driver. */
  spec: CSIDriverSpec
}

/** A list of CSIDriver objects. */
export type CSIDriverList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CSIDriver[]
}

/** Requirements and features of a driver. */
export type CSIDriverSpec = {
  /** Volumes need an attach step before they are mounted. Defaults to true. Cannot be changed. */
  attachRequired?: boolean
  /** Passes name, namespace and UID of the pod in the volume context of a mount. Defaults to false. */
  podInfoOnMount?: boolean
  /** Kinds of volume: Persistent (the default) and Ephemeral, for volumes inline in a pod. Cannot be changed. */
  volumeLifecycleModes?: string[]
  /** The scheduler waits for CSIStorageCapacity objects from the driver, and uses them. */
  storageCapacity?: boolean
  /** When a pod's fsGroup applies to volumes: ReadWriteOnceWithFSType (the default), File or None. */
  fsGroupPolicy?: string
  /** Service account tokens of the pod for mounts; one of each audience, at most one with an empty one. */
  tokenRequests?: TokenRequest[]
  /** Repeats the mount call at intervals so that the volume's contents are renewed. Defaults to false. */
  requiresRepublish?: boolean
  /** Each volume can be mounted with a separate SELinux context. Defaults to false. */
  seLinuxMount?: boolean
  /** Seconds between updates of a node's volume limit, at least 10; unset is never. */
  nodeAllocatableUpdatePeriodSeconds?: number
  /** Passes tokens in the secrets of a call instead of in the volume context. */
  serviceAccountTokenInSecrets?: boolean
  /** Keeps pods that need the driver off nodes where it is not installed. */
  preventPodSchedulingIfMissing?: boolean
}

/** The storage drivers of one node; has the node's name. Normally written by the kubelet. */
export type CSINode = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The drivers. */
  spec: CSINodeSpec
}

/** A driver that is installed on the node. */
export type CSINodeDriver = {
  /** Name that the driver reports; matches its CSIDriver. */
  name: string
  /** The driver's identifier of this node. */
  nodeID: string
  /** Node labels by which the driver describes the reachability of volumes. */
  topologyKeys?: string[]
  /** How many volumes the driver can serve on this node. */
  allocatable?: VolumeNodeResources
}

/** A list of CSINode objects. */
export type CSINodeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CSINode[]
}

/** Drivers register with the kubelet. */
export type CSINodeSpec = {
  /** One entry a driver; may become empty. */
  drivers?: CSINodeDriver[]
}

/** Space that one storage class offers to one part of the cluster, as its driver reports it. */
export type CSIStorageCapacity = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Nodes that can access the space: none when unset, all when empty. Cannot be changed. */
  nodeTopology?: metaV1.LabelSelector
  /** Name of the class; the object is obsolete when the class is deleted. Cannot be changed. */
  storageClassName: string
  /** Bytes that are free for new volumes; unset means none. */
  capacity?: string
  /** Size of the largest possible volume; capacity is used when unset. */
  maximumVolumeSize?: string
}

/** A list of CSIStorageCapacity objects. */
export type CSIStorageCapacityList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CSIStorageCapacity[]
}

/** A class of storage from which volumes are provisioned. */
export type StorageClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Name of the provisioner that makes the volumes. */
  provisioner: string
  /** Settings for the provisioner, which interprets them. */
  parameters?: Record<string, string>
  /** Whether a volume is kept when its claim is deleted. Defaults to Delete. */
  reclaimPolicy?: string
  /** Mount options of the volumes; not checked, and a wrong one makes mounting fail. */
  mountOptions?: string[]
  /** Claims of this class may request more space later. */
  allowVolumeExpansion?: boolean
  /** Creates volumes at once (Immediate, the default) or when a pod needs them (WaitForFirstConsumer). */
  volumeBindingMode?: string
  /** Where volumes may be created; empty is anywhere. Any one term suffices. */
  allowedTopologies?: coreV1.TopologySelectorTerm[]
}

/** A list of StorageClass objects. */
export type StorageClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: StorageClass[]
}

/** A service account token that a driver requires. */
export type TokenRequest = {
  /** Audience of the token; empty for the audiences of the API server. */
  audience: string
  /** Seconds that the token is valid; the default is that of token requests. */
  expirationSeconds?: number
}

/** Attaches a volume to a node, and detaches it when deleted. */
export type VolumeAttachment = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Volume, node and driver. Cannot be changed. */
  spec: VolumeAttachmentSpec
  /** State of the attachment. */
  status: VolumeAttachmentStatus
}

/** A list of VolumeAttachment objects. */
export type VolumeAttachmentList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: VolumeAttachment[]
}

/** The volume to attach: exactly one of the fields is set. */
export type VolumeAttachmentSource = {
  /** Name of the persistent volume. */
  persistentVolumeName?: string
  /** An inline volume of a pod, translated for the driver that replaces its plugin. */
  inlineVolumeSpec?: coreV1.PersistentVolumeSpec
}

/** One volume, one node, one driver. */
export type VolumeAttachmentSpec = {
  /** Name of the driver that attaches it. */
  attacher: string
  /** The volume. */
  source: VolumeAttachmentSource
  /** The node. */
  nodeName: string
}

/** State of an attachment; written by the attacher alone. */
export type VolumeAttachmentStatus = {
  /** True after the volume was attached. */
  attached: boolean
  /** Result of the attach call, for later calls. */
  attachmentMetadata?: Record<string, string>
  /** Last failure to attach. */
  attachError?: VolumeError
  /** Last failure to detach. */
  detachError?: VolumeError
}

/** Volume settings that a driver can change while the volume is in use. */
export type VolumeAttributesClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Name of the driver. Cannot be changed. */
  driverName: string
  /** Settings for the driver, which interprets them; 1 to 512. Cannot be changed. */
  parameters?: Record<string, string>
}

/** A list of VolumeAttributesClass objects. */
export type VolumeAttributesClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: VolumeAttributesClass[]
}

/** A failed storage call. */
export type VolumeError = {
  /** When it failed. */
  time?: string
  /** Details of the failure; may be logged, so it must not hold secrets. */
  message?: string
  /** Code of the failure, as gRPC numbers them. */
  errorCode?: number
}

/** Limits of a driver on a node. */
export type VolumeNodeResources = {
  /** Maximum number of the driver's volumes on the node; unset is no limit. */
  count?: number
}

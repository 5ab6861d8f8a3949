// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** A storage driver that is deployed in the cluster; its name is the one that the driver reports. */
export type CSIDriver = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** How the driver wants to be treated. */
  spec: CSIDriverSpec
}

/** A list of CSIDriver objects. */
export type CSIDriverList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CSIDriver[]
}

/** What a driver needs and can do. */
export type CSIDriverSpec = {
  /** Volumes need an attach step before they are mounted. Defaults to true. Cannot be changed. */
  attachRequired?: boolean
  /** Passes name, namespace and UID of the pod in the volume context of a mount. Defaults to false. */
  podInfoOnMount?: boolean
  /** Kinds of volume: Persistent (the default) and Ephemeral, for volumes inline in a pod. Cannot be changed. */
  volumeLifecycleModes?: string[]
  /** The scheduler waits for, and goes by, CSIStorageCapacity objects that the driver publishes. */
  storageCapacity?: boolean
  /** When a pod's fsGroup applies to volumes: ReadWriteOnceWithFSType (the default), File or None. */
  fsGroupPolicy?: string
  /** Service account tokens of the pod that mounts get; one an audience, at most one with an empty one. */
  tokenRequests?: TokenRequest[]
  /** Repeats the mount call now and then so that the volume's contents are renewed. Defaults to false. */
  requiresRepublish?: boolean
  /** Each volume can be mounted with an SELinux context of its own. Defaults to false. */
  seLinuxMount?: boolean
  /** Seconds between updates of a node's volume limit, at least 10; without it none happen. */
  nodeAllocatableUpdatePeriodSeconds?: number
  /** Passes tokens in the secrets of a call instead of in the volume context. */
  serviceAccountTokenInSecrets?: boolean
  /** Keeps pods that need the driver off nodes where it is not installed. */
  preventPodSchedulingIfMissing?: boolean
}

/** The storage drivers of one node; has the node's name. Normally written by the node agent. */
export type CSINode = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
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
  /** What the driver calls this node. */
  nodeID: string
  /** Node labels that the driver uses to say where volumes are reachable. */
  topologyKeys?: string[]
  /** How many volumes the driver can serve on this node. */
  allocatable?: VolumeNodeResources
}

/** A list of CSINode objects. */
export type CSINodeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CSINode[]
}

/** Drivers register with the node agent. */
export type CSINodeSpec = {
  /** One entry a driver; may become empty. */
  drivers?: CSINodeDriver[]
}

/** Space that one storage class offers to one part of the cluster, as its driver reports it. */
export type CSIStorageCapacity = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Nodes that the space is reachable from: none when unset, all when empty. Cannot be changed. */
  nodeTopology?: metaV1.LabelSelector
  /** Name of the class; the object is obsolete once that is gone. Cannot be changed. */
  storageClassName: string
  /** Bytes that are free for new volumes; unset means none. */
  capacity?: string
  /** Size of the largest volume that can be made; capacity stands in when unset. */
  maximumVolumeSize?: string
}

/** A list of CSIStorageCapacity objects. */
export type CSIStorageCapacityList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CSIStorageCapacity[]
}

/** A kind of storage that volumes are made from on demand. */
export type StorageClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Name of the provisioner that makes the volumes. */
  provisioner: string
  /** Settings for the provisioner, which alone knows what they mean. */
  parameters?: Record<string, string>
  /** What becomes of a volume once its claim is gone. Defaults to Delete. */
  reclaimPolicy?: string
  /** Mount options of the volumes; not checked, and a wrong one makes mounting fail. */
  mountOptions?: string[]
  /** Claims of this class may ask for more space later. */
  allowVolumeExpansion?: boolean
  /** Makes volumes at once (Immediate, the default) or when a pod needs them (WaitForFirstConsumer). */
  volumeBindingMode?: string
  /** Where volumes may be made; empty is anywhere. Any one term suffices. */
  allowedTopologies?: coreV1.TopologySelectorTerm[]
}

/** A list of StorageClass objects. */
export type StorageClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: StorageClass[]
}

/** A service account token that a driver wants. */
export type TokenRequest = {
  /** Who the token is for; empty for the audiences of the API server. */
  audience: string
  /** Seconds that the token is valid; the default is that of token requests. */
  expirationSeconds?: number
}

/** Asks to attach a volume to a node, or to detach it when deleted. */
export type VolumeAttachment = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What to attach where. Cannot be changed. */
  spec: VolumeAttachmentSpec
  /** How far the attachment is. */
  status: VolumeAttachmentStatus
}

/** A list of VolumeAttachment objects. */
export type VolumeAttachmentList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
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
  /** A volume that stands in a pod, translated for the driver that replaces its plugin. */
  inlineVolumeSpec?: coreV1.PersistentVolumeSpec
}

/** One volume, one node, one driver. */
export type VolumeAttachmentSpec = {
  /** Name of the driver that has to do it. */
  attacher: string
  /** The volume. */
  source: VolumeAttachmentSource
  /** The node. */
  nodeName: string
}

/** How far an attachment is; written by the attacher alone. */
export type VolumeAttachmentStatus = {
  /** True after the volume was attached. */
  attached: boolean
  /** What the attach call returned, for the calls that follow it. */
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
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Name of the driver. Cannot be changed. */
  driverName: string
  /** Settings for the driver, which alone knows what they mean; 1 to 512. Cannot be changed. */
  parameters?: Record<string, string>
}

/** A list of VolumeAttributesClass objects. */
export type VolumeAttributesClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
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
  /** What went wrong; may be logged, so nothing secret belongs here. */
  message?: string
  /** Code of the failure, as gRPC numbers them. */
  errorCode?: number
}

/** Limits of a driver on a node. */
export type VolumeNodeResources = {
  /** Most volumes of the driver that the node can use at a time; unset is no limit. */
  count?: number
}

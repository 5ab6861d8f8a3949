// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type CSIDriver = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: CSIDriverSpec
}

export type CSIDriverList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: CSIDriver[]
}

export type CSIDriverSpec = {
  attachRequired?: boolean
  podInfoOnMount?: boolean
  volumeLifecycleModes?: string[]
  storageCapacity?: boolean
  fsGroupPolicy?: string
  tokenRequests?: TokenRequest[]
  requiresRepublish?: boolean
  seLinuxMount?: boolean
  nodeAllocatableUpdatePeriodSeconds?: number
  serviceAccountTokenInSecrets?: boolean
  preventPodSchedulingIfMissing?: boolean
}

export type CSINode = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: CSINodeSpec
}

export type CSINodeDriver = {
  name: string
  nodeID: string
  topologyKeys?: string[]
  allocatable?: VolumeNodeResources
}

export type CSINodeList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: CSINode[]
}

export type CSINodeSpec = {
  drivers?: CSINodeDriver[]
}

export type CSIStorageCapacity = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  nodeTopology?: metaV1.LabelSelector
  storageClassName: string
  capacity?: string
  maximumVolumeSize?: string
}

export type CSIStorageCapacityList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: CSIStorageCapacity[]
}

export type StorageClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  provisioner: string
  parameters?: Record<string, string>
  reclaimPolicy?: string
  mountOptions?: string[]
  allowVolumeExpansion?: boolean
  volumeBindingMode?: string
  allowedTopologies?: coreV1.TopologySelectorTerm[]
}

export type StorageClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: StorageClass[]
}

export type TokenRequest = {
  audience: string
  expirationSeconds?: number
}

export type VolumeAttachment = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: VolumeAttachmentSpec
  status: VolumeAttachmentStatus
}

export type VolumeAttachmentList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: VolumeAttachment[]
}

export type VolumeAttachmentSource = {
  persistentVolumeName?: string
  inlineVolumeSpec?: coreV1.PersistentVolumeSpec
}

export type VolumeAttachmentSpec = {
  attacher: string
  source: VolumeAttachmentSource
  nodeName: string
}

export type VolumeAttachmentStatus = {
  attached: boolean
  attachmentMetadata?: Record<string, string>
  attachError?: VolumeError
  detachError?: VolumeError
}

export type VolumeAttributesClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  driverName: string
  parameters?: Record<string, string>
}

export type VolumeAttributesClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: VolumeAttributesClass[]
}

export type VolumeError = {
  time?: string
  message?: string
  errorCode?: number
}

export type VolumeNodeResources = {
  count?: number
}

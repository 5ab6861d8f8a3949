import type { TypeTable } from '../../../lib/schema/index.ts'

/** Volumes, persistent volumes and claims. */
export const volumeTypes: Readonly<Record<string, TypeTable>> = {
  AWSElasticBlockStoreVolumeSource: {
    doc: 'A disk of AWS EBS.',
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the disk.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      partition: { n: 3, type: 'int32', format: 'int32', doc: 'Number of the partition to mount; 0 is the whole disk.' },
      readOnly: { n: 4, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  AzureDiskVolumeSource: {
    doc: 'A data disk of Azure.',
    fields: {
      diskName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the disk.' },
      diskURI: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'URI of the disk.' },
      cachingMode: { n: 3, type: '*string', default: 'ReadWrite', alias: 'AzureDataDiskCachingMode', enum: ['None', 'ReadOnly', 'ReadWrite'], doc: 'How the host caches the disk.' },
      fsType: { n: 4, type: '*string', default: 'ext4', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 5, type: '*bool', default: false, doc: 'Mounts the volume read-only. Defaults to false.' },
      kind: { n: 6, type: '*string', default: 'Shared', alias: 'AzureDataDiskKind', enum: ['Dedicated', 'Managed', 'Shared'], doc: 'Managed, Dedicated for a separate storage account, or Shared (the default).' },
    },
  },
  AzureFilePersistentVolumeSource: {
    doc: 'A file share of Azure.',
    fields: {
      secretName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Secret with the name and key of the storage account.' },
      shareName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the share.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      secretNamespace: { n: 4, type: '*string', omit: 'never', doc: 'Namespace of the secret; that of the claim when unset.' },
    },
  },
  AzureFileVolumeSource: {
    doc: 'A file share of Azure.',
    fields: {
      secretName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Secret with the name and key of the storage account.' },
      shareName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the share.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  CSIPersistentVolumeSource: {
    doc: 'The CSI driver attaches, stages and mounts it.',
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver.' },
      volumeHandle: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: "The driver's identifier of the volume. Cannot be changed." },
      readOnly: { n: 3, type: 'bool', doc: 'Publishes the volume read-only. Defaults to false.' },
      fsType: { n: 4, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      volumeAttributes: { n: 5, type: 'map[string]string', doc: 'Attributes of the volume, for the driver.' },
      controllerPublishSecretRef: { n: 6, type: '*SecretReference', doc: "Secret for the driver's calls to attach and detach the volume." },
      nodeStageSecretRef: { n: 7, type: '*SecretReference', doc: "Secret for the driver's call to stage the volume on a node." },
      nodePublishSecretRef: { n: 8, type: '*SecretReference', doc: "Secret for the driver's call to mount the volume for a pod." },
      controllerExpandSecretRef: { n: 9, type: '*SecretReference', doc: "Secret for the driver's call to enlarge the volume." },
      nodeExpandSecretRef: { n: 10, type: '*SecretReference', doc: "Secret for the driver's call to enlarge the filesystem on a node." },
    },
  },
  CSIVolumeSource: {
    doc: 'The driver must support the lifecycle Ephemeral.',
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver.' },
      readOnly: { n: 2, type: '*bool', doc: 'Publishes the volume read-only. Defaults to false.' },
      fsType: { n: 3, type: '*string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      volumeAttributes: { n: 4, type: 'map[string]string', doc: 'Settings of the volume, for the driver.' },
      nodePublishSecretRef: { n: 5, type: '*LocalObjectReference', doc: "Secret of the pod's namespace for the driver's call to mount the volume." },
    },
  },
  CephFSPersistentVolumeSource: {
    doc: 'A directory of a Ceph filesystem.',
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Addresses of the Ceph monitors.' },
      path: { n: 2, type: 'string', doc: 'Directory to mount. Defaults to /.' },
      user: { n: 3, type: 'string', doc: 'User to log in as. Defaults to admin.' },
      secretFile: { n: 4, type: 'string', doc: 'File on the host with the key ring. Defaults to /etc/ceph/user.secret.' },
      secretRef: { n: 5, type: '*SecretReference', doc: 'Secret with the key; has precedence over secretFile.' },
      readOnly: { n: 6, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  CephFSVolumeSource: {
    doc: 'A directory of a Ceph filesystem.',
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Addresses of the Ceph monitors.' },
      path: { n: 2, type: 'string', doc: 'Directory to mount. Defaults to /.' },
      user: { n: 3, type: 'string', doc: 'User to log in as. Defaults to admin.' },
      secretFile: { n: 4, type: 'string', doc: 'File on the host with the key ring. Defaults to /etc/ceph/user.secret.' },
      secretRef: { n: 5, type: '*LocalObjectReference', doc: 'Secret with the key; has precedence over secretFile.' },
      readOnly: { n: 6, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  CinderPersistentVolumeSource: {
    doc: 'A volume of OpenStack Cinder.',
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the volume.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      secretRef: { n: 4, type: '*SecretReference', doc: 'Secret with the parameters to connect to OpenStack.' },
    },
  },
  CinderVolumeSource: {
    doc: 'A volume of OpenStack Cinder.',
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the volume.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      secretRef: { n: 4, type: '*LocalObjectReference', doc: 'Secret with the parameters to connect to OpenStack.' },
    },
  },
  ClusterTrustBundleProjection: {
    doc: 'Certificates of trust anchors as one PEM file.',
    fields: {
      name: { n: 1, type: '*string', doc: 'Takes one bundle by name; excludes signerName and labelSelector.' },
      signerName: { n: 2, type: '*string', doc: 'Takes all bundles of this signer that labelSelector matches.' },
      labelSelector: { n: 3, type: '*meta/v1.LabelSelector', doc: 'Narrows the bundles of signerName: none when unset, all when empty.' },
      optional: { n: 5, type: '*bool', doc: 'The pod starts even if no bundle is found.' },
      path: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'File to write to, relative to the volume.' },
    },
  },
  ConfigMapProjection: {
    doc: 'The files follow changes of the config map after a while.',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic', doc: 'Which entries become which files; all of them under their keys when empty.' },
      optional: { n: 4, type: '*bool', doc: 'The config map or its keys may be missing.' },
    },
  },
  ConfigMapVolumeSource: {
    doc: 'The files follow changes of the config map after a while.',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic', doc: 'Which entries become which files; all of them under their keys when empty.' },
      defaultMode: { n: 3, type: '*int32', format: 'int32', doc: 'Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers.' },
      optional: { n: 4, type: '*bool', doc: 'The config map or its keys may be missing.' },
    },
  },
  DownwardAPIProjection: {
    doc: 'The files follow changes of the pod after a while.',
    fields: {
      items: { n: 1, type: '[]DownwardAPIVolumeFile', list: 'atomic', doc: 'One entry a file.' },
    },
  },
  DownwardAPIVolumeFile: {
    doc: 'A file that holds a field of the pod or a resource of a container.',
    fields: {
      path: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'File to write to, relative to the volume; without .. in it.' },
      fieldRef: { n: 2, type: '*ObjectFieldSelector', doc: 'Field of the pod: name, namespace, UID, labels or annotations.' },
      resourceFieldRef: { n: 3, type: '*ResourceFieldSelector', doc: 'Resource limit or request of a container.' },
      mode: { n: 4, type: '*int32', format: 'int32', doc: "Permission bits of the file, 0 to 0777; the volume's defaultMode when unset." },
    },
  },
  DownwardAPIVolumeSource: {
    doc: 'The files follow changes of labels and annotations after a while.',
    fields: {
      items: { n: 1, type: '[]DownwardAPIVolumeFile', list: 'atomic', doc: 'One entry a file.' },
      defaultMode: { n: 2, type: '*int32', format: 'int32', doc: 'Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers.' },
    },
  },
  EmptyDirVolumeSource: {
    doc: 'All containers of the pod can share it; it survives their restarts.',
    fields: {
      medium: { n: 1, type: 'string', alias: 'StorageMedium', doc: 'Storage medium: "" is the node\'s disk, Memory is RAM.' },
      sizeLimit: { n: 2, type: '*Quantity', doc: 'Maximum size; in memory also limited by the memory limits of the containers.' },
    },
  },
  EphemeralVolumeSource: {
    doc: 'The pod owns the claim, which is deleted with it.',
    fields: {
      volumeClaimTemplate: { n: 1, type: '*PersistentVolumeClaimTemplate', doc: 'Template of the claim; its name is that of the pod, a dash and that of the volume.' },
    },
  },
  FCVolumeSource: {
    doc: 'The node mounts the disk; only one may write.',
    fields: {
      targetWWNs: { n: 1, type: '[]string', list: 'atomic', doc: 'World wide names of the targets; together with lun, instead of wwids.' },
      lun: { n: 2, type: '*int32', format: 'int32', doc: 'Number of the logical unit at the targets.' },
      fsType: { n: 3, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 4, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      wwids: { n: 5, type: '[]string', list: 'atomic', doc: 'World wide identifiers of the volume; instead of targetWWNs and lun.' },
    },
  },
  FlexPersistentVolumeSource: {
    doc: 'A volume of a driver that is an executable on the node.',
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      secretRef: { n: 3, type: '*SecretReference', doc: 'Secret that is passed to the driver.' },
      readOnly: { n: 4, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      options: { n: 5, type: 'map[string]string', doc: 'Further options for the driver.' },
    },
  },
  FlexVolumeSource: {
    doc: 'A volume of a driver that is an executable on the node.',
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      secretRef: { n: 3, type: '*LocalObjectReference', doc: 'Secret that is passed to the driver.' },
      readOnly: { n: 4, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      options: { n: 5, type: 'map[string]string', doc: 'Further options for the driver.' },
    },
  },
  FlockerVolumeSource: {
    doc: 'A dataset of Flocker; exactly one of the fields is set.',
    fields: {
      datasetName: { n: 1, type: 'string', deprecated: true, doc: 'Deprecated: name of the dataset, kept as metadata.' },
      datasetUUID: { n: 2, type: 'string', doc: 'Identifier of the dataset.' },
    },
  },
  GCEPersistentDiskVolumeSource: {
    doc: 'A persistent disk of Google Compute Engine.',
    fields: {
      pdName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the disk.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      partition: { n: 3, type: 'int32', format: 'int32', doc: 'Number of the partition to mount; 0 is the whole disk.' },
      readOnly: { n: 4, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  GitRepoVolumeSource: {
    doc: 'Deprecated: git on the node clones the repository when the pod starts.',
    fields: {
      repository: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'URL of the repository.' },
      revision: { n: 2, type: 'string', doc: 'Commit to check out.' },
      directory: { n: 3, type: 'string', doc: 'Directory to clone into, without ..; . makes the volume itself the clone.' },
    },
  },
  GlusterfsPersistentVolumeSource: {
    doc: 'A volume of GlusterFS.',
    fields: {
      endpoints: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the Endpoints object that has the servers.' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the volume.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      endpointsNamespace: { n: 4, type: '*string', doc: 'Namespace of the endpoints; that of the claim when unset.' },
    },
  },
  GlusterfsVolumeSource: {
    doc: 'A volume of GlusterFS.',
    fields: {
      endpoints: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the Endpoints object that has the servers.' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the volume.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  HostPathVolumeSource: {
    doc: 'A file or directory of the node itself.',
    fields: {
      path: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Path on the node.' },
      type: { n: 2, type: '*string', alias: 'HostPathType', enum: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'], doc: 'Type of the file at the path, or how it is created there; "" checks nothing.' },
    },
  },
  ISCSIPersistentVolumeSource: {
    doc: 'The node logs in to the target and mounts the disk; only one may write.',
    fields: {
      targetPortal: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Address of the target, with its port unless that is 860 or 3260.' },
      iqn: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Qualified name of the target.' },
      lun: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the logical unit.' },
      iscsiInterface: { n: 4, type: 'string', default: 'default', doc: 'Interface that the initiator uses. Defaults to default.' },
      fsType: { n: 5, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 6, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      portals: { n: 7, type: '[]string', list: 'atomic', doc: 'Further addresses of the target, for multiple paths.' },
      chapAuthDiscovery: { n: 8, type: 'bool', doc: 'Discovery authenticates by CHAP.' },
      chapAuthSession: { n: 11, type: 'bool', doc: 'The session authenticates by CHAP.' },
      secretRef: { n: 10, type: '*SecretReference', doc: 'Secret with the CHAP credentials.' },
      initiatorName: { n: 12, type: '*string', doc: 'Qualified name of the initiator, for a separate interface for this volume.' },
    },
  },
  ISCSIVolumeSource: {
    doc: 'The node logs in to the target and mounts the disk; only one may write.',
    fields: {
      targetPortal: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Address of the target, with its port unless that is 860 or 3260.' },
      iqn: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Qualified name of the target.' },
      lun: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the logical unit.' },
      iscsiInterface: { n: 4, type: 'string', default: 'default', doc: 'Interface that the initiator uses. Defaults to default.' },
      fsType: { n: 5, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 6, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      portals: { n: 7, type: '[]string', list: 'atomic', doc: 'Further addresses of the target, for multiple paths.' },
      chapAuthDiscovery: { n: 8, type: 'bool', doc: 'Discovery authenticates by CHAP.' },
      chapAuthSession: { n: 11, type: 'bool', doc: 'The session authenticates by CHAP.' },
      secretRef: { n: 10, type: '*LocalObjectReference', doc: 'Secret with the CHAP credentials.' },
      initiatorName: { n: 12, type: '*string', doc: 'Qualified name of the initiator, for a separate interface for this volume.' },
    },
  },
  ImageVolumeSource: {
    doc: 'Pulled like the images of containers, when the pod starts.',
    fields: {
      reference: { n: 1, type: 'string', doc: 'The image or artifact, as in a container.' },
      pullPolicy: { n: 2, type: 'string', alias: 'PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'], doc: 'When to pull. Defaults to Always for the tag latest, to IfNotPresent otherwise.' },
    },
  },
  KeyToPath: {
    doc: 'An entry and its file.',
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the entry.' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'File to write to, relative to the volume; without .. in it.' },
      mode: { n: 3, type: '*int32', format: 'int32', doc: "Permission bits of the file, 0 to 0777; the volume's defaultMode when unset." },
    },
  },
  LocalVolumeSource: {
    doc: 'Such a volume must have node affinity.',
    fields: {
      path: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Directory, or block device, on the node.' },
      fsType: { n: 2, type: '*string', doc: 'Filesystem to mount from a block device; detected when unset.' },
    },
  },
  ModifyVolumeStatus: {
    doc: 'State of a change to another attributes class.',
    fields: {
      targetVolumeAttributesClassName: { n: 1, type: 'string', doc: 'The desired class.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'PersistentVolumeClaimModifyVolumeStatus', enum: ['InProgress', 'Infeasible', 'Pending'], doc: 'Pending while something is missing, InProgress, or Infeasible when the driver refuses.' },
    },
  },
  NFSVolumeSource: {
    doc: 'The export must exist already.',
    fields: {
      server: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Host name or address of the server.' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Directory that the server exports.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  PersistentVolume: {
    doc: 'A piece of storage of the cluster, which outlives the pods that use it.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'PersistentVolumeSpec', doc: 'Storage, and how it can be used.' },
      status: { n: 3, type: 'PersistentVolumeStatus', doc: 'Whether the volume is free, bound or released.' },
    },
  },
  PersistentVolumeClaim: {
    doc: 'Requests storage, and is bound to a matching or new volume.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'PersistentVolumeClaimSpec', doc: 'Properties of the requested certificate.' },
      status: { n: 3, type: 'PersistentVolumeClaimStatus', doc: 'State of the claim.' },
    },
  },
  PersistentVolumeClaimCondition: {
    doc: 'One aspect of a claim, such as Resizing while its volume grows.',
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PersistentVolumeClaimConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
      lastProbeTime: { n: 3, type: 'Time', doc: 'When the condition was last checked.' },
      lastTransitionTime: { n: 4, type: 'Time', doc: 'When the status last changed from one value to another.' },
      reason: { n: 5, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
      message: { n: 6, type: 'string', doc: 'Details of the last change, for people.' },
    },
  },
  PersistentVolumeClaimList: {
    doc: 'A list of PersistentVolumeClaim objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]PersistentVolumeClaim', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  PersistentVolumeClaimSpec: {
    doc: 'Immutable, except for the size, the attributes class and fields that binding sets.',
    fields: {
      accessModes: { n: 1, type: '[]string', list: 'atomic', alias: 'PersistentVolumeAccessMode', itemEnum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'], doc: 'Required access modes of the volume.' },
      selector: { n: 4, type: '*meta/v1.LabelSelector', doc: 'Considers only volumes with matching labels.' },
      resources: { n: 2, type: 'VolumeResourceRequirements', doc: 'Minimum storage of the volume; may be raised when the class allows expansion.' },
      volumeName: { n: 3, type: 'string', doc: 'The volume that the claim is bound to.' },
      storageClassName: { n: 5, type: '*string', doc: 'Class of the storage: "" is none, unset is the default class.' },
      volumeMode: { n: 6, type: '*string', alias: 'PersistentVolumeMode', enum: ['Block', 'Filesystem'], doc: 'Filesystem (the default) or Block, for a raw device.' },
      dataSource: { n: 7, type: '*TypedLocalObjectReference', doc: 'Snapshot or claim that the new volume is filled from; equal to dataSourceRef unless that has a namespace.' },
      dataSourceRef: { n: 8, type: '*TypedObjectReference', doc: 'Object that the new volume is filled from: a claim, or an object outside core with a populator.' },
      volumeAttributesClassName: { n: 9, type: '*string', gate: ['VolumeAttributesClass'], doc: 'Attributes class of the volume; may be changed, which changes the volume.' },
    },
  },
  PersistentVolumeClaimStatus: {
    doc: 'State of a claim.',
    fields: {
      phase: { n: 1, type: 'string', alias: 'PersistentVolumeClaimPhase', enum: ['Bound', 'Lost', 'Pending'], doc: 'Pending, Bound, or Lost when the bound volume does not exist.' },
      accessModes: { n: 2, type: '[]string', list: 'atomic', alias: 'PersistentVolumeAccessMode', itemEnum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'], doc: 'Access modes of the bound volume.' },
      capacity: { n: 3, type: 'map[string]Quantity', doc: 'Actual resources of the bound volume.' },
      conditions: { n: 4, type: '[]PersistentVolumeClaimCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'Aspects of the claim, such as that its volume is being resized.' },
      allocatedResources: { n: 5, type: 'map[string]Quantity', doc: 'Resources reserved for the claim, which may exceed capacity during an expansion.' },
      allocatedResourceStatuses: { n: 7, type: 'map[string]string', map: 'granular', doc: 'Progress of the expansion of each resource; without an entry there is none.' },
      currentVolumeAttributesClassName: { n: 8, type: '*string', gate: ['VolumeAttributesClass'], doc: 'Attributes class that the volume has now.' },
      modifyVolumeStatus: { n: 9, type: '*ModifyVolumeStatus', gate: ['VolumeAttributesClass'], doc: 'Progress of a change of the attributes class; unset when there was none.' },
    },
  },
  PersistentVolumeClaimTemplate: {
    doc: 'A template of a claim.',
    fields: {
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Labels and annotations of the claim; nothing else is allowed.' },
      spec: { n: 2, type: 'PersistentVolumeClaimSpec', omit: 'never', required: true, doc: 'Requested storage of the claim.' },
    },
  },
  PersistentVolumeClaimVolumeSource: {
    doc: 'The pod waits until the claim is bound.',
    fields: {
      claimName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the claim.' },
      readOnly: { n: 2, type: 'bool', doc: 'Mounts the volume read-only everywhere in the pod. Defaults to false.' },
    },
  },
  PersistentVolumeList: {
    doc: 'A list of PersistentVolume objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]PersistentVolume', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  PersistentVolumeSource: {
    doc: 'Storage of a persistent volume; exactly one of the fields is set.',
    fields: {
      gcePersistentDisk: { n: 1, type: '*GCEPersistentDiskVolumeSource', deprecated: true, doc: 'Deprecated: a disk of Google Compute Engine, served by its CSI driver.' },
      awsElasticBlockStore: { n: 2, type: '*AWSElasticBlockStoreVolumeSource', deprecated: true, doc: 'Deprecated: a disk of AWS EBS, served by its CSI driver.' },
      hostPath: { n: 3, type: '*HostPathVolumeSource', doc: 'A path of the node itself; for tests on a single node.' },
      glusterfs: { n: 4, type: '*GlusterfsPersistentVolumeSource', deprecated: true, doc: 'Deprecated: a volume of GlusterFS. No longer supported.' },
      nfs: { n: 5, type: '*NFSVolumeSource', doc: 'A directory of an NFS server.' },
      rbd: { n: 6, type: '*RBDPersistentVolumeSource', deprecated: true, doc: 'Deprecated: an image of a Ceph block device. No longer supported.' },
      iscsi: { n: 7, type: '*ISCSIPersistentVolumeSource', doc: 'A volume of an iSCSI target.' },
      cinder: { n: 8, type: '*CinderPersistentVolumeSource', deprecated: true, doc: 'Deprecated: a volume of OpenStack Cinder, served by its CSI driver.' },
      cephfs: { n: 9, type: '*CephFSPersistentVolumeSource', deprecated: true, doc: 'Deprecated: a directory of a Ceph filesystem. No longer supported.' },
      fc: { n: 10, type: '*FCVolumeSource', doc: 'A Fibre Channel volume.' },
      flocker: { n: 11, type: '*FlockerVolumeSource', deprecated: true, doc: 'Deprecated: a dataset of Flocker. No longer supported.' },
      flexVolume: { n: 12, type: '*FlexPersistentVolumeSource', deprecated: true, doc: 'Deprecated: a volume of an executable driver; use a CSI driver.' },
      azureFile: { n: 13, type: '*AzureFilePersistentVolumeSource', deprecated: true, doc: 'Deprecated: a file share of Azure, served by its CSI driver.' },
      vsphereVolume: { n: 14, type: '*VsphereVirtualDiskVolumeSource', deprecated: true, doc: 'Deprecated: a virtual disk of vSphere, served by its CSI driver.' },
      quobyte: { n: 15, type: '*QuobyteVolumeSource', deprecated: true, doc: 'Deprecated: a volume of Quobyte. No longer supported.' },
      azureDisk: { n: 16, type: '*AzureDiskVolumeSource', deprecated: true, doc: 'Deprecated: a data disk of Azure, served by its CSI driver.' },
      photonPersistentDisk: { n: 17, type: '*PhotonPersistentDiskVolumeSource', deprecated: true, doc: 'Deprecated: a disk of Photon Controller. No longer supported.' },
      portworxVolume: { n: 18, type: '*PortworxVolumeSource', deprecated: true, doc: 'Deprecated: a volume of Portworx, served by its CSI driver.' },
      scaleIO: { n: 19, type: '*ScaleIOPersistentVolumeSource', deprecated: true, doc: 'Deprecated: a volume of ScaleIO. No longer supported.' },
      local: { n: 20, type: '*LocalVolumeSource', doc: 'A disk, partition or directory of one node.' },
      storageos: { n: 21, type: '*StorageOSPersistentVolumeSource', deprecated: true, doc: 'Deprecated: a volume of StorageOS. No longer supported.' },
      csi: { n: 22, type: '*CSIPersistentVolumeSource', doc: 'A volume of an external storage driver.' },
    },
  },
  PersistentVolumeSpec: {
    doc: 'Created by people, or by the provisioner of a storage class.',
    fields: {
      capacity: { n: 1, type: 'map[string]Quantity', doc: 'Resources of the volume, above all storage.' },
      persistentVolumeSource: { n: 2, type: 'PersistentVolumeSource', inline: true },
      accessModes: { n: 3, type: '[]string', list: 'atomic', alias: 'PersistentVolumeAccessMode', itemEnum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'], doc: 'Access modes of the volume.' },
      claimRef: { n: 4, type: '*ObjectReference', map: 'granular', doc: "The claim that the volume is bound to or reserved for; the claim's volumeName confirms it." },
      persistentVolumeReclaimPolicy: { n: 5, type: 'string', alias: 'PersistentVolumeReclaimPolicy', enum: ['Delete', 'Recycle', 'Retain'], deprecated: true, doc: 'When its claim is deleted: Retain, Delete or (deprecated) Recycle. Defaults to Retain for volumes made by hand.' },
      storageClassName: { n: 6, type: 'string', doc: 'Class of the volume; empty is none.' },
      mountOptions: { n: 7, type: '[]string', list: 'atomic', doc: 'Mount options; not checked, and a wrong one makes mounting fail.' },
      volumeMode: { n: 8, type: '*string', alias: 'PersistentVolumeMode', enum: ['Block', 'Filesystem'], doc: 'Filesystem (the default) or Block, for a raw device.' },
      nodeAffinity: { n: 9, type: '*VolumeNodeAffinity', doc: 'Nodes that can access the volume; pods that use it are scheduled there.' },
      volumeAttributesClassName: { n: 10, type: '*string', gate: ['VolumeAttributesClass'], doc: 'Attributes class of the volume; unset is none, and it cannot be empty.' },
    },
  },
  PersistentVolumeStatus: {
    doc: 'State of a volume.',
    fields: {
      phase: { n: 1, type: 'string', alias: 'PersistentVolumePhase', enum: ['Available', 'Bound', 'Failed', 'Pending', 'Released'], doc: 'Available, Bound to a claim, Released by it, or Failed to be reclaimed.' },
      message: { n: 2, type: 'string', doc: 'Details of the phase, for people.' },
      reason: { n: 3, type: 'string', doc: 'Machine-readable cause of a failure, in CamelCase.' },
      lastPhaseTransitionTime: { n: 4, type: '*Time', doc: 'When the phase last changed.' },
    },
  },
  PhotonPersistentDiskVolumeSource: {
    doc: 'A persistent disk of Photon Controller.',
    fields: {
      pdID: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the disk.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
    },
  },
  PodCertificateProjection: {
    doc: 'A private key, made on the node, and a certificate for it as files; both are renewed before they expire.',
    fields: {
      signerName: { n: 1, type: 'string', required: true, doc: 'Signer of the certificate.' },
      keyType: { n: 2, type: 'string', required: true, doc: 'Kind of key, such as ECDSAP256, ED25519 or RSA3072.' },
      maxExpirationSeconds: { n: 3, type: '*int32', format: 'int32', doc: 'Longest validity of the certificate, in seconds.' },
      credentialBundlePath: { n: 4, type: 'string', doc: 'File for the key followed by the certificate chain, in PEM.' },
      keyPath: { n: 5, type: 'string', doc: 'File for the key alone; a bundle is easier to read consistently.' },
      certificateChainPath: { n: 6, type: 'string', doc: 'File for the certificate chain alone; a bundle is easier to read consistently.' },
      userAnnotations: { n: 7, type: 'map[string]string', doc: 'Further data for the signer, which must check it.' },
    },
  },
  PortworxVolumeSource: {
    doc: 'A volume of Portworx.',
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Identifier of the volume.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  ProjectedVolumeSource: {
    doc: 'Later sources must not write the files of earlier ones.',
    fields: {
      sources: { n: 1, type: '[]VolumeProjection', omit: 'never', list: 'atomic', doc: 'The sources.' },
      defaultMode: { n: 2, type: '*int32', format: 'int32', doc: 'Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers.' },
    },
  },
  QuobyteVolumeSource: {
    doc: 'A volume of Quobyte.',
    fields: {
      registry: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Addresses of the registries as host:port, separated by commas.' },
      volume: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the volume.' },
      readOnly: { n: 3, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      user: { n: 4, type: 'string', doc: 'User to access the volume as. Defaults to the user of the service account.' },
      group: { n: 5, type: 'string', doc: 'Group to access the volume as. Defaults to none.' },
      tenant: { n: 6, type: 'string', doc: 'Tenant that owns the volume; set by the plugin when it is provisioned.' },
    },
  },
  RBDPersistentVolumeSource: {
    doc: 'The image must exist already.',
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Addresses of the Ceph monitors.' },
      image: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the image.' },
      fsType: { n: 3, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      pool: { n: 4, type: 'string', default: 'rbd', doc: 'Pool of the image. Defaults to rbd.' },
      user: { n: 5, type: 'string', default: 'admin', doc: 'User to log in as. Defaults to admin.' },
      keyring: { n: 6, type: 'string', default: '/etc/ceph/keyring', doc: 'File with the key ring of the user. Defaults to /etc/ceph/keyring.' },
      secretRef: { n: 7, type: '*SecretReference', doc: 'Secret with the key; has precedence over keyring.' },
      readOnly: { n: 8, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  RBDVolumeSource: {
    doc: 'The image must exist already.',
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Addresses of the Ceph monitors.' },
      image: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the image.' },
      fsType: { n: 3, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      pool: { n: 4, type: 'string', default: 'rbd', doc: 'Pool of the image. Defaults to rbd.' },
      user: { n: 5, type: 'string', default: 'admin', doc: 'User to log in as. Defaults to admin.' },
      keyring: { n: 6, type: 'string', default: '/etc/ceph/keyring', doc: 'File with the key ring of the user. Defaults to /etc/ceph/keyring.' },
      secretRef: { n: 7, type: '*LocalObjectReference', doc: 'Secret with the key; has precedence over keyring.' },
      readOnly: { n: 8, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  ScaleIOPersistentVolumeSource: {
    doc: 'A volume of ScaleIO.',
    fields: {
      gateway: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Address of the gateway to the API.' },
      system: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the storage system.' },
      secretRef: { n: 3, type: '*SecretReference', omit: 'never', required: true, doc: 'Secret with the user and password.' },
      sslEnabled: { n: 4, type: 'bool', doc: 'Uses TLS to the gateway. Defaults to false.' },
      protectionDomain: { n: 5, type: 'string', doc: 'Protection domain of the storage.' },
      storagePool: { n: 6, type: 'string', doc: 'Pool in the protection domain.' },
      storageMode: { n: 7, type: 'string', default: 'ThinProvisioned', doc: 'ThickProvisioned or ThinProvisioned, the default.' },
      volumeName: { n: 8, type: 'string', doc: 'Name of a volume that exists.' },
      fsType: { n: 9, type: 'string', default: 'xfs', doc: 'Filesystem to mount. Defaults to xfs.' },
      readOnly: { n: 10, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  ScaleIOVolumeSource: {
    doc: 'A volume of ScaleIO.',
    fields: {
      gateway: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Address of the gateway to the API.' },
      system: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the storage system.' },
      secretRef: { n: 3, type: '*LocalObjectReference', omit: 'never', required: true, doc: 'Secret with the user and password.' },
      sslEnabled: { n: 4, type: 'bool', doc: 'Uses TLS to the gateway. Defaults to false.' },
      protectionDomain: { n: 5, type: 'string', doc: 'Protection domain of the storage.' },
      storagePool: { n: 6, type: 'string', doc: 'Pool in the protection domain.' },
      storageMode: { n: 7, type: 'string', default: 'ThinProvisioned', doc: 'ThickProvisioned or ThinProvisioned, the default.' },
      volumeName: { n: 8, type: 'string', doc: 'Name of a volume that exists.' },
      fsType: { n: 9, type: 'string', default: 'xfs', doc: 'Filesystem to mount. Defaults to xfs.' },
      readOnly: { n: 10, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
    },
  },
  SecretProjection: {
    doc: 'The files follow changes of the secret after a while.',
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic', doc: 'Which entries become which files; all of them under their keys when empty.' },
      optional: { n: 4, type: '*bool', doc: 'The secret or its keys may be missing.' },
    },
  },
  SecretVolumeSource: {
    doc: 'The files are kept in memory and follow changes of the secret after a while.',
    fields: {
      secretName: { n: 1, type: 'string', doc: "Name of the secret, in the pod's namespace." },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic', doc: 'Which entries become which files; all of them under their keys when empty.' },
      defaultMode: { n: 3, type: '*int32', format: 'int32', doc: 'Permission bits of the files, 0 to 0777. Defaults to 0644; JSON has decimal numbers.' },
      optional: { n: 4, type: '*bool', doc: 'The secret or its keys may be missing.' },
    },
  },
  ServiceAccountTokenProjection: {
    doc: "A token of the pod's service account as a file, renewed before it expires.",
    fields: {
      audience: { n: 1, type: 'string', doc: 'Audience of the token. Defaults to the API server.' },
      expirationSeconds: { n: 2, type: '*int64', format: 'int64', doc: 'Seconds that a token is valid, at least 600. Defaults to an hour.' },
      path: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'File to write to, relative to the volume.' },
    },
  },
  StorageOSPersistentVolumeSource: {
    doc: 'A volume of StorageOS.',
    fields: {
      volumeName: { n: 1, type: 'string', doc: 'Name of the volume.' },
      volumeNamespace: { n: 2, type: 'string', doc: 'Namespace of the volume within StorageOS; that of the pod when empty.' },
      fsType: { n: 3, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 4, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      secretRef: { n: 5, type: '*ObjectReference', doc: 'Secret with the credentials for the API.' },
    },
  },
  StorageOSVolumeSource: {
    doc: 'A volume of StorageOS.',
    fields: {
      volumeName: { n: 1, type: 'string', doc: 'Name of the volume.' },
      volumeNamespace: { n: 2, type: 'string', doc: 'Namespace of the volume within StorageOS; that of the pod when empty.' },
      fsType: { n: 3, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      readOnly: { n: 4, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      secretRef: { n: 5, type: '*LocalObjectReference', doc: 'Secret with the credentials for the API.' },
    },
  },
  TypedLocalObjectReference: {
    doc: 'Names an object of any kind in the same namespace.',
    map: 'atomic',
    fields: {
      apiGroup: { n: 1, type: '*string', omit: 'never', doc: 'API group of the object; unset is core.' },
      kind: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of the object.' },
      name: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the object.' },
    },
  },
  TypedObjectReference: {
    doc: 'Names an object of any kind, also in another namespace.',
    fields: {
      apiGroup: { n: 1, type: '*string', omit: 'never', doc: 'API group of the object; unset is core.' },
      kind: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of the object.' },
      name: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the object.' },
      namespace: { n: 4, type: '*string', gate: ['CrossNamespaceVolumeDataSource'], doc: 'Namespace of the object; there, a ReferenceGrant must allow it. Unset is the same namespace.' },
    },
  },
  Volume: {
    doc: 'A directory, or device, that containers of the pod can use.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name to refer to the volume by, unique in the pod.' },
      volumeSource: { n: 2, type: 'VolumeSource', inline: true },
    },
  },
  VolumeDevice: {
    doc: 'Makes a raw block volume available in a container.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: "Name of the pod's volume, which is a claim's." },
      devicePath: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Path of the device in the container.' },
    },
  },
  VolumeMount: {
    doc: 'Mounts a volume in a container.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: "Name of the pod's volume." },
      readOnly: { n: 2, type: 'bool', doc: 'Mounts the volume read-only. Defaults to false.' },
      recursiveReadOnly: { n: 7, type: '*string', alias: 'RecursiveReadOnlyMode', doc: 'Whether mounts below a read-only one are read-only, too: Disabled, IfPossible or Enabled.' },
      mountPath: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Path in the container; without : in it.' },
      subPath: { n: 4, type: 'string', doc: 'Path in the volume to mount instead of its root.' },
      mountPropagation: { n: 5, type: '*string', alias: 'MountPropagationMode', enum: ['Bidirectional', 'HostToContainer', 'None'], doc: 'Whether mounts made on one side appear on the other. Defaults to None.' },
      subPathExpr: { n: 6, type: 'string', doc: "As subPath, with $(NAME) replaced by the container's variables; excludes subPath." },
    },
  },
  VolumeMountStatus: {
    doc: 'How a volume is mounted in a container.',
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the mount.' },
      mountPath: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Path in the container.' },
      readOnly: { n: 3, type: 'bool', doc: 'Whether the mount is read-only.' },
      recursiveReadOnly: { n: 4, type: '*string', alias: 'RecursiveReadOnlyMode', doc: 'Actual mode of mounts below: Disabled or Enabled.' },
      volumeStatus: { n: 5, type: '*VolumeStatus', doc: 'Further state, by kind of volume.' },
    },
  },
  VolumeNodeAffinity: {
    doc: 'Pods that use the volume are scheduled only there.',
    fields: {
      required: { n: 1, type: '*NodeSelector', doc: 'Conditions that a node must meet.' },
    },
  },
  VolumeProjection: {
    doc: 'One source of a projected volume; exactly one of the fields is set.',
    fields: {
      secret: { n: 1, type: '*SecretProjection', doc: 'Entries of a secret.' },
      downwardAPI: { n: 2, type: '*DownwardAPIProjection', doc: 'Fields of the pod.' },
      configMap: { n: 3, type: '*ConfigMapProjection', doc: 'Entries of a config map.' },
      serviceAccountToken: { n: 4, type: '*ServiceAccountTokenProjection', doc: "A token of the pod's service account." },
      clusterTrustBundle: { n: 5, type: '*ClusterTrustBundleProjection', gate: ['ClusterTrustBundleProjection'], doc: 'Certificates of trust anchors.' },
      podCertificate: { n: 6, type: '*PodCertificateProjection', gate: ['PodCertificateRequest'], doc: 'A key and a certificate for the pod.' },
    },
  },
  VolumeResourceRequirements: {
    doc: 'Requested storage of a claim.',
    fields: {
      limits: { n: 1, type: 'map[string]Quantity', doc: 'Maximum of each resource of the volume.' },
      requests: { n: 2, type: 'map[string]Quantity', doc: 'Minimum of each resource of the volume.' },
    },
  },
  VolumeSource: {
    doc: "Source of a pod's volume; exactly one of the fields is set, else emptyDir.",
    fields: {
      hostPath: { n: 1, type: '*HostPathVolumeSource', doc: 'A path of the node itself; the pod can then read, and may harm, the host.' },
      emptyDir: { n: 2, type: '*EmptyDirVolumeSource', doc: 'An empty directory that lives as long as the pod.' },
      gcePersistentDisk: { n: 3, type: '*GCEPersistentDiskVolumeSource', deprecated: true, doc: 'Deprecated: a disk of Google Compute Engine, served by its CSI driver.' },
      awsElasticBlockStore: { n: 4, type: '*AWSElasticBlockStoreVolumeSource', deprecated: true, doc: 'Deprecated: a disk of AWS EBS, served by its CSI driver.' },
      gitRepo: { n: 5, type: '*GitRepoVolumeSource', deprecated: true, doc: 'Deprecated: a clone of a git repository; clone in an init container instead.' },
      secret: { n: 6, type: '*SecretVolumeSource', doc: 'Entries of a secret as files.' },
      nfs: { n: 7, type: '*NFSVolumeSource', doc: 'A directory of an NFS server.' },
      iscsi: { n: 8, type: '*ISCSIVolumeSource', doc: 'A volume of an iSCSI target.' },
      glusterfs: { n: 9, type: '*GlusterfsVolumeSource', deprecated: true, doc: 'Deprecated: a volume of GlusterFS. No longer supported.' },
      persistentVolumeClaim: { n: 10, type: '*PersistentVolumeClaimVolumeSource', doc: "The volume of a claim in the pod's namespace." },
      rbd: { n: 11, type: '*RBDVolumeSource', deprecated: true, doc: 'Deprecated: an image of a Ceph block device. No longer supported.' },
      flexVolume: { n: 12, type: '*FlexVolumeSource', deprecated: true, doc: 'Deprecated: a volume of an executable driver; use a CSI driver.' },
      cinder: { n: 13, type: '*CinderVolumeSource', deprecated: true, doc: 'Deprecated: a volume of OpenStack Cinder, served by its CSI driver.' },
      cephfs: { n: 14, type: '*CephFSVolumeSource', deprecated: true, doc: 'Deprecated: a directory of a Ceph filesystem. No longer supported.' },
      flocker: { n: 15, type: '*FlockerVolumeSource', deprecated: true, doc: 'Deprecated: a dataset of Flocker. No longer supported.' },
      downwardAPI: { n: 16, type: '*DownwardAPIVolumeSource', doc: 'Fields of the pod as files.' },
      fc: { n: 17, type: '*FCVolumeSource', doc: 'A Fibre Channel volume.' },
      azureFile: { n: 18, type: '*AzureFileVolumeSource', deprecated: true, doc: 'Deprecated: a file share of Azure, served by its CSI driver.' },
      configMap: { n: 19, type: '*ConfigMapVolumeSource', doc: 'Entries of a config map as files.' },
      vsphereVolume: { n: 20, type: '*VsphereVirtualDiskVolumeSource', deprecated: true, doc: 'Deprecated: a virtual disk of vSphere, served by its CSI driver.' },
      quobyte: { n: 21, type: '*QuobyteVolumeSource', deprecated: true, doc: 'Deprecated: a volume of Quobyte. No longer supported.' },
      azureDisk: { n: 22, type: '*AzureDiskVolumeSource', deprecated: true, doc: 'Deprecated: a data disk of Azure, served by its CSI driver.' },
      photonPersistentDisk: { n: 23, type: '*PhotonPersistentDiskVolumeSource', deprecated: true, doc: 'Deprecated: a disk of Photon Controller. No longer supported.' },
      projected: { n: 26, type: '*ProjectedVolumeSource', doc: 'Files from several sources in one directory.' },
      portworxVolume: { n: 24, type: '*PortworxVolumeSource', deprecated: true, doc: 'Deprecated: a volume of Portworx, served by its CSI driver.' },
      scaleIO: { n: 25, type: '*ScaleIOVolumeSource', deprecated: true, doc: 'Deprecated: a volume of ScaleIO. No longer supported.' },
      storageos: { n: 27, type: '*StorageOSVolumeSource', deprecated: true, doc: 'Deprecated: a volume of StorageOS. No longer supported.' },
      csi: { n: 28, type: '*CSIVolumeSource', doc: 'A volume that a CSI driver creates for the pod.' },
      ephemeral: { n: 29, type: '*EphemeralVolumeSource', doc: 'A claim that is made for the pod and deleted with it.' },
      image: { n: 30, type: '*ImageVolumeSource', doc: 'The files of a container image or artifact, read-only.' },
    },
  },
  VolumeStatus: {
    doc: 'Its fields depend on the kind of volume.',
    fields: {
      image: { n: 1, type: '*ImageVolumeStatus', gate: ['ImageVolumeWithDigest'], doc: 'State of an image volume.' },
    },
  },
  VsphereVirtualDiskVolumeSource: {
    doc: 'A virtual disk of vSphere.',
    fields: {
      volumePath: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Path of the disk.' },
      fsType: { n: 2, type: 'string', doc: 'Filesystem to mount, such as ext4 or xfs; left to the driver or host when empty.' },
      storagePolicyName: { n: 3, type: 'string', doc: 'Name of the storage policy.' },
      storagePolicyID: { n: 4, type: 'string', doc: 'Identifier of the policy that storagePolicyName names.' },
    },
  },
}

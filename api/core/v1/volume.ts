import type { TypeTable } from '../../../lib/schema/index.ts'

/** Volumes, persistent volumes and claims. */
export const volumeTypes: Readonly<Record<string, TypeTable>> = {
  AWSElasticBlockStoreVolumeSource: {
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      partition: { n: 3, type: 'int32', format: 'int32' },
      readOnly: { n: 4, type: 'bool' },
    },
  },
  AzureDiskVolumeSource: {
    fields: {
      diskName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      diskURI: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      cachingMode: { n: 3, type: '*string', default: 'ReadWrite', alias: 'AzureDataDiskCachingMode', enum: ['None', 'ReadOnly', 'ReadWrite'] },
      fsType: { n: 4, type: '*string', default: 'ext4' },
      readOnly: { n: 5, type: '*bool', default: false },
      kind: { n: 6, type: '*string', default: 'Shared', alias: 'AzureDataDiskKind', enum: ['Dedicated', 'Managed', 'Shared'] },
    },
  },
  AzureFilePersistentVolumeSource: {
    fields: {
      secretName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      shareName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
      secretNamespace: { n: 4, type: '*string', omit: 'never' },
    },
  },
  AzureFileVolumeSource: {
    fields: {
      secretName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      shareName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
    },
  },
  CSIPersistentVolumeSource: {
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      volumeHandle: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
      fsType: { n: 4, type: 'string' },
      volumeAttributes: { n: 5, type: 'map[string]string' },
      controllerPublishSecretRef: { n: 6, type: '*SecretReference' },
      nodeStageSecretRef: { n: 7, type: '*SecretReference' },
      nodePublishSecretRef: { n: 8, type: '*SecretReference' },
      controllerExpandSecretRef: { n: 9, type: '*SecretReference' },
      nodeExpandSecretRef: { n: 10, type: '*SecretReference' },
    },
  },
  CSIVolumeSource: {
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 2, type: '*bool' },
      fsType: { n: 3, type: '*string' },
      volumeAttributes: { n: 4, type: 'map[string]string' },
      nodePublishSecretRef: { n: 5, type: '*LocalObjectReference' },
    },
  },
  CephFSPersistentVolumeSource: {
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
      path: { n: 2, type: 'string' },
      user: { n: 3, type: 'string' },
      secretFile: { n: 4, type: 'string' },
      secretRef: { n: 5, type: '*SecretReference' },
      readOnly: { n: 6, type: 'bool' },
    },
  },
  CephFSVolumeSource: {
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
      path: { n: 2, type: 'string' },
      user: { n: 3, type: 'string' },
      secretFile: { n: 4, type: 'string' },
      secretRef: { n: 5, type: '*LocalObjectReference' },
      readOnly: { n: 6, type: 'bool' },
    },
  },
  CinderPersistentVolumeSource: {
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      readOnly: { n: 3, type: 'bool' },
      secretRef: { n: 4, type: '*SecretReference' },
    },
  },
  CinderVolumeSource: {
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      readOnly: { n: 3, type: 'bool' },
      secretRef: { n: 4, type: '*LocalObjectReference' },
    },
  },
  ClusterTrustBundleProjection: {
    fields: {
      name: { n: 1, type: '*string' },
      signerName: { n: 2, type: '*string' },
      labelSelector: { n: 3, type: '*meta/v1.LabelSelector' },
      optional: { n: 5, type: '*bool' },
      path: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  ConfigMapProjection: {
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic' },
      optional: { n: 4, type: '*bool' },
    },
  },
  ConfigMapVolumeSource: {
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic' },
      defaultMode: { n: 3, type: '*int32', format: 'int32' },
      optional: { n: 4, type: '*bool' },
    },
  },
  DownwardAPIProjection: {
    fields: {
      items: { n: 1, type: '[]DownwardAPIVolumeFile', list: 'atomic' },
    },
  },
  DownwardAPIVolumeFile: {
    fields: {
      path: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fieldRef: { n: 2, type: '*ObjectFieldSelector' },
      resourceFieldRef: { n: 3, type: '*ResourceFieldSelector' },
      mode: { n: 4, type: '*int32', format: 'int32' },
    },
  },
  DownwardAPIVolumeSource: {
    fields: {
      items: { n: 1, type: '[]DownwardAPIVolumeFile', list: 'atomic' },
      defaultMode: { n: 2, type: '*int32', format: 'int32' },
    },
  },
  EmptyDirVolumeSource: {
    fields: {
      medium: { n: 1, type: 'string', alias: 'StorageMedium' },
      sizeLimit: { n: 2, type: '*Quantity' },
    },
  },
  EphemeralVolumeSource: {
    fields: {
      volumeClaimTemplate: { n: 1, type: '*PersistentVolumeClaimTemplate' },
    },
  },
  FCVolumeSource: {
    fields: {
      targetWWNs: { n: 1, type: '[]string', list: 'atomic' },
      lun: { n: 2, type: '*int32', format: 'int32' },
      fsType: { n: 3, type: 'string' },
      readOnly: { n: 4, type: 'bool' },
      wwids: { n: 5, type: '[]string', list: 'atomic' },
    },
  },
  FlexPersistentVolumeSource: {
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      secretRef: { n: 3, type: '*SecretReference' },
      readOnly: { n: 4, type: 'bool' },
      options: { n: 5, type: 'map[string]string' },
    },
  },
  FlexVolumeSource: {
    fields: {
      driver: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      secretRef: { n: 3, type: '*LocalObjectReference' },
      readOnly: { n: 4, type: 'bool' },
      options: { n: 5, type: 'map[string]string' },
    },
  },
  FlockerVolumeSource: {
    fields: {
      datasetName: { n: 1, type: 'string', deprecated: true },
      datasetUUID: { n: 2, type: 'string' },
    },
  },
  GCEPersistentDiskVolumeSource: {
    fields: {
      pdName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      partition: { n: 3, type: 'int32', format: 'int32' },
      readOnly: { n: 4, type: 'bool' },
    },
  },
  GitRepoVolumeSource: {
    fields: {
      repository: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      revision: { n: 2, type: 'string' },
      directory: { n: 3, type: 'string' },
    },
  },
  GlusterfsPersistentVolumeSource: {
    fields: {
      endpoints: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
      endpointsNamespace: { n: 4, type: '*string' },
    },
  },
  GlusterfsVolumeSource: {
    fields: {
      endpoints: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
    },
  },
  HostPathVolumeSource: {
    fields: {
      path: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      type: { n: 2, type: '*string', alias: 'HostPathType', enum: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'] },
    },
  },
  ISCSIPersistentVolumeSource: {
    fields: {
      targetPortal: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      iqn: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      lun: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      iscsiInterface: { n: 4, type: 'string', default: 'default' },
      fsType: { n: 5, type: 'string' },
      readOnly: { n: 6, type: 'bool' },
      portals: { n: 7, type: '[]string', list: 'atomic' },
      chapAuthDiscovery: { n: 8, type: 'bool' },
      chapAuthSession: { n: 11, type: 'bool' },
      secretRef: { n: 10, type: '*SecretReference' },
      initiatorName: { n: 12, type: '*string' },
    },
  },
  ISCSIVolumeSource: {
    fields: {
      targetPortal: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      iqn: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      lun: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      iscsiInterface: { n: 4, type: 'string', default: 'default' },
      fsType: { n: 5, type: 'string' },
      readOnly: { n: 6, type: 'bool' },
      portals: { n: 7, type: '[]string', list: 'atomic' },
      chapAuthDiscovery: { n: 8, type: 'bool' },
      chapAuthSession: { n: 11, type: 'bool' },
      secretRef: { n: 10, type: '*LocalObjectReference' },
      initiatorName: { n: 12, type: '*string' },
    },
  },
  ImageVolumeSource: {
    fields: {
      reference: { n: 1, type: 'string' },
      pullPolicy: { n: 2, type: 'string', alias: 'PullPolicy', enum: ['Always', 'IfNotPresent', 'Never'] },
    },
  },
  KeyToPath: {
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      mode: { n: 3, type: '*int32', format: 'int32' },
    },
  },
  LocalVolumeSource: {
    fields: {
      path: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: '*string' },
    },
  },
  ModifyVolumeStatus: {
    fields: {
      targetVolumeAttributesClassName: { n: 1, type: 'string' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'PersistentVolumeClaimModifyVolumeStatus', enum: ['InProgress', 'Infeasible', 'Pending'] },
    },
  },
  NFSVolumeSource: {
    fields: {
      server: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      path: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
    },
  },
  PersistentVolume: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'PersistentVolumeSpec' },
      status: { n: 3, type: 'PersistentVolumeStatus' },
    },
  },
  PersistentVolumeClaim: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'PersistentVolumeClaimSpec' },
      status: { n: 3, type: 'PersistentVolumeClaimStatus' },
    },
  },
  PersistentVolumeClaimCondition: {
    fields: {
      type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PersistentVolumeClaimConditionType' },
      status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
      lastProbeTime: { n: 3, type: 'Time' },
      lastTransitionTime: { n: 4, type: 'Time' },
      reason: { n: 5, type: 'string' },
      message: { n: 6, type: 'string' },
    },
  },
  PersistentVolumeClaimList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]PersistentVolumeClaim', omit: 'never', required: true },
    },
  },
  PersistentVolumeClaimSpec: {
    fields: {
      accessModes: { n: 1, type: '[]string', list: 'atomic', alias: 'PersistentVolumeAccessMode', itemEnum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] },
      selector: { n: 4, type: '*meta/v1.LabelSelector' },
      resources: { n: 2, type: 'VolumeResourceRequirements' },
      volumeName: { n: 3, type: 'string' },
      storageClassName: { n: 5, type: '*string' },
      volumeMode: { n: 6, type: '*string', alias: 'PersistentVolumeMode', enum: ['Block', 'Filesystem'] },
      dataSource: { n: 7, type: '*TypedLocalObjectReference' },
      dataSourceRef: { n: 8, type: '*TypedObjectReference' },
      volumeAttributesClassName: { n: 9, type: '*string', gate: ['VolumeAttributesClass'] },
    },
  },
  PersistentVolumeClaimStatus: {
    fields: {
      phase: { n: 1, type: 'string', alias: 'PersistentVolumeClaimPhase', enum: ['Bound', 'Lost', 'Pending'] },
      accessModes: { n: 2, type: '[]string', list: 'atomic', alias: 'PersistentVolumeAccessMode', itemEnum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] },
      capacity: { n: 3, type: 'map[string]Quantity' },
      conditions: { n: 4, type: '[]PersistentVolumeClaimCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      allocatedResources: { n: 5, type: 'map[string]Quantity' },
      allocatedResourceStatuses: { n: 7, type: 'map[string]string', map: 'granular' },
      currentVolumeAttributesClassName: { n: 8, type: '*string', gate: ['VolumeAttributesClass'] },
      modifyVolumeStatus: { n: 9, type: '*ModifyVolumeStatus', gate: ['VolumeAttributesClass'] },
    },
  },
  PersistentVolumeClaimTemplate: {
    fields: {
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'PersistentVolumeClaimSpec', omit: 'never', required: true },
    },
  },
  PersistentVolumeClaimVolumeSource: {
    fields: {
      claimName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 2, type: 'bool' },
    },
  },
  PersistentVolumeList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]PersistentVolume', omit: 'never', required: true },
    },
  },
  PersistentVolumeSource: {
    fields: {
      gcePersistentDisk: { n: 1, type: '*GCEPersistentDiskVolumeSource', deprecated: true },
      awsElasticBlockStore: { n: 2, type: '*AWSElasticBlockStoreVolumeSource', deprecated: true },
      hostPath: { n: 3, type: '*HostPathVolumeSource' },
      glusterfs: { n: 4, type: '*GlusterfsPersistentVolumeSource', deprecated: true },
      nfs: { n: 5, type: '*NFSVolumeSource' },
      rbd: { n: 6, type: '*RBDPersistentVolumeSource', deprecated: true },
      iscsi: { n: 7, type: '*ISCSIPersistentVolumeSource' },
      cinder: { n: 8, type: '*CinderPersistentVolumeSource', deprecated: true },
      cephfs: { n: 9, type: '*CephFSPersistentVolumeSource', deprecated: true },
      fc: { n: 10, type: '*FCVolumeSource' },
      flocker: { n: 11, type: '*FlockerVolumeSource', deprecated: true },
      flexVolume: { n: 12, type: '*FlexPersistentVolumeSource', deprecated: true },
      azureFile: { n: 13, type: '*AzureFilePersistentVolumeSource', deprecated: true },
      vsphereVolume: { n: 14, type: '*VsphereVirtualDiskVolumeSource', deprecated: true },
      quobyte: { n: 15, type: '*QuobyteVolumeSource', deprecated: true },
      azureDisk: { n: 16, type: '*AzureDiskVolumeSource', deprecated: true },
      photonPersistentDisk: { n: 17, type: '*PhotonPersistentDiskVolumeSource', deprecated: true },
      portworxVolume: { n: 18, type: '*PortworxVolumeSource', deprecated: true },
      scaleIO: { n: 19, type: '*ScaleIOPersistentVolumeSource', deprecated: true },
      local: { n: 20, type: '*LocalVolumeSource' },
      storageos: { n: 21, type: '*StorageOSPersistentVolumeSource', deprecated: true },
      csi: { n: 22, type: '*CSIPersistentVolumeSource' },
    },
  },
  PersistentVolumeSpec: {
    fields: {
      capacity: { n: 1, type: 'map[string]Quantity' },
      persistentVolumeSource: { n: 2, type: 'PersistentVolumeSource', inline: true },
      accessModes: { n: 3, type: '[]string', list: 'atomic', alias: 'PersistentVolumeAccessMode', itemEnum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] },
      claimRef: { n: 4, type: '*ObjectReference', map: 'granular' },
      persistentVolumeReclaimPolicy: { n: 5, type: 'string', alias: 'PersistentVolumeReclaimPolicy', enum: ['Delete', 'Recycle', 'Retain'], deprecated: true },
      storageClassName: { n: 6, type: 'string' },
      mountOptions: { n: 7, type: '[]string', list: 'atomic' },
      volumeMode: { n: 8, type: '*string', alias: 'PersistentVolumeMode', enum: ['Block', 'Filesystem'] },
      nodeAffinity: { n: 9, type: '*VolumeNodeAffinity' },
      volumeAttributesClassName: { n: 10, type: '*string', gate: ['VolumeAttributesClass'] },
    },
  },
  PersistentVolumeStatus: {
    fields: {
      phase: { n: 1, type: 'string', alias: 'PersistentVolumePhase', enum: ['Available', 'Bound', 'Failed', 'Pending', 'Released'] },
      message: { n: 2, type: 'string' },
      reason: { n: 3, type: 'string' },
      lastPhaseTransitionTime: { n: 4, type: '*Time' },
    },
  },
  PhotonPersistentDiskVolumeSource: {
    fields: {
      pdID: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
    },
  },
  PodCertificateProjection: {
    fields: {
      signerName: { n: 1, type: 'string', required: true },
      keyType: { n: 2, type: 'string', required: true },
      maxExpirationSeconds: { n: 3, type: '*int32', format: 'int32' },
      credentialBundlePath: { n: 4, type: 'string' },
      keyPath: { n: 5, type: 'string' },
      certificateChainPath: { n: 6, type: 'string' },
      userAnnotations: { n: 7, type: 'map[string]string' },
    },
  },
  PortworxVolumeSource: {
    fields: {
      volumeID: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      readOnly: { n: 3, type: 'bool' },
    },
  },
  ProjectedVolumeSource: {
    fields: {
      sources: { n: 1, type: '[]VolumeProjection', omit: 'never', list: 'atomic' },
      defaultMode: { n: 2, type: '*int32', format: 'int32' },
    },
  },
  QuobyteVolumeSource: {
    fields: {
      registry: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      volume: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
      user: { n: 4, type: 'string' },
      group: { n: 5, type: 'string' },
      tenant: { n: 6, type: 'string' },
    },
  },
  RBDPersistentVolumeSource: {
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
      image: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 3, type: 'string' },
      pool: { n: 4, type: 'string', default: 'rbd' },
      user: { n: 5, type: 'string', default: 'admin' },
      keyring: { n: 6, type: 'string', default: '/etc/ceph/keyring' },
      secretRef: { n: 7, type: '*SecretReference' },
      readOnly: { n: 8, type: 'bool' },
    },
  },
  RBDVolumeSource: {
    fields: {
      monitors: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
      image: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 3, type: 'string' },
      pool: { n: 4, type: 'string', default: 'rbd' },
      user: { n: 5, type: 'string', default: 'admin' },
      keyring: { n: 6, type: 'string', default: '/etc/ceph/keyring' },
      secretRef: { n: 7, type: '*LocalObjectReference' },
      readOnly: { n: 8, type: 'bool' },
    },
  },
  ScaleIOPersistentVolumeSource: {
    fields: {
      gateway: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      system: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      secretRef: { n: 3, type: '*SecretReference', omit: 'never', required: true },
      sslEnabled: { n: 4, type: 'bool' },
      protectionDomain: { n: 5, type: 'string' },
      storagePool: { n: 6, type: 'string' },
      storageMode: { n: 7, type: 'string', default: 'ThinProvisioned' },
      volumeName: { n: 8, type: 'string' },
      fsType: { n: 9, type: 'string', default: 'xfs' },
      readOnly: { n: 10, type: 'bool' },
    },
  },
  ScaleIOVolumeSource: {
    fields: {
      gateway: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      system: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      secretRef: { n: 3, type: '*LocalObjectReference', omit: 'never', required: true },
      sslEnabled: { n: 4, type: 'bool' },
      protectionDomain: { n: 5, type: 'string' },
      storagePool: { n: 6, type: 'string' },
      storageMode: { n: 7, type: 'string', default: 'ThinProvisioned' },
      volumeName: { n: 8, type: 'string' },
      fsType: { n: 9, type: 'string', default: 'xfs' },
      readOnly: { n: 10, type: 'bool' },
    },
  },
  SecretProjection: {
    fields: {
      localObjectReference: { n: 1, type: 'LocalObjectReference', inline: true },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic' },
      optional: { n: 4, type: '*bool' },
    },
  },
  SecretVolumeSource: {
    fields: {
      secretName: { n: 1, type: 'string' },
      items: { n: 2, type: '[]KeyToPath', list: 'atomic' },
      defaultMode: { n: 3, type: '*int32', format: 'int32' },
      optional: { n: 4, type: '*bool' },
    },
  },
  ServiceAccountTokenProjection: {
    fields: {
      audience: { n: 1, type: 'string' },
      expirationSeconds: { n: 2, type: '*int64', format: 'int64' },
      path: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  StorageOSPersistentVolumeSource: {
    fields: {
      volumeName: { n: 1, type: 'string' },
      volumeNamespace: { n: 2, type: 'string' },
      fsType: { n: 3, type: 'string' },
      readOnly: { n: 4, type: 'bool' },
      secretRef: { n: 5, type: '*ObjectReference' },
    },
  },
  StorageOSVolumeSource: {
    fields: {
      volumeName: { n: 1, type: 'string' },
      volumeNamespace: { n: 2, type: 'string' },
      fsType: { n: 3, type: 'string' },
      readOnly: { n: 4, type: 'bool' },
      secretRef: { n: 5, type: '*LocalObjectReference' },
    },
  },
  TypedLocalObjectReference: {
    map: 'atomic',
    fields: {
      apiGroup: { n: 1, type: '*string', omit: 'never' },
      kind: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      name: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  TypedObjectReference: {
    fields: {
      apiGroup: { n: 1, type: '*string', omit: 'never' },
      kind: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      name: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      namespace: { n: 4, type: '*string', gate: ['CrossNamespaceVolumeDataSource'] },
    },
  },
  Volume: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      volumeSource: { n: 2, type: 'VolumeSource', inline: true },
    },
  },
  VolumeDevice: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      devicePath: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
    },
  },
  VolumeMount: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 2, type: 'bool' },
      recursiveReadOnly: { n: 7, type: '*string', alias: 'RecursiveReadOnlyMode' },
      mountPath: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      subPath: { n: 4, type: 'string' },
      mountPropagation: { n: 5, type: '*string', alias: 'MountPropagationMode', enum: ['Bidirectional', 'HostToContainer', 'None'] },
      subPathExpr: { n: 6, type: 'string' },
    },
  },
  VolumeMountStatus: {
    fields: {
      name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      mountPath: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      readOnly: { n: 3, type: 'bool' },
      recursiveReadOnly: { n: 4, type: '*string', alias: 'RecursiveReadOnlyMode' },
      volumeStatus: { n: 5, type: '*VolumeStatus' },
    },
  },
  VolumeNodeAffinity: {
    fields: {
      required: { n: 1, type: '*NodeSelector' },
    },
  },
  VolumeProjection: {
    fields: {
      secret: { n: 1, type: '*SecretProjection' },
      downwardAPI: { n: 2, type: '*DownwardAPIProjection' },
      configMap: { n: 3, type: '*ConfigMapProjection' },
      serviceAccountToken: { n: 4, type: '*ServiceAccountTokenProjection' },
      clusterTrustBundle: { n: 5, type: '*ClusterTrustBundleProjection', gate: ['ClusterTrustBundleProjection'] },
      podCertificate: { n: 6, type: '*PodCertificateProjection', gate: ['PodCertificateProjection'] },
    },
  },
  VolumeResourceRequirements: {
    fields: {
      limits: { n: 1, type: 'map[string]Quantity' },
      requests: { n: 2, type: 'map[string]Quantity' },
    },
  },
  VolumeSource: {
    fields: {
      hostPath: { n: 1, type: '*HostPathVolumeSource' },
      emptyDir: { n: 2, type: '*EmptyDirVolumeSource' },
      gcePersistentDisk: { n: 3, type: '*GCEPersistentDiskVolumeSource', deprecated: true },
      awsElasticBlockStore: { n: 4, type: '*AWSElasticBlockStoreVolumeSource', deprecated: true },
      gitRepo: { n: 5, type: '*GitRepoVolumeSource', deprecated: true },
      secret: { n: 6, type: '*SecretVolumeSource' },
      nfs: { n: 7, type: '*NFSVolumeSource' },
      iscsi: { n: 8, type: '*ISCSIVolumeSource' },
      glusterfs: { n: 9, type: '*GlusterfsVolumeSource', deprecated: true },
      persistentVolumeClaim: { n: 10, type: '*PersistentVolumeClaimVolumeSource' },
      rbd: { n: 11, type: '*RBDVolumeSource', deprecated: true },
      flexVolume: { n: 12, type: '*FlexVolumeSource', deprecated: true },
      cinder: { n: 13, type: '*CinderVolumeSource', deprecated: true },
      cephfs: { n: 14, type: '*CephFSVolumeSource', deprecated: true },
      flocker: { n: 15, type: '*FlockerVolumeSource', deprecated: true },
      downwardAPI: { n: 16, type: '*DownwardAPIVolumeSource' },
      fc: { n: 17, type: '*FCVolumeSource' },
      azureFile: { n: 18, type: '*AzureFileVolumeSource', deprecated: true },
      configMap: { n: 19, type: '*ConfigMapVolumeSource' },
      vsphereVolume: { n: 20, type: '*VsphereVirtualDiskVolumeSource', deprecated: true },
      quobyte: { n: 21, type: '*QuobyteVolumeSource', deprecated: true },
      azureDisk: { n: 22, type: '*AzureDiskVolumeSource', deprecated: true },
      photonPersistentDisk: { n: 23, type: '*PhotonPersistentDiskVolumeSource', deprecated: true },
      projected: { n: 26, type: '*ProjectedVolumeSource' },
      portworxVolume: { n: 24, type: '*PortworxVolumeSource', deprecated: true },
      scaleIO: { n: 25, type: '*ScaleIOVolumeSource', deprecated: true },
      storageos: { n: 27, type: '*StorageOSVolumeSource', deprecated: true },
      csi: { n: 28, type: '*CSIVolumeSource' },
      ephemeral: { n: 29, type: '*EphemeralVolumeSource' },
      image: { n: 30, type: '*ImageVolumeSource' },
    },
  },
  VolumeStatus: {
    fields: {
      image: { n: 1, type: '*ImageVolumeStatus', gate: ['ImageVolumeWithDigest'] },
    },
  },
  VsphereVirtualDiskVolumeSource: {
    fields: {
      volumePath: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      fsType: { n: 2, type: 'string' },
      storagePolicyName: { n: 3, type: 'string' },
      storagePolicyID: { n: 4, type: 'string' },
    },
  },
}

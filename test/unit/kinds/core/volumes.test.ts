import { type KindCase, type Loose, refusesToCreate } from '../../../support/kindcases.ts'
import { valid as volume } from '../../../support/valid/PersistentVolume.ts'
import { valid as pod } from '../../../support/valid/Pod.ts'

const blob = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'
const managed = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const label = 'a lowercase RFC 1123 label…'
const long = 'p'.repeat(64)
const portal =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

/** A persistent volume of one source, or of several. */
function of(sources: object) {
  return (object: Loose): void => {
    delete object.spec.csi
    delete object.spec.volumeAttributesClassName
    Object.assign(object.spec, sources)
  }
}
/** A pod with one more volume. */
function mounting(source: object) {
  return (object: Loose): void => void (object.spec.volumes = [...object.spec.volumes, { name: 'more', ...source }])
}
const at = `spec.volumes[13]`
const iscsi = { targetPortal: '1.2.3.4', iqn: 'iqn.2000-01.com.e:x', initiatorName: 'iqn.2000-01.com.e:y', lun: 0 }
const azure = { diskName: 'd', diskURI: 'https://x' }

const persistent: readonly KindCase[] = [
  [
    'a disk of Google without a name',
    of({ gcePersistentDisk: { partition: 256 } }),
    [
      'spec.persistentDisk.pdName: Required value',
      'spec.persistentDisk.partition: Invalid value: 256: must be between 0 and 255, inclusive',
    ],
  ],
  [
    'two sources',
    of({ nfs: { server: 's', path: '/p' }, cephfs: { monitors: ['m'] }, gcePersistentDisk: { pdName: 'p' } }),
    [
      'spec.nfs: Forbidden: may not specify more than 1 volume type',
      'spec.cephFS: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    'a flexVolume beside another source',
    of({ nfs: { server: 's', path: '/p' }, flexVolume: { driver: '' } }),
    ['spec.flexVolume.driver: Required value'],
  ],
  [
    'a disk of Azure that is no blob',
    of({ azureDisk: { ...azure, diskURI: '/subscriptions/x' } }),
    [`spec.azureDisk.diskURI: Unsupported value: "/subscriptions/x": supported values: "${blob}"`],
  ],
  [
    'a managed disk of Azure that is a blob',
    of({ azureDisk: { ...azure, kind: 'Managed' } }),
    [`spec.azureDisk.diskURI: Unsupported value: "https://x": supported values: "${managed}"`],
  ],
  [
    'a disk of Azure of no kind',
    of({ azureDisk: { ...azure, kind: '', cachingMode: '' } }),
    [
      'spec.azureDisk.cachingMode: Unsupported value: "": supported values: "None", "ReadOnly", "ReadWrite"',
      'spec.azureDisk.kind: Unsupported value: "": supported values: "Dedicated", "Managed", "Shared"',
    ],
  ],
  [
    'names of StorageOS',
    of({ storageos: { volumeName: 'V', volumeNamespace: 'N', secretRef: {} } }),
    [
      `spec.storageos.volumeName: Invalid value: "V": ${label}`,
      `spec.storageos.volumeNamespace: Invalid value: "N": ${label}`,
      'spec.storageos.secretRef.name: Required value',
      'spec.storageos.secretRef.namespace: Required value',
    ],
  ],
  [
    'an iSCSI portal that is too long, and a name of no form',
    of({ iscsi: { ...iscsi, targetPortal: long, iqn: 'x' } }),
    [
      `spec.iscsi.targetportal: Invalid value: "${long}": ${portal}`,
      'spec.iscsi.iqn: Invalid value: "x": must be valid format',
    ],
  ],
  [
    "a driver's secret",
    (object) => (object.spec.csi.controllerExpandSecretRef = { name: 'N', namespace: 'a.b' }),
    [
      'spec.csi.controllerExpandSecretRef.name: Invalid value: "N": a lowercase RFC 1123 subdomain…',
      'spec.csi.controllerExpandSecretRef.namespace: Invalid value: "a.b": must not contain dots',
    ],
  ],
  [
    'less than nothing',
    (object) => (object.spec.capacity.storage = '-1'),
    [
      'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
      'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
    ],
  ],
]

const secret = { secret: { name: 's', items: [{ key: 'k', path: 'p' }] } }
const mounted: readonly KindCase[] = [
  ['a disk of Google', mounting({ gcePersistentDisk: {} }), [`${at}.persistentDisk.pdName: Required value`]],
  [
    'an iSCSI portal that is too long',
    mounting({ iscsi: { ...iscsi, targetPortal: long } }),
    [`${at}.name: Invalid value: "more": ${portal}`],
  ],
  [
    'names of StorageOS',
    mounting({ storageos: { volumeName: 'a.b' } }),
    [`${at}.storageos.volumeName: Invalid value: "a.b": must not contain dots`],
  ],
  [
    'a file of two projected sources',
    mounting({ projected: { sources: [secret, { downwardAPI: { items: [file('p')] } }, secret] } }),
    [
      `${at}.projected: Invalid value: "p": conflicting duplicate paths`,
      `${at}.projected: Invalid value: "s": conflicting duplicate paths`,
    ],
  ],
  [
    'two projections in one source',
    mounting({ projected: { sources: [{ ...secret, configMap: {} }] } }),
    [
      `${at}.projected.sources[0].configMap.name: Required value`,
      `${at}.projected.sources[0]: Forbidden: may not specify more than 1 volume type per source`,
    ],
  ],
  [
    "a token of nobody's",
    (object) => delete object.spec.serviceAccountName,
    [
      'spec.volumes[6].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ],
  ],
]

function file(path: string): object {
  return { path, fieldRef: { fieldPath: 'metadata.name' } }
}

describe('kinds: volumes', () => {
  refusesToCreate(volume, persistent)
  refusesToCreate(pod, mounted)
})

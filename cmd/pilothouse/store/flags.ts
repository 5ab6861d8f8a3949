import { bool, durationMs, integer, text } from '../../../lib/flags/index.ts'
import { apiserverFlags } from '../../apiserver/flags.ts'

const {
  'etcd-servers': etcdServers,
  'etcd-cafile': etcdCafile,
  'etcd-certfile': etcdCertfile,
  'etcd-keyfile': etcdKeyfile,
  'etcd-prefix': etcdPrefix,
  'encryption-provider-config': encryptionProviderConfig,
} = apiserverFlags['Storage flags']

const dataEncryptionKeyFile = text(
  '',
  'File with the keys of an embedded store that is encrypted, or is to be, and of snapshots: a line each of 32 bytes in base64.',
)
const etcdTls = {
  'etcd-cafile': etcdCafile,
  'etcd-certfile': etcdCertfile,
  'etcd-keyfile': etcdKeyfile,
} as const
const store = {
  'etcd-servers': etcdServers,
  ...etcdTls,
  'etcd-prefix': etcdPrefix,
  'data-dir': text('', 'Folder of `pilothouse up`, or of an embedded store.'),
  'data-encryption-key-file': dataEncryptionKeyFile,
} as const
const { help } = apiserverFlags['Global flags']
const encryption = { 'encryption-provider-config': encryptionProviderConfig } as const
const tableOrJson = text('table', 'Format: table or json.', { short: 'o' })

export const statusFlags = { Flags: { output: tableOrJson, help }, 'Store flags': store } as const
export const membersFlags = statusFlags
export const checkFlags = { Flags: { output: tableOrJson, help }, 'Store flags': { ...store, ...encryption } } as const
export const compactFlags = {
  Flags: { revision: integer(0, 'First revision that stays readable; 0: the newest.', { min: 0 }), help },
  'Store flags': store,
} as const
export const defragmentFlags = { Flags: { help }, 'Store flags': store } as const
export const migrateFlags = {
  Flags: {
    from: text('', 'Store to copy: a folder of `pilothouse up`, or endpoints of etcd with commas between them.'),
    to: text('', 'Store to fill, in the same forms: an empty cluster, or a folder that is to be made.'),
    follow: bool(false, 'Let servers use the source, and follow it until they have stopped.'),
    'idle-period': durationMs(
      '30s',
      'With --follow: time without a write after which the servers of an etcd have stopped.',
    ),
    'work-dir': text('', 'Folder for a copy of the source, removed in the end. Empty: that of the system.'),
    help,
  },
  'Store flags': { ...etcdTls, 'data-encryption-key-file': dataEncryptionKeyFile },
} as const
export const snapshotFlags = {
  Flags: {
    format: text(
      'pilothouse',
      'pilothouse: for `pilothouse store restore`, into any store. etcd: the database of one member, for `etcdutl snapshot restore`.',
    ),
    help,
  },
  'Store flags': store,
} as const
export const restoreFlags = {
  Flags: {
    'revision-margin': integer(
      1_000_000,
      "Revisions left out after the snapshot's: more than were written since, so that clients mistake none for another.",
      { min: 0 },
    ),
    help,
  },
  'Store flags': store,
} as const
const showSecrets = bool(false, 'Print what Secrets hold; otherwise the sizes of their values.')
export const getFlags = {
  Flags: {
    output: text('yaml', 'Format: yaml or json.', { short: 'o' }),
    revision: integer(0, 'As it was at this revision; 0: now.', { min: 0 }),
    'show-secrets': showSecrets,
    help,
  },
  'Store flags': { ...store, ...encryption },
} as const
export const listFlags = {
  Flags: { output: text('table', 'Format: table, json or name.', { short: 'o' }), help },
  'Store flags': store,
} as const
export const historyFlags = {
  Flags: {
    output: text('table', 'Format: table, yaml or json.', { short: 'o' }),
    'show-secrets': showSecrets,
    help,
  },
  'Store flags': { ...store, ...encryption },
} as const

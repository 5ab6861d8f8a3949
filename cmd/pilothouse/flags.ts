import { bool, commaList, type FlagValues, integer, ipAddress, text } from '../../lib/flags/index.ts'
import { apiserverFlags } from '../apiserver/flags.ts'

/** Admission plugins that need these controllers, which create or remove what the plugins require. */
export const controllersOfPlugins: Readonly<Record<string, readonly string[]>> = {
  ServiceAccount: ['serviceaccount-controller'],
  ResourceQuota: ['resourcequota-controller'],
  StorageObjectInUseProtection: [
    'persistentvolumeclaim-protection-controller',
    'persistentvolume-protection-controller',
  ],
}

const defaultDataDir = '.pilothouse'

const dataDir = text(defaultDataDir, 'Folder for the store, certificates and the kubeconfig; made when it is missing.')

/** All flags of the API server, with defaults for a control plane on one machine. */
export const upFlags = {
  ...apiserverFlags,
  'Storage flags': { ...apiserverFlags['Storage flags'], 'data-dir': dataDir },
  'Secure serving flags': {
    ...apiserverFlags['Secure serving flags'],
    'bind-address': ipAddress('127.0.0.1', 'Address to listen on; 0.0.0.0 or :: for all.'),
    'cert-dir': text(
      '',
      'Folder with the serving certificate, apiserver.crt and apiserver.key; one that the authority in --data-dir signs is ' +
        'made there when there is none. Empty: pki in --data-dir.',
    ),
  },
  'Authorization flags': {
    ...apiserverFlags['Authorization flags'],
    'authorization-mode': commaList(
      ['Node', 'RBAC'],
      'Authorizers in the order in which they decide: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node.',
    ),
  },
  'Admission flags': {
    ...apiserverFlags['Admission flags'],
    'enable-admission-plugins': commaList(['NodeRestriction'], 'Admission plugins to switch on.'),
    'disable-admission-plugins': commaList(
      [],
      'Admission plugins to switch off. Not given: ServiceAccount and StorageObjectInUseProtection where --controllers ' +
        'leaves out the controllers that they need.',
    ),
  },
  'Features flags': {
    ...apiserverFlags['Features flags'],
    'enable-console': bool(true, 'Serve the console, a page for browsers, at /console/.'),
  },
  'Controller flags': {
    controllers: commaList(
      ['*'],
      'Controllers to run in this process: * is all that are on by default, foo names one, -foo leaves one out. Empty: none.',
    ),
  },
  'Node flags': {
    nodes: integer(
      0,
      'Nodes without machines to run in this process: pods start there, in name only, and have logs, commands and ports ' +
        '(docs/testing.md). A scheduler gives pods to them.',
    ),
    'node-name-prefix': text(
      'hollow',
      'What the names of these nodes begin with: hollow-0, hollow-1 and so on. Control planes on one etcd need different ones.',
    ),
    seed: integer(0, 'Makes the choices of the scheduler and of stages as in every run with this seed. 0: at random.', {
      min: 0,
    }),
    stages: text(
      '',
      'File of Stage objects (kwok.x-k8s.io/v1alpha1), or folder of such files, that say what happens to pods and nodes, and ' +
        'when; read again when it changes.',
    ),
    scheduler: text('default', 'Scheduler beside --nodes: default, or none where another one is to work.'),
  },
  'Misc flags': {
    ...apiserverFlags['Misc flags'],
    'allow-privileged': bool(true, 'Let containers be privileged.'),
    'kubelet-preferred-address-types': commaList(
      // Few machines at home or in a test can look up the names of nodes.
      ['InternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS', 'ExternalIP'],
      'Order in which addresses of nodes are tried.',
    ),
  },
} as const

export type UpFlags = FlagValues<typeof upFlags>

export const kubeconfigFlags = {
  Flags: {
    'data-dir': text(defaultDataDir, 'Folder of the control plane.'),
    output: text('', 'File to write to, readable by you alone. Empty: the standard output.', { short: 'o' }),
    help: apiserverFlags['Global flags'].help,
  },
} as const

export const nodesFlags = {
  Flags: {
    'data-dir': text(defaultDataDir, 'Folder of the control plane, whose kubeconfig is used.'),
    kubeconfig: text('', 'Kubeconfig in its place.'),
    help: apiserverFlags['Global flags'].help,
  },
} as const

export const convertFlags = {
  Flags: {
    filename: commaList([], 'Files to convert, or folders of .yaml, .yml and .json files; - is the standard input.', {
      short: 'f',
    }),
    recursive: bool(false, 'Read folders within the folders, too.', { short: 'R' }),
    output: text('yaml', 'Format to write: yaml, json, protobuf or cbor.', { short: 'o' }),
    'output-version': text(
      '',
      'Version to convert to, such as apps/v1. Empty, and for kinds that have no such version: the one that their group ' +
        'prefers.',
    ),
    validate: {
      ...text('strict', 'What becomes of unknown and duplicate fields: strict, warn or ignore.'),
      alone: 'strict',
    },
    help: apiserverFlags['Global flags'].help,
  },
} as const

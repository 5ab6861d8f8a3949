import { commaList, integer, text } from '../../../lib/flags/index.ts'
import { apiserverFlags } from '../../apiserver/flags.ts'

const dir = text('/etc/kubernetes', 'Folder of the kubeconfigs; certificates and keys are in pki below it.')
const { help } = apiserverFlags['Global flags']
const validDays = integer(365, 'Days that certificates are valid; never longer than their authority.', { min: 1 })

export const pkiInitFlags = {
  Flags: {
    dir,
    'apiserver-names': commaList(
      [],
      "Further names and addresses of the API server's certificate, such as the balancer's.",
    ),
    'etcd-names': commaList([], "Further names and addresses of etcd's certificates."),
    server: text('https://127.0.0.1:6443', 'URL of the API server in the kubeconfigs.'),
    'service-cluster-ip-range': text('10.0.0.0/24', "Range of services' addresses: its first is the API server's."),
    'valid-days': validDays,
    help,
  },
} as const

export const pkiRenewFlags = { Flags: { dir, 'valid-days': validDays, help } } as const

export const pkiShowFlags = {
  Flags: { dir, output: text('table', 'Format: table or json.', { short: 'o' }), help },
} as const

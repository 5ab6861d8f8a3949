import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { servingNames } from '../../../lib/pki/index.ts'
import { findCommand, isAnswered } from '../../commandline.ts'
import { PkiFolder } from './files.ts'
import { pkiInitFlags, pkiRenewFlags, pkiShowFlags } from './flags.ts'
import { init } from './init.ts'
import { adminsGroup } from './layout.ts'
import { renew, renewable } from './renew.ts'
import { formatTable, inspect } from './show.ts'

const usage = `Makes and renews the certificates of a cluster, in the files that kubeadm uses.

Usage:
  pilothouse pki init [flags]              Makes what is missing: authorities, certificates, keys, kubeconfigs
  pilothouse pki renew <name>... [flags]   Replaces certificates; \`all\` is every one but the authorities
  pilothouse pki show [flags]              Lists them, with the days that are left

\`pilothouse pki <command> --help\` describes a command.
`
const initUsage = `Makes what is missing in the folder, and leaves alone what is there: three authorities (cluster, etcd, front proxy), the
certificates that they sign, the key pair of service accounts, and kubeconfigs.

admin.conf and the API servers' certificate for kubelets are of the group ${adminsGroup}, as kubeadm makes them. Once the
API server runs, super-admin.conf (of system:masters) gives that group its rights:
  kubectl --kubeconfig=DIR/super-admin.conf create clusterrolebinding ${adminsGroup} \
    --clusterrole=cluster-admin --group=${adminsGroup}

Usage:
  pilothouse pki init --apiserver-names=10.1.0.5,api.example.com --server=https://api.example.com:6443
`
const renewUsage = `Replaces certificates by new ones with new keys and the same names. Servers reload them without a restart; users of a
kubeconfig need the new file.

Usage:
  pilothouse pki renew all
  pilothouse pki renew ${renewable.slice(0, 2).join(' ')}

Names: ${renewable.join(', ')}
`
const showUsage = `Lists the certificates of the folder.

Usage:
  pilothouse pki show
`

const services = { clock: systemClock, random: systemRandom }
const dayMs = 24 * 3600_000

const commands: Readonly<Record<string, (line: readonly string[]) => Promise<void>>> = {
  async init(line) {
    const parsed = parseFlags(pkiInitFlags, line)
    if (isAnswered(parsed, initUsage, pkiInitFlags)) return
    const { values } = parsed
    const more = [hostname(), ...values['apiserver-names']]
    const names = {
      apiserver: servingNames({ serviceRange: values['service-cluster-ip-range'], more }),
      etcd: [...new Set(['localhost', '127.0.0.1', '::1', hostname(), ...values['etcd-names']])],
    }
    const validMs = values['valid-days'] * dayMs
    const folder = new PkiFolder(resolve(values.dir), services)
    const { made, kept } = await init(folder, services, { names, server: values.server, validMs })
    const list = (what: string, paths: readonly string[]): string =>
      paths.length === 0 ? '' : `${what}:\n${paths.map((path) => `  ${path}\n`).join('')}`
    process.stdout.write(list('made', made) + list('kept', kept))
  },
  async renew(line) {
    const parsed = parseFlags(pkiRenewFlags, line)
    const { values, positional } = parsed
    if (isAnswered({ values, positional: [] }, renewUsage, pkiRenewFlags)) return
    if (positional.length === 0) throw new FlagError(`name what to renew: all, ${renewable.join(', ')}`)
    const names = positional.includes('all') ? renewable : positional
    await renew(new PkiFolder(resolve(values.dir), services), names, values['valid-days'] * dayMs)
    process.stdout.write(`renewed:\n${names.map((name) => `  ${name}\n`).join('')}`)
  },
  async show(line) {
    const parsed = parseFlags(pkiShowFlags, line)
    if (isAnswered(parsed, showUsage, pkiShowFlags)) return
    const { values } = parsed
    const entries = await inspect(new PkiFolder(resolve(values.dir), services), systemClock.now())
    process.stdout.write(values.output === 'json' ? `${JSON.stringify(entries, null, 2)}\n` : formatTable(entries))
  },
}

export async function pki([given = '--help', ...rest]: readonly string[]): Promise<number> {
  if (given === '--help' || given === '-h' || given === 'help') {
    process.stdout.write(usage)
    return 0
  }
  const command = findCommand('pki', commands, given)
  await command(rest)
  return 0
}

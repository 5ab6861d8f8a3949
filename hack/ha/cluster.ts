// A highly available control plane on this machine: three etcd members, three API replicas behind HAProxy, two controller
// managers and Prometheus, all with certificates of `pilothouse pki`.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import { createAuthority } from '../../lib/pki/index.ts'
import { programFile } from '../programfile.ts'
import { findEtcd, findHaproxy, findPrometheus } from '../programs.ts'
import { bindAdmins } from './admins.ts'
import { type PartOptions, type Ports, type Programs, partsOf, prometheusConfig } from './parts.ts'
import { type Supervisor, supervise } from './supervisor.ts'

const root = join(import.meta.dirname, '../..')

export interface Cluster extends Supervisor {
  readonly folder: string
  readonly ports: Ports
  /** Path of the administrator's kubeconfig; its server is the balancer. */
  readonly kubeconfig: string
}

/** The ports from `balancer` on: the balancer's, the replicas', then all others. */
export function portsFrom(balancer: number): Ports {
  const next = (offset: number): number => balancer + offset
  return {
    balancer,
    api: [1, 2, 3].map(next),
    managers: [4, 5].map(next),
    prometheus: next(6),
    etcd: [7, 10, 13].map((first) => ({ client: next(first), peer: next(first + 1), metrics: next(first + 2) })),
  }
}

/** The programs beside ours; undefined, with the reason on standard error, when one of them is not available. */
export async function findPrograms(): Promise<Programs | undefined> {
  const [etcd, haproxy, prometheus] = [await findEtcd(), await findHaproxy(), await findPrometheus()]
  if (!etcd || !haproxy || !prometheus) return undefined
  return { etcd, haproxy, prometheus, node: process.execPath, root }
}

/**
 * Creates the missing files in the folder and starts everything. Rejects, with nothing left running, when a part
 * doesn't work.
 */
export async function startCluster(
  folder: string,
  ports: Ports,
  programs: Programs,
  options: PartOptions & { readonly signal?: AbortSignal } = {},
): Promise<Cluster> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const server = `https://127.0.0.1:${ports.balancer}`
  const main = programFile('cmd/pilothouse/main.ts')
  await promisify(execFile)(programs.node, [main, 'pki', 'init', `--dir=${folder}`, `--server=${server}`])
  const ca = join(folder, 'pki/ca.crt')
  issueForPrometheus(folder, ca)
  writeFileSync(join(folder, 'prometheus.yaml'), prometheusConfig(folder, ports, root))
  const supervisor = await supervise(partsOf(folder, ports, programs, options), folder, ca, options.signal)
  try {
    await bindAdmins(folder, server)
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  return { ...supervisor, folder, ports, kubeconfig: join(folder, 'admin.conf') }
}

/** Prometheus may read metrics and nothing else. */
function issueForPrometheus(folder: string, ca: string): void {
  const existing = { certificate: readFileSync(ca, 'utf8'), key: readFileSync(ca.replace(/crt$/, 'key'), 'utf8') }
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { existing })
  const pair = authority.issue({ commonName: 'prometheus', organizations: ['system:monitoring'], usage: 'client' })
  writeFileSync(join(folder, 'prometheus.crt'), pair.certificate)
  writeFileSync(join(folder, 'prometheus.key'), pair.key, { mode: 0o600 })
}

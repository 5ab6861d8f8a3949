import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Cluster, startCluster } from '../../hack/ha/cluster.ts'
import { findLeaders } from '../../hack/ha/leaders.ts'
import type { Ports, Programs } from '../../hack/ha/parts.ts'
import { findStrace } from '../../hack/programs.ts'
import { type Identity, identityIn } from '../support/identity.ts'
import { type Proxy, startProxy } from '../support/proxy.ts'

const run = promisify(execFile)

/** A control plane on this machine with all that faults need: links that misbehave, clocks that can be set, a small disk. */
export interface ChaosEnvironment {
  readonly cluster: Cluster
  readonly programs: Programs
  readonly identity: Identity
  /** Between the replicas and each etcd member. */
  readonly links: readonly Proxy[]
  /** The folder of etcd1's data, if it is a file system of its own. */
  readonly smallDisk: string | undefined
  /** It delays what a process asks of its disk. Undefined where there is none, or this user may not trace. */
  readonly strace: string | undefined
  leader(): Promise<string | undefined>
  manager(): Promise<string | undefined>
  /** Sets the wall clock of a replica or manager. */
  shiftClock(name: string, ms: number): void
  /** A call of etcd's JSON gateway, past the links. */
  etcd(member: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

/** The replica that serves with several processes. */
export const severalProcesses = 'api1'

const etcdQuotaBytes = 64 * 1024 * 1024
const shortLeases = [
  '--leader-elect-lease-duration=6s',
  '--leader-elect-renew-deadline=4s',
  '--leader-elect-retry-period=1s',
]

export async function openChaosEnvironment(
  folder: string,
  ports: Ports,
  programs: Programs,
  {
    signal,
    hasSmallDisk,
    hasSlowDisks,
  }: { readonly signal?: AbortSignal | undefined; readonly hasSmallDisk: boolean; readonly hasSlowDisks: boolean },
): Promise<ChaosEnvironment> {
  const clocks = join(folder, 'clocks')
  mkdirSync(clocks, { recursive: true })
  const links = await Promise.all(ports.etcd.map(({ client }) => startProxy(`http://127.0.0.1:${client}`)))
  const smallDisk = hasSmallDisk ? await mountSmallDisk(join(folder, 'etcd1')) : undefined
  const strace = hasSlowDisks ? await usableStrace() : undefined
  const closeAround = async (): Promise<void> => {
    for (const link of links) await link.close()
    if (smallDisk !== undefined) await run('umount', [smallDisk])
  }
  try {
    const cluster = await startCluster(folder, ports, programs, {
      managerFlags: shortLeases,
      flagsOf: (name) => [
        `--watch-cache-directory=${join(folder, `mirror-${name}`)}`,
        ...(name === severalProcesses ? ['--processes=2'] : []),
      ],
      etcdFlags: [`--quota-backend-bytes=${etcdQuotaBytes}`, '--max-wals=2'],
      etcdPorts: links.map(({ url }) => Number(new URL(url).port)),
      nodeFlags: () => [`--require=${join(import.meta.dirname, 'shiftclock.cjs')}`],
      environment: (name) => ({ PILOTHOUSE_CHAOS_CLOCK: join(clocks, name) }),
      ...(signal && { signal }),
    })
    return {
      cluster,
      programs,
      identity: identityIn(cluster.kubeconfig),
      links,
      smallDisk,
      strace,
      leader: async () => (await findLeaders(folder, ports)).etcd,
      manager: async () => (await findLeaders(folder, ports)).manager,
      shiftClock: (name, ms) => writeFileSync(join(clocks, name), String(ms)),
      etcd: (member, path, body) => askEtcd(folder, ports.etcd[Number(member.slice(4)) - 1]?.client ?? 0, path, body),
      async close() {
        for (const link of links) Object.assign(link, { stalled: false, delayMs: 0, unevenMs: 0, refusing: false })
        await cluster.stop()
        await closeAround()
      },
    }
  } catch (error) {
    await closeAround()
    throw error
  }
}

async function usableStrace(): Promise<string | undefined> {
  const strace = await findStrace()
  if (strace === undefined) return undefined
  const tracing = run(strace, ['-f', '-qq', '-o', '/dev/null', '-e', 'inject=fsync:delay_exit=1', 'true'])
  return await tracing.then(
    () => strace,
    () => undefined,
  )
}

/** Room for etcd's log segments, and little more. Undefined where this user may not mount. */
async function mountSmallDisk(folder: string): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return await run('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=0700', 'tmpfs', folder]).then(
    () => folder,
    () => undefined,
  )
}

async function askEtcd(
  folder: string,
  port: number,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const pki = (file: string): Buffer => readFileSync(join(folder, 'pki', file))
  return await new Promise((resolve, reject) => {
    const request = https.request(
      {
        hostname: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        timeout: 20_000,
        ca: pki('etcd/ca.crt'),
        cert: pki('apiserver-etcd-client.crt'),
        key: pki('apiserver-etcd-client.key'),
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.on('error', reject)
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(JSON.parse(text) as Readonly<Record<string, unknown>>)
            : reject(new Error(`etcd: ${path}: ${answer.statusCode} ${text.slice(0, 300)}`)),
        )
      },
    )
    request.on('timeout', () => request.destroy(new Error(`etcd: ${path}: no answer`)))
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}

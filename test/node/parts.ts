import { readFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { type Part, startPart, startScheduler } from '../../hack/node/part.ts'
import type { Plane } from '../../hack/node/plane.ts'
import type { Site } from '../../hack/node/site.ts'
import { type EtcdServer, startEtcd } from '../support/etcd.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/ports.ts'
import { runProgram } from '../support/program.ts'

type PartName = 'apiserver' | 'controller-manager' | 'scheduler'

/** A control plane of single programs, which can be ended and started again one by one. */
export interface Parts extends Plane {
  readonly etcd: EtcdServer
  /** Kills the part, and starts it again, from then on with other flags if any are given. */
  restart(name: PartName, flags?: readonly string[]): Promise<void>
  /** Resolves when the API server is ready. */
  ready(): Promise<void>
}

/** Starts etcd and the programs with certificates of `pilothouse pki`. */
export async function startParts(site: Site, managerFlags: readonly string[]): Promise<Parts> {
  const { folder, hostAddress } = site
  const url = `https://${hostAddress}:6443`
  const line = ['pki', 'init', `--dir=${folder}`, `--apiserver-names=${hostAddress}`, `--server=${url}`]
  const { code, stderr } = await runProgram('cmd/pilothouse/main.ts', line)
  if (code !== 0) throw new Error(stderr)
  const etcd = await startEtcd()
  const managerPort = await freePort()
  const flagsOf: Record<PartName, readonly string[]> = {
    apiserver: apiserverFlags(site, etcd.url),
    'controller-manager': [...managerFlagsOf(folder, managerPort), ...managerFlags],
    scheduler: [],
  }
  const start = (name: PartName): Part =>
    name === 'scheduler'
      ? startScheduler(join(folder, 'scheduler.conf'), folder)
      : startPart(name, flagsOf[name], folder)
  const running = new Map<PartName, Part>()
  let isStopping = false
  /** Starts it again whenever it ends: without its store or API server, a part may. */
  const keep = (name: PartName): void => {
    const part = start(name)
    running.set(name, part)
    void part.exited.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      if (!isStopping && running.get(name) === part) keep(name)
    })
  }
  const caCertificate = readFileSync(join(folder, 'pki/ca.crt'), 'utf8')
  const ready = async (): Promise<void> =>
    await eventually(() => answers(`${url}/readyz`, caCertificate), 'the API server is ready')
  keep('apiserver')
  await ready()
  for (const name of ['controller-manager', 'scheduler'] as const) keep(name)
  return {
    url,
    kubeconfig: join(folder, 'super-admin.conf'),
    caCertificate,
    logFile: join(folder, 'apiserver.log'),
    etcd,
    async restart(name, flags) {
      if (flags) flagsOf[name] = [...managerFlagsOf(folder, managerPort), ...flags]
      const part = running.get(name)
      running.delete(name)
      await part?.stop('SIGKILL')
      keep(name)
    },
    ready,
    async stop() {
      isStopping = true
      for (const part of [...running.values()].reverse()) await part.stop()
      await etcd.stop()
    },
  }
}

function apiserverFlags({ folder, hostAddress }: Site, etcdUrl: string): string[] {
  const pki = (file: string): string => join(folder, 'pki', file)
  return [
    `--bind-address=${hostAddress}`,
    `--advertise-address=${hostAddress}`,
    '--secure-port=6443',
    `--etcd-servers=${etcdUrl}`,
    `--client-ca-file=${pki('ca.crt')}`,
    `--tls-cert-file=${pki('apiserver.crt')}`,
    `--tls-private-key-file=${pki('apiserver.key')}`,
    `--service-account-key-file=${pki('sa.pub')}`,
    `--service-account-signing-key-file=${pki('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    '--service-cluster-ip-range=10.96.0.0/16',
    `--kubelet-certificate-authority=${pki('ca.crt')}`,
    `--kubelet-client-certificate=${pki('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${pki('apiserver-kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--enable-bootstrap-token-auth=true',
  ]
}

function managerFlagsOf(folder: string, port: number): string[] {
  const kubeconfig = join(folder, 'controller-manager.conf')
  const pki = (file: string): string => join(folder, 'pki', file)
  return [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'manager-certs')}`,
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--use-service-account-credentials=true',
    `--root-ca-file=${pki('ca.crt')}`,
    `--service-account-private-key-file=${pki('sa.key')}`,
    `--cluster-signing-cert-file=${pki('ca.crt')}`,
    `--cluster-signing-key-file=${pki('ca.key')}`,
  ]
}

/** Whether it answers 200. */
async function answers(url: string, ca: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const request = https.get(url, { ca, agent: false, timeout: 2000 }, (answer) => {
    answer.resume()
    resolve(answer.statusCode === 200)
  })
  request.on('timeout', () => request.destroy())
  request.on('error', () => resolve(false))
  return await promise
}

// A node with a real kubelet: a machine, containerd with images in it, and a kubelet that joins by a bootstrap token.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../../api/gen/resources.ts'
import type { Client } from '../../lib/client/index.ts'
import { writeImages } from './images.ts'
import { approveServing } from './joining.ts'
import { type ClusterAccess, type KubeletOptions, startKubelet } from './kubelet.ts'
import { type Machine, openMachine, type Service } from './machine.ts'
import type { NodePrograms } from './programs.ts'
import { startRuntime } from './runtime.ts'
import type { Site } from './site.ts'

export interface RealNode {
  readonly name: string
  readonly machine: Machine
  /** The kubelet that runs now. */
  kubelet(): Service
  /** Starts the kubelet again, after its end: it goes on with what it kept. */
  startKubelet(): void
  /** Turns the machine off. */
  close(): Promise<void>
}

export interface JoinOptions extends Omit<KubeletOptions, 'endpoint'> {
  readonly site: Site
  readonly programs: NodePrograms
  /** From 1 on. */
  readonly index: number
  readonly access: ClusterAccess
}

/** Joins a node; resolves when the kubelet has started. Needs root. */
export async function joinNode({ site, programs, index, access, ...options }: JoinOptions): Promise<RealNode> {
  const images = join(site.folder, `images-${index}`)
  mkdirSync(images)
  const archives = writeImages(programs.busybox, images)
  const machine = await openMachine(site, index)
  try {
    if (new URL(access.server).hostname === '127.0.0.1') reachHost(machine, site, programs, access.server)
    const runtime = await startRuntime(machine, programs)
    await runtime.import(archives)
    const start = (): Service => startKubelet(machine, programs, access, { ...options, endpoint: runtime.endpoint })
    let kubelet = start()
    return {
      name: machine.name,
      machine,
      kubelet: () => kubelet,
      startKubelet: () => void (kubelet = start()),
      close: machine.close,
    }
  } catch (error) {
    await machine.close()
    throw error
  }
}

/**
 * Connections of the machine to a port of 127.0.0.1 arrive at the same port of the site's address: the certificate of a
 * server on this machine may hold for 127.0.0.1 alone.
 */
function reachHost(machine: Machine, site: Site, programs: NodePrograms, server: string): void {
  const { port } = new URL(server)
  const iptables = (...line: string[]): void => machine.run(['iptables', '-t', 'nat', ...line], programs.environment)
  machine.run(['sysctl', '-q', '-w', 'net.ipv4.conf.all.route_localnet=1'])
  const toPort = ['-p', 'tcp', '--dport', port]
  iptables('-A', 'OUTPUT', '-d', '127.0.0.1', ...toPort, '-j', 'DNAT', `--to-destination=${site.hostAddress}:${port}`)
  iptables('-A', 'POSTROUTING', '-d', site.hostAddress, ...toPort, '-j', 'MASQUERADE')
}

interface ReadyOptions {
  /** Default 90 s. */
  readonly timeoutMs?: number
  /** Ends the wait, without an error. */
  readonly signal?: AbortSignal
}

/** Approves the node's serving certificate and waits until the node is ready; rejects where that takes too long. */
export async function untilReady(
  client: Client,
  node: RealNode,
  { timeoutMs = 90_000, signal }: ReadyOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  let hasServing = false
  while (signal?.aborted !== true) {
    hasServing = (await approveServing(client, node.name)).length > 0 || hasServing
    if (hasServing && (await isReady(client, node.name))) return
    const { process: kubelet, logFile } = node.kubelet()
    if (kubelet.exitCode !== null) throw new Error(`the kubelet has ended: ${lastLine(logFile)}`)
    if (performance.now() > deadline)
      throw new Error(`${node.name} is not ready after ${timeoutMs / 1000} s: ${lastLine(logFile)}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

function lastLine(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').at(-1) ?? ''
}

async function isReady(client: Client, name: string): Promise<boolean> {
  const { items } = await client.resource(resources.core.v1.nodes).list({ fieldSelector: `metadata.name=${name}` })
  return items[0]?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

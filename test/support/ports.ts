import { createServer } from 'node:net'
import type { Ports } from '../../hack/ha/parts.ts'

/**
 * Below the ports that systems give to outgoing connections, so that no client takes one between the moment it is
 * chosen and the moment its server binds it.
 */
const first = 15_000
const last = 30_000

/** Ports that this process was given: their servers may not listen yet. */
const given = new Set<number>()

/** TCP ports on the loopback that no process listened on just now; this process gets each of them once. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = first + Math.floor(Math.random() * (last - first))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const listens = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listens) await new Promise((resolve) => probe.close(resolve))
  return listens
}

/** For a highly available control plane. */
export async function freeClusterPorts(): Promise<Ports> {
  const [balancer = 0, prometheus = 0, ...rest] = await freePorts(16)
  const at = (index: number): number => rest[index] ?? 0
  return {
    balancer,
    prometheus,
    api: [at(0), at(1), at(2)],
    managers: [at(3), at(4)],
    etcd: [5, 8, 11].map((first) => ({ client: at(first), peer: at(first + 1), metrics: at(first + 2) })),
  }
}

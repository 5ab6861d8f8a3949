import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { Ports } from '../../hack/ha/parts.ts'

/**
 * Below the ports that systems give to outgoing connections, so that no client takes one between the moment it is
 * chosen and the moment its server binds it.
 */
const first = 15_000
const last = 30_000

/**
 * TCP ports on the loopback that no process listens on. Each is this process's alone for as long as it lives: its server may
 * not listen yet, or end and come back, while other suites look for ports.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = first + Math.floor(Math.random() * (last - first))
    if ((await claimPort(port)) && (await isFree(port))) ports.push(port)
  }
  return ports
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/**
 * Claims a port among all processes of the machine that ask here, by the UDP port of its number, which nothing else uses; the
 * claim ends with the process. Resolves with false where another process, or an earlier call, has it.
 */
export async function claimPort(port: number): Promise<boolean> {
  const claim = createSocket('udp4')
  return await new Promise<boolean>((resolve) => {
    claim.once('error', () => {
      claim.close()
      resolve(false)
    })
    claim.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      claim.unref()
      resolve(true)
    })
  })
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

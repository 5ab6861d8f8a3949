import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections, so that no client takes one between the moment it is
 * chosen and the moment its server binds it.
 */
const first = 15_000
const last = 30_000

/** TCP ports on the loopback, all different, that no process listened on just now. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = first + Math.floor(Math.random() * (last - first))
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
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

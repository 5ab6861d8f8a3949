// The place of a test cluster on this machine: a folder, and a bridge in a private network that nodes are plugged into.
// Everything of it is called after this process. It is removed when this process ends, however that happens: a shell
// waits for the end of a pipe and cleans up.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Site {
  /** Names interfaces, cgroups and folders: unique on this machine, at most 8 characters. */
  readonly id: string
  readonly folder: string
  /** Name of the bridge, in this process's network. */
  readonly bridge: string
  /** This machine's address on the bridge. */
  readonly hostAddress: string
  /** Address of the node with an index from 1 on. */
  nodeAddress(index: number): string
  /** Addresses of that node's pods: `10.97.17.0/24`. */
  podRange(index: number): string
  /** All addresses of pods. */
  readonly podRanges: string
  /** Rejects where a removal fails. Idempotent. */
  close(): Promise<void>
}

let sites = 0

/** Second octets of the private networks 10.64.0.0/16 to 10.191.0.0/16. */
const networks = { first: 64, count: 128 }

export const nodesMax = 8

/** Makes the bridge. Needs root. */
export async function openSite(): Promise<Site> {
  // A pid has at most seven digits; in base 36 five.
  const id = `${process.pid.toString(36)}${(sites++).toString(36)}`
  const folder = mkdtempSync(join(tmpdir(), `pilothouse-node-${id}-`))
  // Containers whose processes are no root pass through it.
  chmodSync(folder, 0o711)
  const network = freeNetwork()
  const bridge = `phb${id}`
  const hostAddress = `10.${network}.0.1`
  const keeper = keepUntilWeEnd(
    `set -e
    ip link add ${bridge} type bridge
    ip address add ${hostAddress}/20 dev ${bridge}
    ip link set ${bridge} up
    echo started
    cat > /dev/null`,
    // Containers that are ending still write.
    `ip link delete ${bridge}
    for try in $(seq 50); do rm -rf --one-file-system ${folder} && break; sleep 0.2; done 2> /dev/null
    test ! -e ${folder} || rm -rf --one-file-system ${folder}`,
  )
  await keeper.started
  return {
    id,
    folder,
    bridge,
    hostAddress,
    nodeAddress: (index) => `10.${network}.0.${10 + index}`,
    podRange: (index) => `10.${network}.${16 + index}.0/24`,
    podRanges: `10.${network}.16.0/20`,
    close: keeper.close,
  }
}

/** The first network from a start of this process's own that no route of this machine is in. */
function freeNetwork(): number {
  const routes = readFileSync('/proc/net/route', 'utf8').split('\n').slice(1)
  // Destinations are written in hexadecimal, the last octet first.
  const taken = new Set(
    routes.flatMap((line) => {
      const destination = line.split('\t')[1] ?? ''
      return destination.endsWith('0A') ? [Number.parseInt(destination.slice(4, 6), 16)] : []
    }),
  )
  for (let offset = 0; offset < networks.count; offset++) {
    const candidate = networks.first + ((process.pid + sites + offset) % networks.count)
    if (!taken.has(candidate)) return candidate
  }
  throw new Error('all private networks of this machine are in use')
}

export interface Keeper {
  readonly process: ChildProcess
  /** Resolves once the script has printed `started`; rejects with its errors where it ends before. */
  readonly started: Promise<void>
  /** Ends the script's standard input, and waits until `end` has run. */
  close(): Promise<void>
}

/**
 * Runs a shell script that prints `started` and reads its standard input to the end, and then the script `end`. The
 * input ends when this process closes it or ends itself, even by SIGKILL. The shell has a process group of its own, so
 * that signals to this process's group don't reach it.
 */
export function keepUntilWeEnd(script: string, end: string): Keeper {
  const child = spawn('sh', ['-c', `(${script}\n)\n${end}`], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  let errors = ''
  const exited = once(child, 'close')
  const started = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('started')) resolve()
    })
    child.stderr.on('data', (chunk) => (errors += String(chunk)))
    exited.then(() => reject(new Error(errors.trim() || 'it ended')), reject)
  })
  child.stdin.on('error', () => {})
  return {
    process: child,
    started,
    async close() {
      child.stdin.end()
      await exited
    },
  }
}

/** Runs a program to its end; throws with what it printed when it fails. */
export function runNow(program: string, ...line: string[]): string {
  return execFileSync(program, line, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

// A machine for one node: namespaces of its own for network, mounts and processes, with the disk of this machine. Ending
// its first process ends everything in it, as turning a machine off does.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepUntilWeEnd, nodesMax, runNow, type Site } from './site.ts'

export interface Machine {
  readonly name: string
  readonly address: string
  readonly podRange: string
  /** On this machine's disk, for what its programs keep. */
  readonly folder: string
  /** Path below each mounted cgroup hierarchy. */
  readonly cgroup: string
  /** Starts a program in the machine; its output is appended to `NAME.log` in the folder. */
  start(name: string, command: readonly string[], environment?: Readonly<Record<string, string>>): Service
  /** Runs a program in the machine to its end; throws with what it printed where it fails. */
  run(command: readonly string[], environment?: Readonly<Record<string, string>>): void
  /** Cuts it off the network, or joins it again. */
  connect(isConnected: boolean): void
  /** Turns it off and removes its cgroups. Idempotent. */
  close(): Promise<void>
}

/** A program in a machine. */
export interface Service {
  readonly process: ChildProcess
  readonly logFile: string
  /** Its exit code; null where a signal ended it. */
  readonly exited: Promise<number | null>
  /** Sends a signal to the program, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Turns on the machine with an index from 1 on. */
export async function openMachine(site: Site, index: number): Promise<Machine> {
  const name = `node-${index}`
  const folder = join(site.folder, name)
  for (const part of ['upper', 'work', 'kubelet', 'log', 'cni']) mkdirSync(join(folder, part), { recursive: true })
  const cgroup = `pilothouse-${site.id}-${index}`
  const keeper = keepUntilWeEnd(turnOn(folder, cgroup), removeCgroups(cgroup))
  await keeper.started
  // unshare has taken the place of the script's subshell; its child is the machine's first process.
  const first = childOf(childOf(keeper.process.pid ?? 0))
  plugIn(site, index, first)
  return {
    name,
    address: site.nodeAddress(index),
    podRange: site.podRange(index),
    folder,
    cgroup,
    start: (service, command, environment = {}) => startService({ first, folder, service, command, environment }),
    run: (command, environment = {}) =>
      void execFileSync('nsenter', [...namespacesOf(first), ...command], {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    connect: (isConnected) => void runNow('ip', 'link', 'set', outerEnd(site, index), isConnected ? 'up' : 'down'),
    close: keeper.close,
  }
}

/**
 * The machine's folders lie on this machine's disk: containerd's snapshots and a kubelet's measures of the disk need a
 * real file system. An overlay gives them places below /var that this machine need not have.
 */
function turnOn(folder: string, cgroup: string): string {
  const inside = `set -e
    mount --make-rshared /
    mount -t overlay overlay -o lowerdir=/var,upperdir=${folder}/upper,workdir=${folder}/work /var
    mkdir -p /var/lib/kubelet /var/lib/cni /var/log
    mount --bind ${folder}/kubelet /var/lib/kubelet
    mount --bind ${folder}/cni /var/lib/cni
    mount --bind ${folder}/log /var/log
    mount -t tmpfs tmpfs /run
    ip link set lo up
    sysctl -q -w net.ipv4.ip_forward=1
    echo started
    cat > /dev/null`
  return `set -e
    for hierarchy in ${cgroupHierarchies}; do mkdir $hierarchy/${cgroup}; done
    exec unshare --net --mount --propagation private --pid --fork --mount-proc sh -c '${inside}'`
}

/** The mounts of version 1. */
const cgroupHierarchies = '$(find /sys/fs/cgroup -mindepth 1 -maxdepth 1 -type d ! -name unified)'

function removeCgroups(cgroup: string): string {
  return `for hierarchy in ${cgroupHierarchies}; do
      find $hierarchy/${cgroup} -depth -type d -exec rmdir {} + || true
    done 2> /dev/null`
}

function childOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  if (!child) throw new Error(`process ${pid} has no child`)
  return Number(child)
}

/** Name of the end of the machine's cable that is on the bridge. */
function outerEnd(site: Site, index: number): string {
  return `phv${site.id}${index}`
}

/** Gives the machine a network, and this machine and the other nodes a way to its pods. */
function plugIn(site: Site, index: number, first: number): void {
  const inside = (...line: string[]): string => runNow('nsenter', `--net=/proc/${first}/ns/net`, 'ip', ...line)
  const outer = outerEnd(site, index)
  runNow('ip', 'link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(first))
  runNow('ip', 'link', 'set', outer, 'master', site.bridge, 'up')
  runNow('ip', 'route', 'add', site.podRange(index), 'via', site.nodeAddress(index))
  inside('address', 'add', `${site.nodeAddress(index)}/20`, 'dev', 'eth0')
  inside('link', 'set', 'eth0', 'up')
  inside('route', 'add', 'default', 'via', site.hostAddress)
  for (let other = 1; other <= nodesMax; other++)
    if (other !== index) inside('route', 'add', site.podRange(other), 'via', site.nodeAddress(other))
}

/** Arguments of nsenter, before the command. */
function namespacesOf(first: number): string[] {
  return [`--target=${first}`, '--net', '--mount', '--pid', '--']
}

interface Start {
  readonly first: number
  readonly folder: string
  readonly service: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

function startService({ first, folder, service, command, environment }: Start): Service {
  const logFile = join(folder, `${service}.log`)
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn('nsenter', [...namespacesOf(first), ...command], {
    cwd: '/',
    stdio: ['ignore', log, log],
    env: { HOME: '/root', PATH: process.env['PATH'], ...environment },
  })
  closeSync(log)
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    process: child,
    logFile,
    exited,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      // nsenter waits for the program, which is its child.
      process.kill(childOf(child.pid), signal)
      await exited
    },
  }
}

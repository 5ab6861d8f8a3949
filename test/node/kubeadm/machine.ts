// A machine for kubeadm: a root of Debian in namespaces of its own, on a network that nothing else is on.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endWithUs } from '../../support/child.ts'
import { eventually } from '../../support/eventually.ts'

const files = join(import.meta.dirname, 'files')
const cgroups = '/sys/fs/cgroup'
const cgroupPrefix = 'pilothouse-kubeadm-'
/** The kernel ends the program when this process has gone, however it went; the program's namespaces end with it. */
const untilWeEnd = ['--pdeathsig=KILL', '--']

/** A network namespace with a bridge, that the machines' cables end in. */
export class Lab {
  readonly #child: ChildProcess
  readonly #machines: Machine[] = []

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async open(): Promise<Lab> {
    await removeLeftovers()
    const script =
      'ip link add br0 type bridge; ip addr add 192.168.7.1/24 dev br0; ip link set br0 up; ip link set lo up; echo up; exec sleep infinity'
    const child = spawn('setpriv', [...untilWeEnd, 'unshare', '--net', 'sh', '-ec', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endWithUs(child)
    await new Promise((resolve, reject) => {
      child.stdout.once('data', resolve)
      child.once('exit', () => reject(new Error('the network cannot be made')))
    })
    return new Lab(child)
  }

  /** Boots a machine at 192.168.7.`last`, from layers that are only read, the uppermost first. */
  async boot(name: string, last: number, layers: readonly string[], logFile: string): Promise<Machine> {
    const cgroup = `${cgroupPrefix}${process.pid}-${name}`
    const log = openSync(logFile, 'a')
    const child = spawn(
      'setpriv',
      [...untilWeEnd, 'sh', join(files, 'boot.sh'), name, layers.join(':'), files, cgroup],
      {
        stdio: ['ignore', log, log],
      },
    )
    closeSync(log)
    endWithUs(child)
    const machine = new Machine(name, child, cgroup)
    this.#machines.push(machine)
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`${name} did not start: ${readFileSync(logFile, 'utf8')}`)
      return machine.hasBooted()
    }, `${name} boots`)
    this.#connect(machine, last)
    return machine
  }

  #connect(machine: Machine, last: number): void {
    const end = `m${last}`
    run(
      'nsenter',
      `--net=/proc/${this.#child.pid}/ns/net`,
      'sh',
      '-ec',
      `ip link add ${end} type veth peer name eth0 netns ${machine.pid}; ip link set ${end} master br0 up`,
    )
    run(
      'nsenter',
      `--net=/proc/${machine.pid}/ns/net`,
      'sh',
      '-ec',
      `ip addr add 192.168.7.${last}/24 dev eth0; ip link set eth0 up; ip route add default via 192.168.7.1`,
    )
  }

  async close(): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine.close()))
    this.#child.kill('SIGKILL')
  }
}

export class Machine {
  readonly name: string
  readonly #child: ChildProcess
  readonly #cgroup: string
  #pid: number | undefined

  constructor(name: string, child: ChildProcess, cgroup: string) {
    this.name = name
    this.#child = child
    this.#cgroup = cgroup
  }

  /** The machine's first process, as the test's namespace counts. */
  get pid(): number {
    return this.#pid ?? assertBooted(this.name)
  }

  hasBooted(): boolean {
    const parent = this.#child.pid
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
    const pid = Number(children[0])
    if (!pid || !existsSync(`/proc/${pid}/root/run/booted`)) return false
    this.#pid = pid
    return true
  }

  /** A path of the machine, as this process can open it. */
  path(absolute: string): string {
    return join(`/proc/${this.pid}/root`, absolute)
  }

  write(absolute: string, text: string): void {
    writeFileSync(this.path(absolute), text)
  }

  read(absolute: string): string {
    return readFileSync(this.path(absolute), 'utf8')
  }

  /** Runs a script as root's shell on the machine; answers what it printed on both streams. Rejects where it fails. */
  async run(script: string, timeoutMs = 240_000): Promise<string> {
    const enter = ['--target', String(this.pid), '--all', '--root', `--wd=${this.path('/root')}`]
    const environment = ['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root']
    const child = spawn('nsenter', [...enter, ...environment, 'sh', '-eu', '-c', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    endWithUs(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(`${this.name}: exit code ${String(code)} of\n${script}\n${output}`)
    return output
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve))
      this.#child.kill('SIGKILL')
      await ended
    }
    for (const controller of readdirSync(cgroups)) {
      const folder = join(cgroups, controller, this.#cgroup)
      if (existsSync(folder)) await removeCgroup(folder)
    }
  }
}

/** Of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const controller of readdirSync(cgroups, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    for (const name of readdirSync(join(cgroups, controller.name))) {
      const [, run] = new RegExp(`^${cgroupPrefix}(\\d+)-`).exec(name) ?? []
      if (run !== undefined && !existsSync(`/proc/${run}`)) await removeCgroup(join(cgroups, controller.name, name))
    }
}

/** A cgroup goes when its last process has gone, and those below it first. */
async function removeCgroup(folder: string): Promise<void> {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  const folders = below.map((entry) => join(entry.parentPath, entry.name)).sort()
  for (const path of [folder, ...folders].toReversed())
    await eventually(() => {
      try {
        rmdirSync(path)
        return true
      } catch (error) {
        return (error as Error).message
      }
    }, `${path} is empty`)
}

function assertBooted(name: string): never {
  throw new Error(`${name} was not booted`)
}

function run(program: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
}

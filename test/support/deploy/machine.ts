// A machine of a guide: a folder for its files, an address of the loopback network, and services started from its units.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endWithUs } from '../child.ts'
import { splitSteps } from './guide.ts'
import { Service } from './unit.ts'

/** Performs a command in the place of the program; gets its words, with the machine's paths and addresses. */
export type StandIn = (machine: Machine, words: readonly string[]) => void | Promise<void>

export interface MachineOptions {
  readonly name: string
  readonly root: string
  /** Addresses of the guide, and what they are here; `127.0.0.1` may be one of them. */
  readonly addresses: Readonly<Record<string, string>>
  /** Other texts of the guide that a test has to replace. */
  readonly replacements?: readonly (readonly [RegExp, string])[]
  /** Folder of programs that are found before those of PATH. */
  readonly programs: string
  readonly standIns: Readonly<Record<string, StandIn>>
  /** Services that are not started here, to save time: those of the other machines are alike. */
  readonly idle?: readonly string[]
  /** Resolves once the service works; a service without one works when its process has started. */
  readonly whenWorking: (machine: Machine, service: string) => Promise<void>
}

/** Folders of a machine's own; other paths are the system's. */
const ownPaths =
  /(?<=^|[\s=:"'<>@-])\/(?:etc\/(?!ssl)|opt\/|root\/|run\/|usr\/lib\/|usr\/bin\/etcd\b|usr\/sbin\/haproxy\b|var\/)/gm

export class Machine {
  readonly name: string
  readonly root: string
  readonly #options: MachineOptions
  readonly #loaded = new Map<string, string>()
  readonly #services = new Map<string, Service>()
  /** Services don't outlive this process. */
  readonly #killAll = (): void => {
    for (const service of this.#services.values()) service.kill('SIGKILL')
  }

  constructor(options: MachineOptions) {
    this.name = options.name
    this.root = options.root
    this.#options = options
    for (const folder of ['etc', 'root', 'opt', 'usr/bin', 'usr/sbin', 'usr/lib', 'var/lib', 'var/backups', 'run'])
      mkdirSync(this.path(folder), { recursive: true })
    process.once('exit', this.#killAll)
    writeFileSync(this.path('run/environment'), '')
    writeFileSync(this.path('run/directory'), this.path('root'))
  }

  path(absolute: string): string {
    return join(this.root, absolute)
  }

  /** The guide's text with this machine's files and addresses. */
  translate(text: string): string {
    let translated = text.replaceAll(ownPaths, (path) => this.path(path))
    for (const [pattern, replacement] of this.#options.replacements ?? [])
      translated = translated.replaceAll(pattern, replacement)
    return this.translateAddresses(translated)
  }

  translateAddresses(text: string): string {
    return Object.entries(this.#options.addresses).reduce(
      (translated, [address, here]) =>
        translated.replaceAll(new RegExp(`(?<![\\d.])${address.replaceAll('.', '\\.')}(?![\\d.])`, 'g'), here),
      text,
    )
  }

  /** Runs a block of the guide, in the one shell that this machine has; answers what it printed. */
  async run(text: string): Promise<string> {
    const { standIns } = this.#options
    let output = ''
    for (const step of splitSteps(this.translate(text), Object.keys(standIns))) {
      if (step.standIn === undefined) output += await this.#shell(step.text)
      else {
        const words = (await this.#shell(`printf '%s\\n' ${step.text}`)).trimEnd().split('\n')
        await standIns[step.standIn]?.(this, words)
      }
    }
    return output
  }

  async #shell(text: string): Promise<string> {
    const [environment, directory] = [this.path('run/environment'), this.path('run/directory')]
    const script = `set -eu\n. "${environment}"\ncd "$(cat "${directory}")"\n${text}\nexport -p >"${environment}"\npwd >"${directory}"\n`
    const child = spawn('sh', ['-c', script], {
      env: { PATH: `${this.#options.programs}:${process.env['PATH']}`, HOME: this.path('root') },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    })
    endWithUs(child)
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    let errors = ''
    child.stderr.on('data', (chunk) => (errors += String(chunk)))
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(`${this.name}: exit code ${String(code)} of\n${text}\n${output}${errors}`)
    return output
  }

  /** Reads the units and their drop-ins, as systemd does on a reload. */
  reload(): void {
    const folder = this.path('etc/systemd/system')
    this.#loaded.clear()
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.service'))) {
      const text = [join(folder, file), ...dropIns(join(folder, `${file}.d`))].map((path) => readFileSync(path, 'utf8'))
      this.#loaded.set(file.replace(/\.service$/, ''), text.join('\n'))
    }
  }

  service(name: string): Service {
    const service = this.#services.get(name)
    if (!service) throw new Error(`${this.name}: ${name} was never started`)
    return service
  }

  async start(name: string): Promise<void> {
    const unit = this.#loaded.get(name)
    if (unit === undefined) throw new Error(`${this.name}: there is no unit ${name}, or systemd was not told`)
    if (this.#options.idle?.includes(name) || this.#services.get(name)?.isRunning) return
    const service = new Service(name, unit, {
      path: (absolute) => this.path(absolute),
      translate: (text) => this.translate(text),
      logs: this.path('var/log'),
    })
    this.#services.set(name, service)
    service.start()
    await this.#options.whenWorking(this, name)
  }

  /** Ends one service in order, or all at once. */
  async stop(name?: string): Promise<void> {
    if (name !== undefined) return await this.#services.get(name)?.stop()
    process.off('exit', this.#killAll)
    await Promise.all([...this.#services.values()].map((service) => service.stop('SIGKILL')))
  }
}

function dropIns(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
}

/** `systemctl` of a machine: daemon-reload, start, stop, restart, enable, disable, with --now. */
export const systemctl: StandIn = async (machine, [, ...words]) => {
  const [verb = '', ...units] = words.filter((word) => word !== '--now')
  const isNow = words.includes('--now')
  if (verb === 'daemon-reload') return machine.reload()
  const stops = verb === 'stop' || verb === 'restart' || (verb === 'disable' && isNow)
  const starts = verb === 'start' || verb === 'restart' || (verb === 'enable' && isNow)
  if (!stops && !starts) throw new Error(`systemctl ${words.join(' ')} does nothing here`)
  for (const unit of units) {
    if (stops) await machine.stop(unit)
    if (starts) await machine.start(unit)
  }
}

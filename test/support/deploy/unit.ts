// Starts services from systemd units as far as their command lines go: environment files, credentials and specifiers are
// honoured, sandboxes and users are not (systemd-analyze looks at those).
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The settings of a unit's [Service], in order; a key may occur several times. */
type Unit = readonly (readonly [key: string, value: string])[]

/** An empty value removes the values before it, as in drop-ins. */
function parseUnit(text: string): Unit {
  let entries: [string, string][] = []
  let section = ''
  for (const line of text.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section
    const found = /^(\w+)=(.*)$/.exec(line)
    if (section !== 'Service' || found === null) continue
    const [, key = '', value = ''] = found
    if (value === '') entries = entries.filter(([earlier]) => earlier !== key)
    else entries.push([key, value])
  }
  return entries
}

export interface ServiceFolders {
  /** Where files of a machine's path are. */
  path(absolute: string): string
  /** Replaces the addresses of the guide. */
  translate(text: string): string
  readonly logs: string
}

/** One service of one machine. */
export class Service {
  readonly #name: string
  readonly #unit: Unit
  readonly #folders: ServiceFolders
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(name: string, text: string, folders: ServiceFolders) {
    this.#name = name
    this.#unit = parseUnit(text)
    this.#folders = folders
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  get log(): string {
    return readFileSync(this.#logFile, 'utf8')
  }

  get #logFile(): string {
    return join(this.#folders.logs, `${this.#name}.log`)
  }

  start(): void {
    if (this.isRunning) return
    const environment = this.#environment()
    const [program = '', ...line] = this.#commandLine(environment)
    mkdirSync(this.#folders.logs, { recursive: true })
    const log = openSync(this.#logFile, 'a')
    const child = spawn(program, line, { env: environment, stdio: ['ignore', log, log], cwd: this.#folders.path('/') })
    closeSync(log)
    this.#child = child
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.kill(signal)
    await this.#ended
  }

  #values(key: string): string[] {
    return this.#unit.filter(([name]) => name === key).map(([, value]) => this.#specifiers(value))
  }

  #specifiers(value: string): string {
    const { path, translate } = this.#folders
    const known: Record<string, string> = {
      '%d': path(`/run/credentials/${this.#name}`),
      '%S': path('/var/lib'),
      '%C': path('/var/cache'),
      '%%': '%',
    }
    const expanded = translate(value).replaceAll(/%./g, (specifier) => {
      const meaning = known[specifier]
      if (meaning === undefined) throw new Error(`${this.#name}: specifier ${specifier} is not known here`)
      return meaning
    })
    return expanded
  }

  /** The unit's, and nothing of this process. */
  #environment(): Record<string, string> {
    const environment: Record<string, string> = {}
    for (const setting of this.#values('Environment')) Object.assign(environment, parseEnvironment(setting))
    for (const file of this.#values('EnvironmentFile')) {
      const isOptional = file.startsWith('-')
      try {
        Object.assign(environment, parseEnvironment(readFileSync(isOptional ? file.slice(1) : file, 'utf8')))
      } catch (error) {
        if (!isOptional) throw error
      }
    }
    // Compiled code is kept where the tests keep theirs, to save time.
    delete environment['NODE_COMPILE_CACHE']
    for (const folder of this.#values('StateDirectory'))
      mkdirSync(join(this.#folders.path('/var/lib'), folder), { recursive: true, mode: 0o700 })
    return environment
  }

  #commandLine(environment: Readonly<Record<string, string>>): string[] {
    const credentials = this.#folders.path(`/run/credentials/${this.#name}`)
    rmSync(credentials, { recursive: true, force: true })
    mkdirSync(credentials, { recursive: true, mode: 0o700 })
    for (const credential of this.#values('LoadCredential')) {
      const at = credential.indexOf(':')
      copyFileSync(credential.slice(at + 1), join(credentials, credential.slice(0, at)))
    }
    const [line = ''] = this.#values('ExecStart')
    return line
      .split(/\s+/)
      .flatMap((word) =>
        word.startsWith('$') ? (environment[word.slice(1)] ?? '').split(/\s+/).filter(Boolean) : [word],
      )
  }
}

function parseEnvironment(text: string): Record<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const found = /^(\w+)=(.*)$/.exec(line)
    return found === null ? [] : [[found[1] ?? '', found[2] ?? ''] as const]
  })
  return Object.fromEntries(lines)
}

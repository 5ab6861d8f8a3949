import { type ContainerFiles, isFolder, resolvePath } from './files.ts'
import { type Command, parseScript, type Script, ScriptError, type Word } from './parse.ts'
import { tar } from './tar.ts'

/** The inputs and outputs of a container's process. */
export interface ProcessIo {
  readonly env: ReadonlyMap<string, string>
  readonly files: ContainerFiles
  readonly hostname: string
  /** Chunks of the input; undefined: none. */
  readonly input: AsyncIterable<Uint8Array> | undefined
  output(data: string | Uint8Array): void | Promise<void>
  errors(data: string | Uint8Array): void | Promise<void>
  /** Rejects once the process is killed. */
  sleep(delayMs: number): Promise<void>
  /** Lets others run when that is due. Rejects once the process is killed. */
  turn(): Promise<void>
  /** Milliseconds since the epoch. */
  now(): number
}

/** A command line whose program does not exist here. */
export class UnknownProgram extends Error {
  readonly program: string

  constructor(program: string) {
    super(`exec: "${program}": executable file not found in $PATH`)
    this.program = program
  }
}

class ExitShell extends Error {
  readonly code: number

  constructor(code: number) {
    super('exit')
    this.code = code
  }
}

const loopPauseMs = 10
/** Characters of one expanded word. */
const wordCharactersMax = 128 * 1024
/** Shells that run within each other. */
const shellsMax = 20
const shells = new Set(['sh', '/bin/sh', 'bash', '/bin/bash', 'ash', '/bin/ash'])

type Program = (args: readonly string[], process: Running) => number | Promise<number>

/** True: `runCommand` can run the whole command line, and needs no files that users may write. */
export function canRun(line: readonly string[]): boolean {
  const [program = '', ...args] = line
  const script = shellScript(program, args)
  if (script === undefined) return Object.hasOwn(programs, nameOf(program))
  try {
    return isKnown(parseScript(script))
  } catch (error) {
    if (error instanceof ScriptError) return false
    throw error
  }
}

/** Runs a command line; resolves with its exit code. Throws UnknownProgram. */
export async function runCommand(line: readonly string[], io: ProcessIo, outerShells = 0): Promise<number> {
  const [program = '', ...args] = line
  const script = shellScript(program, args)
  if (script === undefined) {
    const run = programNamed(program)
    if (!run) throw new UnknownProgram(program)
    return await run(args, { io, env: new Map(io.env), code: 0, shells: outerShells })
  }
  try {
    if (outerShells >= shellsMax) throw new ScriptError('too many shells within each other')
    return await runScript(parseScript(script), { io, env: new Map(io.env), code: 0, shells: outerShells + 1 })
  } catch (error) {
    if (error instanceof ExitShell) return error.code
    if (!(error instanceof ScriptError)) throw error
    await io.errors(`sh: ${error.message}\n`)
    return 2
  }
}

/** A shell without a script reads its input, which is a script here. */
export function isInteractiveShell(line: readonly string[]): boolean {
  return shells.has(line[0] ?? '') && !line.includes('-c')
}

/** The text behind `-c`; undefined where the program is no shell. */
function shellScript(program: string, args: readonly string[]): string | undefined {
  if (!shells.has(program)) return undefined
  const at = args.findIndex((each) => /^-[a-z]*c$/.test(each))
  return at < 0 ? '' : (args[at + 1] ?? '')
}

function nameOf(program: string): string {
  return program.replace(/^\/(?:usr\/)?s?bin\//, '')
}

function programNamed(program: string): Program | undefined {
  const name = nameOf(program)
  const known = [programs, filePrograms].find((each) => Object.hasOwn(each, name))
  return known?.[name]
}

interface Running {
  readonly io: ProcessIo
  readonly env: Map<string, string>
  /** Exit code of the previous command. */
  code: number
  /** Number of shells around it. */
  readonly shells: number
}

async function runScript(script: Script, running: Running): Promise<number> {
  for (const { after, command } of script) {
    if (after === '&&' && running.code !== 0) continue
    if (after === '||' && running.code === 0) continue
    await running.io.turn()
    running.code = await run(command, running)
  }
  return running.code
}

async function run(command: Command, running: Running): Promise<number> {
  if (command.kind === 'choice') {
    const isTrue = (await runScript(command.condition, running)) === 0
    const chosen = isTrue ? command.body : command.otherwise
    return chosen ? await runScript(chosen, running) : 0
  }
  if (command.kind === 'loop') {
    let code = 0
    for (;;) {
      const isTrue = (await runScript(command.condition, running)) === 0
      if (isTrue === command.endsOn) return code
      code = await runScript(command.body, running)
      await running.io.sleep(loopPauseMs)
    }
  }
  const words = command.words.map((word) => expand(word, running))
  const target = { output: running.io.output, errors: running.io.errors, nowhere: () => {} }
  const io = { ...running.io, output: target[command.output], errors: target[command.errors] }
  return await runWords(words, { ...running, io }, running)
}

async function runWords(words: readonly string[], { io, env, code, shells }: Running, shell: Running): Promise<number> {
  const [first = '', ...args] = words
  const assigned = /^([A-Za-z_]\w*)=(.*)$/s.exec(first)
  if (assigned) {
    const changed = args.length === 0 ? shell.env : new Map(env)
    changed.set(assigned[1] ?? '', assigned[2] ?? '')
    return args.length === 0 ? 0 : await runWords(args, { io, env: changed, code, shells }, shell)
  }
  if (first === 'exit') throw new ExitShell(args[0] === undefined ? code : Number(args[0]) & 0xff)
  if (first === 'exec') return args.length === 0 ? 0 : await runWords(args, { io, env, code, shells }, shell)
  if (first === 'trap' || first === 'set' || first === ':') return 0
  const inner = shellScript(first, args)
  if (inner !== undefined) return await runCommand(words, { ...io, env }, shells)
  const program = programNamed(first)
  if (program) return await program(args, { io, env, code, shells })
  await io.errors(`sh: ${first}: not found\n`)
  return 127
}

function expand(word: Word, { env, code }: Running): string {
  let text = ''
  for (const part of word) {
    text += 'text' in part ? part.text : part.variable === '?' ? String(code) : (env.get(part.variable) ?? '')
    if (text.length > wordCharactersMax) throw new ScriptError('argument list too long')
  }
  return text
}

const builtins = new Set(['exit', 'exec', 'trap', 'set', ':'])

/** False where a command's name is unknown, or known only when it runs. */
function isKnown(script: Script): boolean {
  return script.every(({ command }) => {
    if (command.kind === 'loop') return isKnown(command.condition) && isKnown(command.body)
    if (command.kind === 'choice')
      return isKnown(command.condition) && isKnown(command.body) && isKnown(command.otherwise ?? [])
    const words = command.words.map((word) => (word.length === 1 && word[0] && 'text' in word[0] ? word[0].text : ''))
    const isAssignment = (word: (typeof command.words)[number]): boolean =>
      word[0] !== undefined && 'text' in word[0] && /^[A-Za-z_]\w*=/.test(word[0].text)
    const from = command.words.findIndex((word) => !isAssignment(word))
    if (from < 0) return true
    const line = words.slice(words[from] === 'exec' ? from + 1 : from)
    return builtins.has(line[0] ?? '') || canRun(line)
  })
}

/** The longest time of `sleep infinity`. */
const foreverMs = 2 ** 31 - 1

const programs: Readonly<Record<string, Program>> = {
  async echo(args, { io }) {
    const [first, ...rest] = args
    const bare = first === '-n' || first === '-en' || first === '-ne'
    const isEscaped = first === '-e' || first === '-en' || first === '-ne'
    const text = (bare || isEscaped ? rest : args).join(' ')
    await io.output(`${isEscaped ? unescaped(text) : text}${bare ? '' : '\n'}`)
    return 0
  },
  async printf([format = '', ...args], { io }) {
    let at = 0
    await io.output(unescaped(format).replaceAll(/%[sd]/g, () => args[at++] ?? ''))
    return 0
  },
  async cat(paths, { io }) {
    let code = 0
    for (const path of paths.length === 0 ? ['-'] : paths) {
      if (path === '-') {
        for await (const chunk of io.input ?? []) await io.output(chunk)
        continue
      }
      try {
        const file = await io.files.get(path)
        if (file !== undefined) {
          await io.output(file)
          continue
        }
        await io.errors(`cat: can't open '${path}': No such file or directory\n`)
      } catch (error) {
        await io.errors(`cat: can't open '${path}': ${error instanceof Error ? error.message : String(error)}\n`)
      }
      code = 1
    }
    return code
  },
  async env(args, { io, env, shells }) {
    if (args.length > 0) return await runCommand(args, { ...io, env }, shells)
    await io.output(Array.from(env, ([name, value]) => `${name}=${value}\n`).join(''))
    return 0
  },
  async sleep(args, { io }) {
    let totalMs = 0
    for (const each of args) {
      const found = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(each)
      if (!found && each !== 'infinity' && each !== 'inf') {
        await io.errors(`sleep: invalid number '${each}'\n`)
        return 1
      }
      totalMs += found ? Number(found[1]) * (unitsMs[found[2] ?? ''] ?? 1000) : foreverMs
    }
    await io.sleep(Math.min(totalMs, foreverMs))
    return 0
  },
  async date(_args, { io }) {
    await io.output(`${new Date(io.now()).toISOString().slice(0, 19)}Z\n`)
    return 0
  },
  async hostname(_args, { io }) {
    await io.output(`${io.hostname}\n`)
    return 0
  },
  async pwd(_args, { io }) {
    await io.output('/\n')
    return 0
  },
  true: () => 0,
  false: () => 1,
}

/** Programs of users who copy files. Probes and commands of containers expect files that hollow containers do not have. */
const filePrograms: Readonly<Record<string, Program>> = {
  tar: async (args, { io }) => await tar(args, io),
  /** Whether a path is a folder, a file, or either: `kubectl cp` asks. */
  async test([operator = '', path = '', ...more], { io }) {
    if (more.length > 0 || !/^-[def]$/.test(operator)) {
      await io.errors(`sh: test: only -d, -e and -f of one path are known\n`)
      return 2
    }
    const resolved = resolvePath('/', path)
    const isKind = operator === '-d' ? false : (await io.files.get(resolved)) !== undefined
    return isKind || (operator !== '-f' && (await isFolder(io.files, resolved))) ? 0 : 1
  },
}

const unitsMs: Readonly<Record<string, number>> = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function unescaped(text: string): string {
  const known: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }
  return text.replaceAll(/\\([ntr\\])/g, (_, letter: string) => known[letter] ?? '')
}

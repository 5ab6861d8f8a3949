import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { failureLine } from '../../cmd/failureline.ts'
import { programFile } from '../../hack/programfile.ts'
import { describeFailure } from '../../lib/controlplane/index.ts'
import { endWithUs } from './child.ts'

const root = join(import.meta.dirname, '..', '..')

export interface ProgramResult {
  readonly code: number | null
  readonly stdout: string
  /** The same, as it was written. */
  readonly bytes: Buffer
  readonly stderr: string
}

/** Runs one of the project's programs (`cmd/apiserver/main.ts`) to its end; it is killed after `timeoutMs`. */
export async function runProgram(
  program: string,
  line: readonly string[],
  options: { cwd?: string; timeoutMs?: number; input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [programFile(program), ...line], {
    cwd: options.cwd ?? root,
    // A server's settings of the engine take a second start, which a short command doesn't need.
    env: { PILOTHOUSE_ENGINE: '1', PILOTHOUSE_BRIEF: '1', ...process.env, ...options.env },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 100_000,
    killSignal: 'SIGKILL',
  })
  endWithUs(child)
  child.stdin?.end(options.input)
  let stderr = ''
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const bytes = Buffer.concat(chunks)
  return { code, stdout: bytes.toString(), bytes, stderr }
}

/**
 * Runs a command of one of the programs in this process, which saves the start of another one. The command reads `input` as
 * its standard input; it ends with the code and the line that the program would end with. One at a time.
 */
export async function runHere(
  program: string,
  command: (line: readonly string[]) => number | Promise<number>,
  line: readonly string[],
  input: string | Uint8Array = '',
): Promise<ProgramResult> {
  const [out, errors]: [Buffer[], Buffer[]] = [[], []]
  const standIns = [
    standIn('stdin', Readable.from([Buffer.from(input)])),
    standIn('stdout', { write: writeInto(out) }),
    standIn('stderr', { write: writeInto(errors) }),
  ]
  let code = 1
  try {
    code = await command(line)
  } catch (error) {
    errors.push(Buffer.from(failureLine(program, describeFailure(error), line)))
  } finally {
    for (const restore of standIns) restore()
  }
  const bytes = Buffer.concat(out)
  return { code, stdout: bytes.toString(), bytes, stderr: Buffer.concat(errors).toString() }
}

/** Replaces a standard stream; returns what puts it back. */
function standIn(name: 'stdin' | 'stdout' | 'stderr', stream: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(process, name)
  Object.defineProperty(process, name, { configurable: true, enumerable: true, value: stream })
  return () => own && Object.defineProperty(process, name, own)
}

function writeInto(chunks: Buffer[]): (chunk: string | Uint8Array, done?: () => void) => boolean {
  return (chunk, done) => {
    chunks.push(Buffer.from(chunk))
    if (done) setImmediate(done)
    return true
  }
}

export interface RunningProgram {
  readonly process: ChildProcess
  readonly exited: Promise<number | null>
  /** Resolves once its output so far has something that matches; rejects when it ends before. */
  says(pattern: RegExp): Promise<void>
}

/** Ends what a failed test leaves. It counts from the start of a program that may run for a whole test. */
const programMsMax = 120_000

/** Starts one of the project's programs; it is killed after two minutes, and where this process exits before it. */
export function spawnProgram(program: string, line: readonly string[]): RunningProgram {
  const child = spawn(process.execPath, [programFile(program), ...line], {
    env: { PILOTHOUSE_ENGINE: '1', PILOTHOUSE_BRIEF: '1', ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: programMsMax,
    killSignal: 'SIGKILL',
  })
  endWithUs(child)
  let output = ''
  const looks = new Set<() => void>()
  // From the start on: what is waited for may have been written before.
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk)
      for (const look of looks) look()
    })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    process: child,
    exited,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(output)) return
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        look()
        void exited.then(() => reject(new Error(`it ended:\n${output}`)))
      }),
  }
}

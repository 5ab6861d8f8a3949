import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface ProgramResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one of the project's programs (`cmd/apiserver/main.ts`) to its end; it is killed after `timeoutMs`. */
export async function runProgram(
  program: string,
  line: readonly string[],
  options: { cwd?: string; timeoutMs?: number } = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [join(root, program), ...line], {
    cwd: options.cwd ?? root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 15_000,
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, stdout, stderr }
}

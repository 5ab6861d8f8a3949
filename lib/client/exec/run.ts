import { spawn } from 'node:child_process'
import type { Clock } from '../../base/index.ts'
import type { ExecConfig } from './config.ts'

export interface RunDependencies {
  readonly clock: Clock
  /** This process's variables, which the program gets. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Time limit of the program. */
export const runMsMax = 60_000
/** Maximum number of bytes of the program's output. */
export const outputBytesMax = 1024 * 1024

/**
 * Runs the program and resolves with its output; its stderr is this process's. Rejects with an Error of one line; the
 * program has ended then, too.
 */
export function runProgram(
  { clock, environment }: RunDependencies,
  { command, args, env, apiVersion, cluster, installHint }: ExecConfig,
): Promise<string> {
  const spec = { cluster, interactive: false }
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec })
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...environment, ...env, KUBERNETES_EXEC_INFO: info },
      stdio: ['ignore', 'pipe', 'inherit'],
      windowsHide: true,
    })
    const chunks: Buffer[] = []
    let bytes = 0
    const fail = (why: string): void => {
      void timer.close()
      child.kill('SIGKILL')
      // A child of the program may hold the pipe open.
      child.stdout.destroy()
      reject(new Error(`exec: executable ${command} ${why}`))
    }
    const timer = clock.after(runMsMax, () => fail(`did not end within ${runMsMax / 1000} s`))
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > outputBytesMax) fail(`printed more than ${outputBytesMax} bytes`)
      else chunks.push(chunk)
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      const hint = installHint === '' ? '' : `: ${installHint.trim().replace(/\s+/g, ' ')}`
      if (error.code === 'ENOENT') fail(`not found${hint}`)
      else fail(`could not be run: ${error.code ?? error.message}`)
    })
    child.on('close', (code, by) => {
      void timer.close()
      if (code === 0) resolve(Buffer.concat(chunks).toString())
      else fail(code === null ? `was ended by ${by ?? 'a signal'}` : `failed with exit code ${code}`)
    })
  })
}

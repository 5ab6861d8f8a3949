import { spawn } from 'node:child_process'
import type { Clock } from '../../base/index.ts'
import type { ExecConfig } from './config.ts'

export interface RunDependencies {
  readonly clock: Clock
  /** Variables that the program gets, as this process has them. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Time that a program has to come up with credentials. */
export const runMsMax = 60_000
/** Bytes that the program may print. */
export const outputBytesMax = 1024 * 1024

/**
 * Runs the program and answers what it printed; its complaints go where ours go. Rejects with an Error of one line; then
 * the program is gone, too.
 */
export function runProgram(
  { clock, environment }: RunDependencies,
  { command, args, env, apiVersion, cluster, installHint }: ExecConfig,
): Promise<string> {
  const spec = { ...(cluster ? { cluster } : {}), interactive: false }
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
      // A program of the program's may hold on to the pipe.
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

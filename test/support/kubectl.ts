import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminToken } from './apiserver.ts'

export interface KubectlResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs kubectl with arguments; `input` is its standard input. */
export type Kubectl = (
  args: readonly string[],
  options?: {
    input?: string
    env?: Record<string, string>
    timeoutMs?: number
    /** Hears all of the standard output so far; true ends kubectl. */
    isEnough?: (stdout: string) => boolean
  },
) => Promise<KubectlResult>

/** Undefined where there is none on PATH; `npm test` puts one there. */
export function findKubectl(): string | undefined {
  // Once a process: every suite asks.
  exitCode ??= spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' }).status ?? -1
  return exitCode === 0 ? 'kubectl' : undefined
}

let exitCode: number | undefined

/** A kubectl of one server, with a home of its own so that caches of discovery aren't shared. */
export function createKubectl(server: { url: string }, folder: string, token = adminToken): Kubectl {
  const name = server.url.replace(/\W+/g, '-')
  const kubeconfig = join(folder, `kubeconfig${name}.json`)
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server: server.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'test', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'default' } }],
      'current-context': 'test',
    }),
    { mode: 0o600 },
  )
  return kubectlOf(kubeconfig, join(folder, `home${name}`))
}

/** A kubectl with this kubeconfig file and home. */
export function kubectlOf(kubeconfig: string, home: string): Kubectl {
  return async (args, options = {}) =>
    await new Promise((resolve, reject) => {
      const child = spawn('kubectl', [...args], {
        // It ends before collecting garbage would pay off.
        env: { GOMEMLIMIT: '256MiB', ...process.env, GOGC: 'off', HOME: home, KUBECONFIG: kubeconfig, ...options.env },
        timeout: options.timeoutMs ?? 50_000,
      })
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', (chunk) => {
        stdout += String(chunk)
        if (options.isEnough?.(stdout)) child.kill()
      })
      child.stderr.on('data', (chunk) => (stderr += String(chunk)))
      child.on('error', reject)
      child.on('close', (code) => resolve({ code: code ?? -1, stdout: olderWords(stdout), stderr: olderWords(stderr) }))
      child.stdin.on('error', () => {})
      child.stdin.end(options.input ?? '')
    })
}

/** Turns output of kubectl 1.36 into that of 1.32: tests run with any installed kubectl. */
function olderWords(text: string): string {
  return text
    .replaceAll(/ deleted from \S+ namespace/g, ' deleted')
    .replaceAll(/^Flag --\S+ has been deprecated, .*\n/gm, '')
}

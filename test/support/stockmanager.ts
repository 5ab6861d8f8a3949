import { spawn, spawnSync } from 'node:child_process'
import { endWithUs } from './child.ts'
import { freePort } from './ports.ts'

/** A kube-controller-manager of another make that runs beside ours. */
interface StockManager {
  /** SIGKILL: as a manager ends whose machine goes away. Resolves when it is gone. */
  kill(): Promise<void>
}

/** Path of the stock controller manager: PILOTHOUSE_KUBE_CONTROLLER_MANAGER, else that on PATH; undefined: there is none. */
export function findStockManager(): string | undefined {
  const program = process.env['PILOTHOUSE_KUBE_CONTROLLER_MANAGER'] || 'kube-controller-manager'
  return spawnSync(program, ['--version']).status === 0 ? program : undefined
}

/** Starts it with these controllers, by the names that every release knows (deployment, not deployment-controller). */
export async function startStockManager(
  program: string,
  kubeconfigFile: string,
  controllers: readonly string[],
): Promise<StockManager> {
  const flags = [
    `--kubeconfig=${kubeconfigFile}`,
    `--controllers=${controllers.join()}`,
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${await freePort()}`,
    '--kube-api-qps=200',
    '--kube-api-burst=200',
  ]
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  endWithUs(child)
  let output = ''
  child.stderr.on('data', (chunk) => (output = `${output}${String(chunk)}`.slice(-4000)))
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  return {
    async kill() {
      if (child.exitCode !== null) throw new Error(`the stock manager ended by itself:\n${output}`)
      child.kill('SIGKILL')
      await exited
    },
  }
}

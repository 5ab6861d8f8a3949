// One of the project's programs beside others.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { programFile } from '../programfile.ts'

export interface Part {
  readonly logFile: string
  readonly exited: Promise<void>
  /** Ends it with a signal, and waits. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts `cmd/NAME/main.ts`; its output is appended to `NAME.log` in the folder. It doesn't outlive this process. */
export function startPart(name: string, flags: readonly string[], folder: string): Part {
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(process.execPath, [programFile(`cmd/${name}/main.ts`), ...flags], {
    cwd: folder,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void exited.then(() => process.off('exit', kill))
  return {
    logFile,
    exited,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await exited
    },
  }
}

/** The project's scheduler, for the only one of its cluster; `kubeconfig` is the path of one. */
export function startScheduler(kubeconfig: string, folder: string): Part {
  const local = ['--bind-address=127.0.0.1', '--secure-port=0', `--cert-dir=${join(folder, 'scheduler-certs')}`]
  return startPart('scheduler', [...local, `--kubeconfig=${kubeconfig}`, '--leader-elect=false'], folder)
}

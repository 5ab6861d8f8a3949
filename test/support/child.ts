import type { ChildProcess } from 'node:child_process'

/** Kills the child where this process exits before it: what is started for a test or a benchmark doesn't outlive that. */
export function endWithUs(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

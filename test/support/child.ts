import type { ChildProcess } from 'node:child_process'

/** Kills the child where this process exits before it: a child of a test or benchmark doesn't outlive it. */
export function endWithUs(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

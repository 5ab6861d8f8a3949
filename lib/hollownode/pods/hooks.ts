import type { LifecycleHandler } from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import type { Frozen } from '../../object/index.ts'
import { canRun } from '../shell/run.ts'
import type { CommandResult } from './command.ts'

export type HookKind = 'PostStart' | 'PreStop'

export interface HookTools {
  readonly clock: Clock
  /** Runs a command in the container. Rejects once `signal` aborts. */
  run(command: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<CommandResult>
  event(type: 'Normal' | 'Warning', reason: string, message: string): void
}

/**
 * Runs a hook of a container: a command, or a sleep. False: it has failed, which an event reports. A hook that hollow
 * nodes can't run counts as successful, and an event says why it was not run. Rejects once `signal` aborts.
 */
export async function runHook(
  kind: HookKind,
  { exec, sleep, httpGet, tcpSocket }: Frozen<LifecycleHandler>,
  { clock, run, event }: HookTools,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const warn = (message: string): void => event('Warning', `Failed${kind}Hook`, `${kind}Hook ${message}`)
  if (sleep) await clock.sleep(Math.min(sleep.seconds * 1000, timeoutMs), signal)
  if (httpGet ?? tcpSocket) warn('is not run: hollow nodes open no connections')
  const { command } = exec ?? {}
  if (command === undefined) return true
  if (!canRun(command)) {
    warn(`is not run: ${unknownCommand(command)}`)
    return true
  }
  const { exitCode } = await run(command, timeoutMs, signal)
  if (exitCode !== 0) warn('failed')
  return exitCode === 0
}

export function unknownCommand(command: readonly string[] = []): string {
  return `the shell of hollow nodes does not know the command ${JSON.stringify(command.join(' '))}`
}

import { type Clock, Pauses } from '../../base/index.ts'
import { runCommand } from '../shell/run.ts'
import type { Surroundings } from './process.ts'

export interface CommandResult {
  /** 124 where the command took too long. */
  readonly exitCode: number
  /** Both outputs, as far as they are kept. */
  readonly output: string
}

/** Characters of a command's output that are kept, as kubelets do for probes. */
const outputCharactersMax = 10 * 1024

/** Runs the command of a probe or hook; one that takes too long has failed. Rejects once `signal` aborts. */
export async function runBriefly(
  clock: Clock,
  command: readonly string[],
  around: Surroundings,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CommandResult> {
  const late = new AbortController()
  const timer = clock.after(timeoutMs, () => late.abort(new Error('the command takes too long')))
  const until = AbortSignal.any([signal, late.signal])
  const pauses = new Pauses(clock)
  let output = ''
  const write = (data: string | Uint8Array): void => {
    until.throwIfAborted()
    const text = typeof data === 'string' ? data : Buffer.from(data).toString()
    output += text.slice(0, outputCharactersMax - output.length)
  }
  try {
    const exitCode = await runCommand(command, {
      ...around,
      input: undefined,
      output: write,
      errors: write,
      sleep: (delayMs) => clock.sleep(delayMs, until),
      async turn() {
        until.throwIfAborted()
        if (pauses.isDue) await pauses.pause()
      },
      now: () => clock.now(),
    })
    return { exitCode, output }
  } catch (error) {
    signal.throwIfAborted()
    if (!late.signal.aborted) throw error
    return { exitCode: 124, output: `command timed out: "${command.join(' ')}" timed out after ${timeoutMs / 1000}s` }
  } finally {
    void timer.close()
  }
}

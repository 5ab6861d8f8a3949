import type { AttackedPlane } from './plane.ts'
import type { Watchdog } from './watchdog.ts'

/** An attack that once succeeded, over HTTP, on a control plane that is set up (setup.ts). */
export interface Proof {
  /** The control plane's defence, as a test's title. */
  readonly title: string
  /** Flags of its own plane, if it needs another one than the rest. */
  readonly flags?: readonly string[]
  /** The parts of the attack that still succeed, a line each. */
  run(around: Attacked): Promise<readonly string[]>
}

export interface Attacked {
  readonly plane: AttackedPlane
  readonly watchdog: Watchdog
}

/** A line if an answer has another status than the expected ones. */
export function unless(
  statuses: readonly number[],
  what: string,
  answer: { readonly status: number; readonly text: string; readonly broken?: string },
): string[] {
  if (statuses.includes(answer.status)) return []
  return [`${what}: ${answer.status} ${answer.broken ?? ''} ${answer.text.slice(0, 400)}`]
}

/** A line if the loop was held for longer than allowed since the watchdog was last asked. */
export async function unlessFree({ watchdog }: Attacked, what: string): Promise<string[]> {
  const { heldMs, waitedMs } = await watchdog.loop()
  const numbers = `${heldMs.toFixed(0)} ms of CPU within a wait of ${waitedMs.toFixed(0)} ms`
  return heldMs <= watchdog.heldMsMax
    ? []
    : [`${what} held the loop: ${numbers}, of ${watchdog.heldMsMax.toFixed(0)} allowed`]
}

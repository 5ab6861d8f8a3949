import type { AttackedPlane } from './plane.ts'
import type { Watchdog } from './watchdog.ts'

/** An attack that once worked, over HTTP, on a control plane that is set up (setup.ts). */
export interface Proof {
  /** What the control plane does about it, as a test's title. */
  readonly title: string
  /** Of a plane of its own, where it needs another one than the rest. */
  readonly flags?: readonly string[]
  /** What still works of it, a line each. */
  run(around: Attacked): Promise<readonly string[]>
}

export interface Attacked {
  readonly plane: AttackedPlane
  readonly watchdog: Watchdog
}

/** A line where an answer has another status than those expected. */
export function unless(
  statuses: readonly number[],
  what: string,
  answer: { readonly status: number; readonly text: string; readonly broken?: string },
): string[] {
  if (statuses.includes(answer.status)) return []
  return [`${what}: ${answer.status} ${answer.broken ?? ''} ${answer.text.slice(0, 400)}`]
}

/** A line where the loop was held for longer than it may be since the watchdog was last asked. */
export async function unlessFree({ watchdog }: Attacked, what: string): Promise<string[]> {
  const { heldMs, waitedMs } = await watchdog.loop()
  const numbers = `${heldMs.toFixed(0)} ms of CPU within a wait of ${waitedMs.toFixed(0)} ms`
  return heldMs <= watchdog.heldMsMax
    ? []
    : [`${what} held the loop: ${numbers}, of ${watchdog.heldMsMax.toFixed(0)} allowed`]
}

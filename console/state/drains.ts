import { type ReadonlySignal, signal } from '@preact/signals'
import type { DrainProgress } from './drainplan.ts'

export interface Drain {
  readonly progress: ReadonlySignal<DrainProgress>
  stop(): void
}

/** Drains of this page, also of nodes that are not shown, by session and node; those that have ended as well. */
export const drains = signal<ReadonlyMap<string, Drain>>(new Map())

const drainsMax = 20

export function keepDrain(key: string, drain: Drain): void {
  const kept = [...drains.value].filter(([each]) => each !== key).slice(-drainsMax + 1)
  drains.value = new Map([...kept, [key, drain]])
}

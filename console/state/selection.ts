import { signal } from '@preact/signals'

/** Uids of the rows that are marked, for an action on all of them. */
export const marked = signal<ReadonlySet<string>>(new Set())

/** Maximum number of marked rows: a dialog is to show what an action is about. */
export const markedMax = 500

/** Marks a row, or no longer; nothing where the maximum is reached. */
export function toggleMark(uid: string): void {
  const next = new Set(marked.value)
  if (!next.delete(uid)) {
    if (next.size >= markedMax) return
    next.add(uid)
  }
  marked.value = next
}

/** Marks as many of the rows as may be, or none where all of those are. */
export function toggleAll(uids: readonly string[]): void {
  const first = uids.slice(0, markedMax)
  marked.value = first.every((uid) => marked.value.has(uid)) ? new Set() : new Set(first)
}

export function clearMarks(): void {
  if (marked.value.size > 0) marked.value = new Set()
}

import type { Row } from './row.ts'

/** Requirements that are offered, and rows whose labels are looked at. */
const offeredMax = 200
const rowsMax = 2000

/**
 * Completions of a selector's last requirement, the text before it kept: labels of the rows, most frequent first, that begin
 * with what is typed. (Worked example: `app=web,ti` offers `app=web,tier=front`.)
 */
export function labelCompletions(typed: string, rows: Iterable<Row>): string[] {
  const counts = new Map<string, number>()
  let seen = 0
  for (const { labels } of rows) {
    if (seen++ >= rowsMax) break
    for (const [key, value] of Object.entries(labels)) {
      const requirement = `${key}=${value}`
      counts.set(requirement, (counts.get(requirement) ?? 0) + 1)
    }
  }
  const byCount = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([requirement]) => requirement)
  return completed(typed, byCount)
}

/** Fields that every kind can be selected by; the others depend on the kind, and the server names them when it refuses one. */
export function fieldCompletions(typed: string, isNamespaced: boolean): string[] {
  return completed(typed, ['metadata.name=', ...(isNamespaced ? ['metadata.namespace='] : [])])
}

function completed(typed: string, candidates: readonly string[]): string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const last = typed.slice(before.length).trim()
  const given = new Set(before.split(',').map((each) => each.trim()))
  return candidates
    .filter((each) => each.startsWith(last) && !given.has(each))
    .slice(0, offeredMax)
    .map((each) => before + each)
}

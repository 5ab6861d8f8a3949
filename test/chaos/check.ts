import { checkEvents } from './checkevents.ts'
import type { Finding, History, ListRead, Operation, Rule } from './history.ts'
import { collectVersions, describe, type Version } from './versions.ts'

/**
 * Checks whether one store that does one thing after the other explains what clients saw: every object is linearizable, in
 * the order of revisions; lists are states of the whole; watchers receive everything once and in order. Revisions are the
 * witness, which makes the check one pass over each object instead of a search. Empty: nothing is wrong.
 */
export function checkHistory(history: History): readonly Finding[] {
  const { byKey, all, byRevision, findings } = collectVersions(history)
  const found: Finding[] = [...findings]
  const find = (rule: Rule, key: string, text: string): void => void found.push({ rule, key, text })
  for (const [key, versions] of byKey) checkOrder(key, versions, find)
  for (const operation of history.operations) {
    const versions = byKey.get(operation.key) ?? []
    if (operation.action === 'get') checkRead(operation, versions, byRevision, find)
    else checkRefusal(operation, versions, byRevision, find)
  }
  for (const list of history.lists) checkList(list, byKey, all, find)
  for (const span of history.spans) checkEvents(span, all, find)
  return found
}

type Find = (rule: Rule, key: string, text: string) => void

/** Writes follow each other in real time as their revisions do, and each finds what it asked for. */
function checkOrder(key: string, versions: readonly Version[], find: Find): void {
  let latest: Version | undefined
  versions.forEach((version, index) => {
    const before = versions[index - 1]
    if (latest && version.write && version.visibleByMs < latest.notBeforeMs && latest.write)
      find('real time', key, `${describe(latest.write)} came before ${describe(version.write)} by its revision only`)
    if (!latest || version.notBeforeMs > latest.notBeforeMs) latest = version
    const { write } = version
    if (!write) return
    const isThere = before !== undefined && before.value !== undefined
    if (write.action === 'create' && isThere)
      find('precondition', key, `${describe(write)} found ${before.value} at revision ${before.revision}`)
    if (write.action !== 'create' && (!isThere || before.revision !== write.expected))
      find(
        'precondition',
        key,
        `${describe(write)} found ${before?.value ?? 'nothing'} at revision ${before?.revision ?? 0}`,
      )
  })
}

type ByRevision = ReadonlyMap<number, Version>

function checkRead(read: Operation, versions: readonly Version[], byRevision: ByRevision, find: Find): void {
  if (read.outcome === 'absent') {
    if (!mayBeAbsent(read, versions))
      find('read of nothing', read.key, `${describe(read)}, and it was there all the time`)
    return
  }
  if (read.outcome !== 'done') return
  const version = byRevision.get(read.revision ?? 0)
  const next = version?.next
  if (version?.value !== read.value || version?.key !== read.key)
    return find('ghost', read.key, `${describe(read)} shows what never was`)
  if (version.notBeforeMs > read.answeredMs)
    find('real time', read.key, `${describe(read)} shows what was asked for later`)
  if (next && next.visibleByMs < read.invokedMs)
    find(
      'stale read',
      read.key,
      `${describe(read)}, and revision ${next.revision} was known ${(read.invokedMs - next.visibleByMs).toFixed(0)} ms before`,
    )
}

/** Whether the object may have been absent at some moment of the request. */
function mayBeAbsent({ invokedMs, answeredMs }: Operation, versions: readonly Version[]): boolean {
  if ((versions[0]?.visibleByMs ?? Infinity) >= invokedMs) return true
  return versions.some(
    ({ value, notBeforeMs, next }) =>
      value === undefined && notBeforeMs <= answeredMs && (next?.visibleByMs ?? Infinity) >= invokedMs,
  )
}

/** Whether the object may have been in another state than the one that is asked for, at some moment of the request. */
function mayDiffer({ invokedMs, answeredMs, expected }: Operation, byRevision: ByRevision): boolean {
  const version = byRevision.get(expected ?? 0)
  if (!version || version.visibleByMs >= invokedMs) return true
  return version.next !== undefined && version.next.notBeforeMs <= answeredMs
}

function checkRefusal(write: Operation, versions: readonly Version[], byRevision: ByRevision, find: Find): void {
  const { outcome, key, invokedMs, answeredMs } = write
  if (outcome === 'exists') {
    const mayExist = versions.some(
      ({ value, notBeforeMs, next }) =>
        value !== undefined && notBeforeMs <= answeredMs && (next?.visibleByMs ?? Infinity) >= invokedMs,
    )
    if (!mayExist) find('wrong refusal', key, `${describe(write)}, and it was not there`)
  } else if (outcome === 'absent' && !mayBeAbsent(write, versions))
    find('wrong refusal', key, `${describe(write)}, and it was there all the time`)
  else if (outcome === 'conflict' && !mayDiffer(write, byRevision))
    find('wrong refusal', key, `${describe(write)}, and it was in that state all the time`)
}

function checkList(
  list: ListRead,
  byKey: ReadonlyMap<string, readonly Version[]>,
  all: readonly Version[],
  find: Find,
): void {
  for (const [key, versions] of byKey) {
    const state = versions.findLast(({ revision }) => revision <= list.revision)
    const item = list.items.get(key)
    if (state?.value !== item?.value || (item && state?.revision !== item.revision))
      find(
        'wrong list',
        key,
        `a list at ${list.revision} has ${item?.value ?? 'nothing'}: it was ${state?.value ?? 'not there'} since ${state?.revision ?? 0}`,
      )
  }
  for (const key of list.items.keys()) if (!byKey.has(key)) find('wrong list', key, `a list has what never was`)
  const missed = all.find(({ revision, visibleByMs }) => revision > list.revision && visibleByMs < list.invokedMs)
  if (missed)
    find('stale read', missed.key, `a list at ${list.revision} came after revision ${missed.revision} was known`)
}

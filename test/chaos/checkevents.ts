import type { Rule, SeenEvent, WatchedSpan } from './history.ts'
import type { Version } from './versions.ts'

/** A watcher receives every state after its beginning once, in the order of revisions, with the right type. */
export function checkEvents(
  { name, from, events, upTo }: WatchedSpan,
  all: readonly Version[],
  find: (rule: Rule, key: string, text: string) => void,
): void {
  const seen = new Map<number, SeenEvent>()
  let last = from
  for (const event of events) {
    const { type, key, value, revision } = event
    const what = `${name}: ${type} ${key}=${value} at revision ${revision}`
    if (seen.has(revision)) find('repeated event', key, what)
    else if (revision <= from) find('repeated event', key, `${what}, and it began after ${from}`)
    else if (revision < last) find('order of events', key, `${what} came after revision ${last}`)
    seen.set(revision, event)
    last = Math.max(last, revision)
  }
  const states = new Map<string, Version>()
  for (const version of all) {
    const { key, revision, value } = version
    const before = states.get(key)
    states.set(key, version)
    if (revision <= from || revision > upTo) continue
    const event = seen.get(revision)
    if (!event) {
      find(
        'skipped event',
        key,
        `${name} was not told of ${value ?? 'the end'} at revision ${revision} (from ${from} up to ${upTo})`,
      )
      continue
    }
    const type = value === undefined ? 'DELETED' : before?.value === undefined ? 'ADDED' : 'MODIFIED'
    if (event.type !== type) find('wrong event', key, `${name}: ${event.type} for ${type} at revision ${revision}`)
  }
}

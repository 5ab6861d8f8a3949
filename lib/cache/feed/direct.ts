import { type Revision, statusErrors } from '../../object/index.ts'
import { type Store, type StoredValue, StoreError } from '../../storage/index.ts'
import type { CacheListOptions, Entry, GetResult, ListResult } from '../contract.ts'

/** Reads that bypass the cache: exact ones beyond its snapshots, and linearizable ones while the feed is behind. */
export interface DirectReads {
  readonly store: Pick<Store, 'get' | 'range'>
  readonly pageKeys: number
  /** The cache's entry at exactly that revision, or a new one that the cache doesn't keep. */
  entryOf(value: StoredValue): Entry
  /** Counts a list: how many objects the store sent, were examined, and returned. */
  listed(fetched: number, evaluated: number, returned: number): void
}

const listTooOld = 'The resourceVersion for the provided list is too old.'

export async function getDirect(
  { store, entryOf }: DirectReads,
  key: string,
  revision: Revision | undefined,
  signal: AbortSignal | undefined,
): Promise<GetResult> {
  const found = await inTime(store.get(key, { ...(revision ? { revision } : {}), signal }))
  return { entry: found.value && entryOf(found.value), revision: found.revision }
}

/** Reads pages, all at one revision. */
export async function listDirect(
  { store, pageKeys, entryOf, listed }: DirectReads,
  { start, end, limit = 0, predicate, signal }: CacheListOptions,
  exact: Revision | undefined,
): Promise<ListResult> {
  const entries: Entry[] = []
  let revision = exact
  let total: number | undefined
  let from = start
  let fetched = 0
  let evaluated = 0
  for (let done = false, more = false; ; ) {
    const page = await inTime(
      store.range({
        start: from,
        end,
        limit: predicate || limit === 0 ? pageKeys : Math.min(pageKeys, limit - entries.length),
        ...(revision ? { revision } : {}),
        signal,
      }),
    )
    revision ??= page.revision
    total ??= page.count
    fetched += page.values.length
    for (const value of page.values) {
      const entry = entryOf(value)
      evaluated++
      if (predicate && !predicate.matches(entry)) continue
      more = limit > 0 && entries.length === limit
      if (more) break
      entries.push(entry)
    }
    const last = page.values[page.values.length - 1]
    done = more || !page.more || !last || (!predicate && limit > 0 && entries.length === limit)
    if (last) from = `${last.key}\0`
    if (!done) continue
    listed(fetched, evaluated, entries.length)
    const remaining = predicate ? undefined : total - entries.length
    const lastKey = entries[entries.length - 1]?.key
    return { entries, revision, more: more || (remaining ?? 0) > 0, remaining, lastKey }
  }
}

async function inTime<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (error instanceof StoreError && error.code === 'compacted') throw statusErrors.expired(listTooOld)
    throw error
  }
}

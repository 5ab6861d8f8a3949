import type { Revision } from '../../object/index.ts'
import { prefixEnd, type Store, type StoredValue } from '../../storage/index.ts'
import type { CacheOptions } from '../options.ts'

/** All keys of a prefix at one revision. */
interface Loaded {
  readonly values: readonly StoredValue[]
  readonly revision: Revision
}

type LoadSizes = Pick<CacheOptions, 'loadPageKeys' | 'loadPageKeysMax' | 'loadPageBytes'>

interface LoadOptions {
  readonly sizes: LoadSizes
  readonly signal: AbortSignal
}

/**
 * Reads all keys of `prefix` page by page, at `revision`, or at the store's revision of the first page. Pages are as
 * large as their bytes allow: etcd counts all keys that are left at each one.
 */
export async function loadPrefix(
  store: Pick<Store, 'range'>,
  prefix: string,
  revision: Revision | undefined,
  { sizes, signal }: LoadOptions,
): Promise<Loaded> {
  const values: StoredValue[] = []
  const end = prefixEnd(prefix)
  let start = prefix
  let at = revision
  let limit = sizes.loadPageKeys
  let bytes = 0
  for (;;) {
    const page = await store.range({
      start,
      end,
      limit,
      uncounted: true,
      signal,
      ...(at ? { revision: at } : {}),
    })
    at ??= page.revision
    for (const value of page.values) {
      values.push(value)
      bytes += value.value.byteLength
    }
    const last = page.values[page.values.length - 1]
    if (!page.more || !last) return { values, revision: at }
    start = `${last.key}\0`
    limit = nextLimit(sizes, bytes / values.length)
  }
}

function nextLimit({ loadPageKeys, loadPageKeysMax, loadPageBytes }: LoadSizes, valueBytes: number): number {
  return Math.max(loadPageKeys, Math.min(loadPageKeysMax, Math.floor(loadPageBytes / valueBytes)))
}

/** Reads several prefixes, all at `revision`; `atOnce` of them at a time. */
export async function loadPrefixes(
  store: Pick<Store, 'range'>,
  prefixes: readonly string[],
  revision: Revision,
  { atOnce, ...options }: LoadOptions & { readonly atOnce: number },
): Promise<ReadonlyMap<string, Loaded>> {
  const loaded = new Map<string, Loaded>()
  const left = [...prefixes]
  const loadOnes = async (): Promise<void> => {
    for (let prefix = left.pop(); prefix !== undefined; prefix = left.pop())
      loaded.set(prefix, await loadPrefix(store, prefix, revision, options))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, prefixes.length) }, loadOnes))
  return loaded
}

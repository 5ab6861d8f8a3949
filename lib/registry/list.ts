import type { Entry } from '../cache/index.ts'
import type { ApiObject } from '../object/index.ts'
import type { ResourceRegistry } from './resource.ts'

interface ListObjectsOptions {
  /** The cache's present state (`any`), or one as fresh as the store (`latest`). */
  readonly at: 'any' | 'latest'
  readonly signal?: AbortSignal
}

/** The entries of a namespace, or with '' of all; none where the resource is not served. */
export async function listEntries(
  resource: ResourceRegistry | undefined,
  namespace: string,
  { at, signal }: ListObjectsOptions,
): Promise<readonly Entry[]> {
  if (resource === undefined) return []
  const options = { ...resource.range(namespace), at: { kind: at }, ...(signal && { signal }) }
  return (await resource.cache.list(options)).entries
}

/** The decoded objects of `listEntries`: they belong to the cache and must not be changed. */
export async function listObjects(
  resource: ResourceRegistry | undefined,
  namespace: string,
  options: ListObjectsOptions,
): Promise<ApiObject[]> {
  return (await listEntries(resource, namespace, options)).map((entry) => entry.object())
}

/** All objects as fresh as the store, in pages of at most `pageMax`; each page is read when the caller asks for it. */
export async function* listPages(
  resource: ResourceRegistry,
  { pageMax, signal }: { pageMax: number; signal: AbortSignal },
): AsyncGenerator<ApiObject[], void> {
  const { start, end } = resource.range('')
  for (let from = start; ; ) {
    signal.throwIfAborted()
    const page = await resource.cache.list({ start: from, end, at: { kind: 'latest' }, limit: pageMax, signal })
    yield page.entries.map((entry) => entry.object())
    if (!page.more || page.lastKey === undefined) return
    from = `${page.lastKey}\0`
  }
}

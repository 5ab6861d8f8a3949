import type { Entry, ListResult } from '../cache/index.ts'
import type { KindDefinition } from '../kinds/index.ts'
import { type ApiObject, noRevision, statusErrors } from '../object/index.ts'
import type { ResourceDefinition } from '../scheme/index.ts'
import { prefixEnd } from '../storage/index.ts'
import { createKeys } from './keys.ts'
import type { ResourceRegistry } from './resource.ts'

interface ComputedOptions {
  readonly definition: ResourceDefinition
  readonly kind: KindDefinition
  /** The present objects, one of each name; with a name, only that object is required. */
  read(name: string | undefined): Promise<readonly ApiObject[]>
}

/**
 * A resource without namespaces whose objects are computed when they are read, so few that lists have no pages. It
 * can't be written or watched: its table offers `get` and `list` alone, and all other requests are refused.
 */
export function createComputedResource({ definition, kind, read }: ComputedOptions): ResourceRegistry {
  const { gvr } = definition
  const prefix = `computed/${gvr.resource}/`
  const key = createKeys(prefix, false)
  const refuse = (): Promise<never> => Promise.reject(statusErrors.methodNotAllowed())

  async function list(name: string | undefined): Promise<Entry[]> {
    const entries = (await read(name)).map((object) => entryOf(key('', object.metadata.name ?? ''), object))
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  return {
    definition,
    fieldReader: () => (entry) => entry.object(),
    kind,
    target: (namespace, name) => ({ namespace, name, key: key(namespace, name) }),
    targetAt: (at) => ({ namespace: '', name: at.slice(prefix.length), key: at }),
    range: () => ({ start: prefix, end: prefixEnd(prefix) }),
    create: refuse,
    update: refuse,
    delete: refuse,
    deleteCollection: refuse,
    hooks: undefined,
    hook() {},
    cache: {
      resource: gvr,
      prefix,
      ready: true,
      revision: noRevision,
      size: 0,
      storedBytes: 0,
      whenReady: () => Promise.resolve(),
      peek: () => undefined,
      renew() {},
      adopt() {},
      watch: refuse,
      async get(wanted) {
        const entries = await list(wanted.slice(prefix.length))
        return { entry: entries.find((entry) => entry.key === wanted), revision: noRevision }
      },
      async list({ start, end, predicate }): Promise<ListResult> {
        const entries = (await list(undefined)).filter(
          (entry) => entry.key >= start && entry.key < end && (predicate?.matches(entry) ?? true),
        )
        return { entries, revision: noRevision, more: false, remaining: undefined, lastKey: undefined }
      },
    },
  }
}

function entryOf(key: string, object: ApiObject): Entry {
  const { name = '', labels = {} } = object.metadata
  return {
    key,
    stored: new Uint8Array(),
    revision: noRevision,
    storedRevision: noRevision,
    createRevision: noRevision,
    isStoredOtherwise: false,
    object: () => object,
    labels: () => labels,
    fields: () => ({ 'metadata.name': name }),
    canonical: false,
    isDecoded: true,
    keptBytes: () => undefined,
    bytesAgain: () => undefined,
    bytes(encoding) {
      return encoding.encode(this)
    },
  }
}

import type { Entry, ResourceCache } from '../cache/index.ts'
import type { KindDefinition } from '../kinds/index.ts'
import type { ApiObject } from '../object/index.ts'
import type { DeleteRequestOptions } from '../request/index.ts'
import type { ObjectCodec, ResourceDefinition } from '../scheme/index.ts'
import type { ResourceParts, WriteContext, WriteTarget, Written } from './context.ts'
import { createObject } from './create.ts'
import { deleteObject, type Removed } from './delete.ts'
import { deleteCollection } from './deletecollection.ts'
import type { ResourceHooks } from './hooks.ts'
import { readStored } from './stored.ts'
import { type ObjectChange, updateObject } from './update.ts'

/**
 * The writes of one resource, on objects in its hub version, and the cache for its reads. The registry owns the objects
 * that it is given.
 */
export interface ResourceRegistry {
  /** The definition of the stored resource, when this is another kind's view; in the hub version. */
  readonly definition: ResourceDefinition
  readonly kind: KindDefinition
  readonly cache: ResourceCache
  /** Converts its objects to bytes and back, in all their versions; absent: nothing is stored. */
  readonly codec?: ObjectCodec
  /** Reads at least those fields of entries, and few others; see ObjectCodec.fieldReader. */
  fieldReader(paths: readonly string[]): (entry: Entry) => ApiObject
  /** Throws 400 for names that can't be part of a key. */
  target(namespace: string, name: string): WriteTarget
  /** The key range of a namespace, or with '' of all. */
  range(namespace: string): { readonly start: string; readonly end: string }
  create(object: ApiObject, context: WriteContext): Promise<Written>
  update(target: WriteTarget, change: ObjectChange, context: WriteContext): Promise<Written>
  delete(target: WriteTarget, options: DeleteRequestOptions, context: WriteContext): Promise<Removed>
  /** The target of a key. */
  targetAt(key: string): WriteTarget
  /** Deletes all of these; those that are already deleted are ignored. */
  deleteCollection(targets: readonly WriteTarget[], options: DeleteRequestOptions, context: WriteContext): Promise<void>
  readonly hooks: ResourceHooks | undefined
  /** From now on writes run `hooks`. */
  hook(hooks: ResourceHooks): void
}

export function createResourceRegistry(
  parts: ResourceParts,
  options: {
    prefixEnd: (prefix: string) => string
    deleteCollectionWorkers: number
    install: (hooks: ResourceHooks) => void
  },
): ResourceRegistry {
  const { prefix } = parts.cache
  const whole = { start: prefix, end: options.prefixEnd(prefix) }
  return {
    definition: parts.definition,
    kind: parts.kind,
    cache: parts.cache,
    codec: parts.codec,
    fieldReader(paths) {
      const read = parts.codec.fieldReader?.(paths)
      return read ? (entry) => readStored(entry, () => read(entry.stored)) : (entry) => entry.object()
    },
    target: (namespace, name) => ({ namespace, name, key: parts.key(namespace, name) }),
    targetAt(key) {
      const [first = '', second] = key.slice(prefix.length).split('/')
      return second === undefined ? { namespace: '', name: first, key } : { namespace: first, name: second, key }
    },
    range(namespace) {
      if (namespace === '') return whole
      const start = `${prefix}${namespace}/`
      return { start, end: options.prefixEnd(start) }
    },
    create: (object, context) => createObject(parts, object, context),
    update: (target, change, context) => updateObject(parts, target, change, context),
    delete: (target, deletion, context) => deleteObject(parts, target, deletion, context),
    deleteCollection: (targets, deletion, context) =>
      deleteCollection(parts, targets, deletion, context, options.deleteCollectionWorkers),
    get hooks() {
      return parts.hooks()
    },
    hook: options.install,
  }
}

import { type Clock, type Random, unlimitedWork, type WorkLimit } from '../base/index.ts'
import type { Entry, ResourceCache } from '../cache/index.ts'
import type { DeclarativeCheck, KindContext, KindDefinition, KindSettings } from '../kinds/index.ts'
import type { ApiObject, GroupResource, Revision } from '../object/index.ts'
import type { UserInfo } from '../request/index.ts'
import type { ObjectCodec, ResourceDefinition } from '../scheme/index.ts'
import type { Store } from '../storage/index.ts'
import type { DropDisabledFields } from './gatedfields.ts'
import type { ResourceHooks } from './hooks.ts'

/** The user and the options of a write. */
export interface WriteContext {
  readonly user: UserInfo
  /** The verb of the request, on which further permissions may depend; absent for writes of the server's own. */
  readonly verb?: string
  /** Does everything except the write itself. */
  readonly dryRun: boolean
  /** The deletion is part of a deletecollection: kinds refuse only deletions of single objects. */
  readonly inCollection?: true
  /** Apply depends on managed fields: they are never dropped to make the rest fit. */
  readonly isApply?: true
  readonly signal?: AbortSignal
  warn(text: string): void
  /** The limit of long validations. Default: none. */
  readonly work?: WorkLimit
  /**
   * The last check before the write, after the kind's own validation. Objects are in the hub version and must not be
   * changed; `object` is undefined for a deletion, `old` for a creation.
   */
  validate?(object: ApiObject | undefined, old: ApiObject | undefined): void | Promise<void>
}

/** The place of an object in the store. */
export interface WriteTarget {
  readonly namespace: string
  readonly name: string
  readonly key: string
}

/** The present state of an object: immutable, in the hub version. */
export interface Existing {
  readonly object: ApiObject
  readonly stored: Uint8Array
  readonly revision: Revision
  /** The cache's entry, if the object came from the cache: keeps encoded bytes. */
  readonly entry: Entry | undefined
  /** The store holds an outdated form. The cache does not know this of encryption. */
  readonly stale: boolean
}

/** The outcome of a write. The caller may not change the object. */
export interface Written {
  readonly key: string
  /** In the hub version, with its resourceVersion. */
  readonly object: ApiObject
  readonly revision: Revision
  /** False: a dry run, or nothing was changed. The cache has nothing to adopt then. */
  readonly stored: boolean
  readonly created: boolean
  /** The cache's entry with the same object, where nothing was changed: its bytes are the answer. */
  readonly entry?: Entry
}

/** The parts that the operations of one resource share. */
export interface ResourceParts {
  readonly definition: ResourceDefinition
  /** The resource's name for clients; its group differs from the definition's where another group serves it, too. */
  readonly resource: GroupResource
  readonly kind: KindDefinition
  readonly cache: ResourceCache
  readonly codec: ObjectCodec
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly eventTtlSeconds: number
  readonly settings: KindSettings | undefined
  /** A garbage collector carries out propagation policies. */
  readonly garbageCollection: boolean
  readonly dropDisabledFields: DropDisabledFields
  readonly declarative: DeclarativeCheck | undefined
  /** The installed hooks; they are installed after the registry was made, if at all. */
  hooks(): ResourceHooks | undefined
  gate(name: string): boolean
  /** The key of a namespace and name; throws 400 for invalid parts. */
  key(namespace: string, name: string): string
}

export function kindContext(parts: ResourceParts, context: WriteContext, namespace: string): KindContext {
  return {
    clock: parts.clock,
    random: parts.random,
    user: context.user,
    namespace,
    gate: parts.gate,
    warn: (text) => context.warn(text),
    work: context.work ?? unlimitedWork,
    ...(parts.settings ? { settings: parts.settings } : {}),
  }
}

export function ttlOf(parts: ResourceParts, object: ApiObject): number | undefined {
  return parts.kind.ttlSeconds?.(object, { eventTtlSeconds: parts.eventTtlSeconds })
}

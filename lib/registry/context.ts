import type { Clock, Random, WorkLimit } from '../base/index.ts'
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
  /** Everything but the write itself is done. */
  readonly dryRun: boolean
  /** One of many that a client deletes at once: kinds refuse only deletions of single objects. */
  readonly inCollection?: true
  /** Apply depends on managed fields: they are never dropped so that the rest can be stored. */
  readonly isApply?: true
  readonly signal?: AbortSignal
  warn(text: string): void
  /** Validation that takes long runs within it. Default: without a limit. */
  readonly work?: WorkLimit
  /**
   * The last word before the write, after the kind's own validation. Objects are in the hub version and must not be
   * changed; `object` is undefined for a deletion, `old` for a creation.
   */
  validate?(object: ApiObject | undefined, old: ApiObject | undefined): void | Promise<void>
}

/** Where an object lives. */
export interface Target {
  readonly namespace: string
  readonly name: string
  readonly key: string
}

/** An object as it is now: immutable, in the hub version. */
export interface Existing {
  readonly object: ApiObject
  readonly stored: Uint8Array
  readonly revision: Revision
  /** Where it came from, if from the cache: keeps encoded bytes. */
  readonly entry: Entry | undefined
  /** It is stored in a way that is no longer asked for. The cache does not know that of encryption. */
  readonly stale: boolean
}

/** The outcome of a write. The object is given away: no one may change it any more. */
export interface Written {
  readonly key: string
  /** In the hub version, with its resourceVersion. */
  readonly object: ApiObject
  readonly revision: Revision
  /** False: a dry run, or nothing was changed. Then there is nothing for the cache to adopt. */
  readonly stored: boolean
  readonly created: boolean
}

/** The parts that the operations of one resource share. */
export interface ResourceParts {
  readonly definition: ResourceDefinition
  /**
   * The resource's name for clients; its group differs from the definition's where it is another group's view of it.
   */
  readonly resource: GroupResource
  readonly kind: KindDefinition
  readonly cache: ResourceCache
  readonly codec: ObjectCodec
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly eventTtlSeconds: number
  readonly settings: KindSettings | undefined
  /** A collector acts on propagation policies. */
  readonly garbageCollection: boolean
  readonly dropDisabledFields: DropDisabledFields
  readonly declarative: DeclarativeCheck | undefined
  /** Installed after the registry was made, if at all. */
  hooks(): ResourceHooks | undefined
  gate(name: string): boolean
  /** The key of a namespace and name; throws 400 for names that can't be part of one. */
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
    ...(parts.settings ? { settings: parts.settings } : {}),
  }
}

export function ttlOf(parts: ResourceParts, object: ApiObject): number | undefined {
  return parts.kind.ttlSeconds?.(object, { eventTtlSeconds: parts.eventTtlSeconds })
}

import type { ApiObject, GroupResource, GroupVersionKind, GroupVersionResource } from '../object/index.ts'
import type { GroupVersionTable, ResourceTable, StructType, SubresourceTable } from '../schema/index.ts'
import type { KindCodec, MediaType } from './kindcodec.ts'
import type { MirroredField } from './mirrors.ts'
import type { ObjectCodec } from './objectcodec.ts'
import type { TypeRegistry } from './typeregistry.ts'

/** One resource in one version, whether or not a server serves it (by its runtime-config). */
export interface ResourceDefinition {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  /** '' without lists. */
  readonly listKind: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: Readonly<Record<string, SubresourceTable>>
  /** Undefined: not stored (reviews, bindings). */
  readonly storage: StorageDefinition | undefined
  /** Version in which the registry works on objects of this resource. */
  readonly hubVersion: string
  readonly table: ResourceTable
  /** Compiled at its first use. */
  readonly struct: StructType
}

interface StorageDefinition {
  /** Path below the store's prefix: `configmaps`, `services/specs`. */
  readonly prefix: string
  /** Version of the stored bytes. */
  readonly version: string
  /** The hash in discovery. */
  readonly hash: string
}

export interface GroupDefinition {
  /** '' is the core group. */
  readonly group: string
  /** In the order of preference. */
  readonly versions: readonly string[]
}

/** A registered kind: of a resource, a list, options or a review. */
export interface KindEntry {
  readonly gvk: GroupVersionKind
  /** Compiled at its first use. */
  readonly struct: StructType
  /** Kind of the items, when this is a list. */
  readonly itemKind: string | undefined
}

/** The parts of a KindDefinition that decoding needs; kinds provide them. */
export interface KindHooks {
  /** By version; by `group/version` where the version is of another group than the hub (events.k8s.io/v1). */
  readonly defaults?: Readonly<Record<string, (object: ApiObject, context: { gate(name: string): boolean }) => void>>
  /** Run after the defaults, in every version. */
  readonly mirrors?: readonly MirroredField[]
  /** `fromHub` is left out for versions that are only read from storage. */
  readonly convert?: Readonly<
    Record<string, { fromHub?(object: ApiObject): ApiObject; toHub(object: ApiObject): ApiObject }>
  >
}

export interface SchemeOptions {
  readonly tables: readonly GroupVersionTable[]
  /** Groups and versions in the order of preference; others follow in the order of `tables`. */
  readonly order?: readonly GroupDefinition[]
  readonly kinds?: (group: string, kind: string) => KindHooks | undefined
  /** Default 'application/vnd.kubernetes.protobuf'. */
  readonly storageMediaType?: MediaType
  /** By group: version in which to store objects of kinds that have it, instead of their own storage version. */
  readonly storageVersions?: Readonly<Record<string, string>> | undefined
  /** Feature gates, for defaults. Default: every gate is off. */
  readonly gate?: (name: string) => boolean
}

/** The kinds and resources that exist, and the codecs that their tables give. */
export interface Scheme extends TypeRegistry {
  /** Reads and writes objects of every registered kind. */
  readonly objects: KindCodec
  /** The codec of a resource's objects. */
  codec(resource: GroupResource): ObjectCodec
}

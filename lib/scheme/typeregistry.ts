import type { GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource } from '../object/index.ts'
import {
  compileTables,
  type GroupVersionTable,
  type ResourceTable,
  type SchemaSet,
  type StructType,
  type TypeTable,
  tablePrefix,
} from '../schema/index.ts'
import type { GroupDefinition, KindEntry, ResourceDefinition } from './scheme.ts'

/** The registered kinds and resources, by all their names. Structs compile on first use. */
export interface TypeRegistry {
  readonly types: SchemaSet
  /** Every group, in the order of discovery. */
  readonly groups: readonly GroupDefinition[]
  /** Every resource of every version. */
  readonly resources: readonly ResourceDefinition[]
  resource(gvr: GroupVersionResource): ResourceDefinition | undefined
  /** The resource's definition in each of its versions, in the order of preference; empty: no such resource. */
  versionsOf(resource: GroupResource): readonly ResourceDefinition[]
  /** The resource whose objects are of this kind. */
  resourceOfKind(gvk: GroupVersionKind): ResourceDefinition | undefined
  /** The resource whose objects have this kind in a version that is not served; undefined for served ones. */
  formerResourceOfKind(gvk: GroupVersionKind): ResourceDefinition | undefined
  /** The definition in the hub version. */
  hub(resource: GroupResource): ResourceDefinition | undefined
  kind(gvk: GroupVersionKind): KindEntry | undefined
}

/** Kinds of meta/v1 in the core group. */
const unversioned = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList', 'List']
/** Kinds of meta/v1 that every group version has. */
const everywhere = [
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'WatchEvent',
]
/** Kinds of meta/v1 that are also in meta.k8s.io/v1beta1. */
const metaBeta = ['Table', 'TableOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList']
const metaGroup = 'meta.k8s.io'

export function createTypeRegistry(
  tables: readonly GroupVersionTable[],
  order: readonly GroupDefinition[] | undefined,
): TypeRegistry {
  const types = compileTables(tables)
  const kinds = collectKinds(tables, types)
  const resources = collectResources(tables, types)
  const byResource = new Map(resources.map((each) => [resourceKey(each.gvr), each]))
  // The first resource of a kind is the one that is found.
  const byKind = Map.groupBy(resources, ({ gvk }) => gvk.kind)
  const former = collectFormer(tables, resources, byKind)
  const groups = orderGroups(tables, order)
  const resource = (gvr: GroupVersionResource): ResourceDefinition | undefined => byResource.get(resourceKey(gvr))
  const versionsOf = ({ group, resource: plural }: GroupResource): ResourceDefinition[] =>
    (groups.find((each) => each.group === group)?.versions ?? []).flatMap(
      (version) => resource({ group, version, resource: plural }) ?? [],
    )
  return {
    types,
    groups,
    resources,
    resource,
    versionsOf,
    resourceOfKind: (gvk) => find(byKind, gvk),
    formerResourceOfKind: (gvk) => former.get(kindKey(gvk)),
    hub(wanted) {
      const [some] = versionsOf(wanted)
      if (!some) return undefined
      return resource({ group: hubGroup(some), version: some.hubVersion, resource: wanted.resource }) ?? some
    },
    kind: (gvk) => find(kinds, gvk),
  }
}

/** Group of a resource's hub version and stored objects. */
export function hubGroup({ gvr, table }: ResourceDefinition): string {
  return table.storageGroup ?? gvr.group
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`
}

function resourceKey({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`
}

/** By name: looked up several times a request, where building a key costs more than searching a few entries. */
type ByKind<Entry extends { readonly gvk: GroupVersionKind }> = Map<string, Entry[]>
type Kinds = ByKind<KindEntry>

function find<Entry extends { readonly gvk: GroupVersionKind }>(
  kinds: ByKind<Entry>,
  { group, version, kind }: GroupVersionKind,
): Entry | undefined {
  return kinds.get(kind)?.find(({ gvk }) => gvk.group === group && gvk.version === version)
}

function collectKinds(tables: readonly GroupVersionTable[], types: SchemaSet): Kinds {
  const kinds: Kinds = new Map()
  const add = ({ group, version }: GroupVersion, kind: string, name: string): void => {
    const gvk = { group, version, kind }
    if (!types.has(name) || find(kinds, gvk)) return
    const entry = new LazyKind(gvk, name, types)
    const entries = kinds.get(kind)
    if (entries) entries.push(entry)
    else kinds.set(kind, [entry])
  }
  for (const table of tables) {
    for (const [name, type] of Object.entries(table.types)) {
      const isShared = table.group === metaGroup && (unversioned.includes(name) || everywhere.includes(name))
      if (!type.kind || isShared) continue
      for (const groupVersion of [table, ...earlierVersionsOf(table, type)])
        add(groupVersion, name, `${tablePrefix(table)}.${name}`)
    }
    for (const kind of everywhere) add(table, kind, `meta/v1.${kind}`)
  }
  for (const kind of unversioned) add({ group: '', version: 'v1' }, kind, `meta/v1.${kind}`)
  for (const kind of metaBeta) add({ group: metaGroup, version: 'v1beta1' }, kind, `meta/v1.${kind}`)
  return kinds
}

function earlierVersionsOf({ group }: GroupVersionTable, { earlierVersions = [] }: TypeTable): GroupVersion[] {
  return earlierVersions.map((text) => {
    const [first = '', second] = text.split('/')
    return second === undefined ? { group, version: first } : { group: first, version: second }
  })
}

/**
 * Kinds of versions that are not served (any more), by name, with the resource of their objects. An Ingress of
 * extensions/v1beta1, for instance, belongs to networking.k8s.io/v1.
 */
function collectFormer(
  tables: readonly GroupVersionTable[],
  resources: readonly ResourceDefinition[],
  served: ByKind<ResourceDefinition>,
): Map<string, ResourceDefinition> {
  const stored = new Map<string, ResourceDefinition>()
  for (const each of resources)
    if (each.storage && each.gvr.version === each.hubVersion) stored.set(`${each.gvk.group}/${each.gvk.kind}`, each)
  const former = new Map<string, ResourceDefinition>()
  for (const table of tables)
    for (const [kind, type] of Object.entries(table.types)) {
      const resource =
        type.kind &&
        (find(served, { group: table.group, version: table.version, kind }) ?? stored.get(`${table.group}/${kind}`))
      if (!resource) continue
      for (const groupVersion of [table, ...earlierVersionsOf(table, type)]) {
        const isStoredAs =
          groupVersion.group === hubGroup(resource) && groupVersion.version === resource.storage?.version
        const gvk = { group: groupVersion.group, version: groupVersion.version, kind }
        if (!find(served, gvk) && !isStoredAs) former.set(kindKey(gvk), resource)
      }
    }
  return former
}

class LazyKind implements KindEntry {
  readonly gvk: GroupVersionKind
  readonly #name: string
  readonly #types: SchemaSet
  #itemKind: string | undefined

  constructor(gvk: GroupVersionKind, name: string, types: SchemaSet) {
    this.gvk = gvk
    this.#name = name
    this.#types = types
  }

  get struct(): StructType {
    return this.#types.struct(this.#name)
  }

  get itemKind(): string | undefined {
    if (!this.gvk.kind.endsWith('List')) return undefined
    const items = this.struct.byName.get('items')?.type
    if (items?.is !== 'list' || items.element.is !== 'struct') return undefined
    this.#itemKind ??= items.element.name.slice(items.element.name.lastIndexOf('.') + 1)
    return this.#itemKind
  }
}

function collectResources(tables: readonly GroupVersionTable[], types: SchemaSet): ResourceDefinition[] {
  return tables.flatMap((table) =>
    Object.entries(table.resources ?? {}).map(
      ([plural, resource]) => new TableResource(table, plural, resource, types),
    ),
  )
}

class TableResource implements ResourceDefinition {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  readonly listKind: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: ResourceDefinition['subresources']
  readonly storage: ResourceDefinition['storage']
  readonly hubVersion: string
  readonly table: ResourceTable
  readonly #structName: string
  readonly #types: SchemaSet

  constructor({ group, version }: GroupVersionTable, plural: string, table: ResourceTable, types: SchemaSet) {
    this.gvr = { group, version, resource: plural }
    this.gvk = { group, version, kind: table.kind }
    this.listKind = table.listKind ?? ''
    this.singular = table.singular
    this.namespaced = table.namespaced
    this.shortNames = table.shortNames ?? []
    this.categories = table.categories ?? []
    this.verbs = table.verbs
    this.subresources = table.subresources ?? {}
    this.hubVersion = table.hubVersion ?? table.storageVersion ?? version
    this.storage =
      table.storageVersion === undefined
        ? undefined
        : {
            prefix: table.storagePrefix ?? plural,
            version: table.storageVersion,
            hash: table.storageVersionHash ?? '',
          }
    this.table = table
    this.#structName = `${tablePrefix({ group, version })}.${table.kind}`
    this.#types = types
  }

  get struct(): StructType {
    return this.#types.struct(this.#structName)
  }
}

function orderGroups(
  tables: readonly GroupVersionTable[],
  order: readonly GroupDefinition[] | undefined,
): GroupDefinition[] {
  const versions = new Map<string, Set<string>>()
  for (const { group, versions: known } of order ?? []) versions.set(group, new Set(known))
  for (const { group, version } of tables) {
    const known = versions.get(group) ?? new Set<string>()
    versions.set(group, known.add(version))
  }
  const exists = new Set(tables.map(({ group, version }) => `${group}/${version}`))
  return [...versions].map(([group, known]) => ({
    group,
    versions: [...known].filter((version) => exists.has(`${group}/${version}`)),
  }))
}

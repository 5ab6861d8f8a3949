import { formatGroupVersionKind, type GroupVersion, type GroupVersionKind } from '../object/index.ts'
import type { PublishedSchema, ServedGroup, ServedVersion, StructType } from '../schema/index.ts'
import { definitionName } from './names.ts'
import { type KindReferences, resourcePaths } from './operations.ts'
import {
  createSchemaWriter,
  type Dialect,
  type Json,
  type SchemaWriter,
  sorted,
  typeMetaProperties,
} from './schemas.ts'

/** The source of documents. */
export interface OpenApiSource {
  /** The groups served at present. */
  groups(): readonly ServedGroup[]
  /** The type of a kind, including the options of every group version; undefined when unknown. */
  struct(gvk: GroupVersionKind): StructType | undefined
  /** The tables' type by its name: `meta/v1.ObjectMeta`. */
  type(name: string): StructType
  /** Protobuf package of a struct: `k8s.io.api.core.v1`. */
  protoPackage(struct: StructType): string
}

const patchDefinition = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch'
const info = (version: string): Json => ({ title: 'Kubernetes', version })
const bearer = {
  BearerToken: { description: 'Bearer token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
}

/** The whole API in OpenAPI 2.0. `version` is the release, `v1.33.0`. */
export function openApiV2(source: OpenApiSource, version: string, groups = source.groups()): Json {
  const served = groups.flatMap((group) => group.versions.map((one) => ({ group, one })))
  const { paths, definitions } = build(source, 2, served)
  return {
    swagger: '2.0',
    info: info(version),
    paths,
    definitions,
    securityDefinitions: bearer,
    security: [{ BearerToken: [] }],
  }
}

/** One group version in OpenAPI 3.0. */
export function openApiV3(source: OpenApiSource, version: string, group: ServedGroup, one: ServedVersion): Json {
  const { paths, definitions } = build(source, 3, [{ group, one }])
  return {
    openapi: '3.0.0',
    info: info(version),
    paths,
    components: { schemas: definitions, securitySchemes: bearer },
    security: [{ BearerToken: [] }],
  }
}

function build(
  source: OpenApiSource,
  dialect: Dialect,
  served: readonly { group: ServedGroup; one: ServedVersion }[],
): { paths: Json; definitions: Json } {
  const kinds = new Map<string, Json[]>()
  const writer = createSchemaWriter(
    dialect,
    (struct) => definitionName(source.protoPackage(struct), struct.name.slice(struct.name.lastIndexOf('.') + 1)),
    (struct) => kinds.get(struct.name) ?? [],
  )
  const foreign = publishedSchemas(served)
  const references = kindReferences(source, writer, kinds, foreign)
  const paths: Record<string, Json> = {}
  for (const { group, one } of served) {
    const gv: GroupVersion = { group: group.name, version: one.version }
    for (const resource of one.resources) Object.assign(paths, resourcePaths(gv, resource, references, dialect))
    references.kind({ ...gv, kind: 'WatchEvent' })
  }
  const patch = {
    [patchDefinition]: { description: 'A change to an object; its media type says of what sort.', type: 'object' },
  }
  return {
    paths: sorted(paths),
    definitions: sorted({ ...foreignDefinitions(source, writer, foreign, dialect), ...writer.definitions(), ...patch }),
  }
}

/** References to kinds, which also record the kinds of each definition (x-kubernetes-group-version-kind). */
function kindReferences(
  source: OpenApiSource,
  writer: SchemaWriter,
  kinds: Map<string, Json[]>,
  foreign: ReadonlyMap<string, Published>,
): KindReferences {
  return {
    kind(gvk) {
      if (gvk.kind === 'Patch') return writer.referenceTo(patchDefinition)
      // Options belong to every group version; Status belongs to the core group.
      const published = foreign.get(formatGroupVersionKind(gvk))
      if (published) return writer.referenceTo(published.name)
      const named = gvk.group === 'meta.k8s.io' ? { group: '', version: 'v1', kind: gvk.kind } : gvk
      // A group without tables uses the options that all groups share.
      const home = source.struct(named) ? named : { group: '', version: 'v1', kind: gvk.kind }
      const struct = source.struct(home)
      if (!struct) return undefined
      const entry = { group: home.group, kind: home.kind, version: home.version }
      const known = kinds.get(struct.name) ?? []
      if (!known.some((one) => one['group'] === entry.group && one['version'] === entry.version))
        kinds.set(struct.name, [...known, entry])
      return writer.reference(struct)
    },
  }
}

/** A kind without a table, or the kind of its lists. */
interface Published {
  readonly name: string
  readonly gvk: GroupVersionKind
  readonly schema: PublishedSchema
  readonly isList: boolean
}

function publishedSchemas(served: readonly { group: ServedGroup; one: ServedVersion }[]): Map<string, Published> {
  const found = new Map<string, Published>()
  for (const { group, one } of served)
    for (const { table, published: schema } of one.resources) {
      if (!schema) continue
      const gvk = { group: group.name, version: one.version, kind: table.kind }
      const listGvk = { ...gvk, kind: table.listKind ?? `${table.kind}List` }
      found.set(formatGroupVersionKind(gvk), { name: schema.name, gvk, schema, isList: false })
      found.set(formatGroupVersionKind(listGvk), { name: `${schema.name}List`, gvk: listGvk, schema, isList: true })
    }
  return found
}

function foreignDefinitions(
  source: OpenApiSource,
  writer: SchemaWriter,
  foreign: ReadonlyMap<string, Published>,
  dialect: Dialect,
): Record<string, Json> {
  const definitions: Record<string, Json> = {}
  const reference = (type: string): Json => writer.reference(source.type(type))
  for (const { name, gvk, schema, isList } of foreign.values()) {
    const kind = { 'x-kubernetes-group-version-kind': [{ group: gvk.group, kind: gvk.kind, version: gvk.version }] }
    const definition = isList
      ? listDefinition(gvk.kind, writer.referenceTo(schema.name), reference('meta/v1.ListMeta'))
      : schema.definition(dialect, reference)
    definitions[name] = { ...definition, ...kind }
  }
  return definitions
}

function listDefinition(kind: string, item: Json, metadata: Json): Json {
  return {
    description: `${kind} is a list of ${kind.replace(/List$/, '')}`,
    type: 'object',
    required: ['items'],
    properties: { ...typeMetaProperties, items: { type: 'array', items: item }, metadata },
  }
}

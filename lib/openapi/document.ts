import type { GroupVersion, GroupVersionKind } from '../object/index.ts'
import type { ServedGroup, ServedVersion, StructType } from '../schema/index.ts'
import { definitionName } from './names.ts'
import { type KindReferences, resourcePaths } from './operations.ts'
import { createSchemaWriter, type Dialect, type Json, type SchemaWriter, sorted } from './schemas.ts'

/** Where documents come from. */
export interface OpenApiSource {
  /** Groups as they are served now. */
  groups(): readonly ServedGroup[]
  /** The type of a kind, options of every group version among them; undefined when unknown. */
  struct(gvk: GroupVersionKind): StructType | undefined
  /** Protobuf package of a struct: `k8s.io.api.core.v1`. */
  protoPackage(struct: StructType): string
}

const patchDefinition = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch'
const info = (version: string): Json => ({ title: 'Kubernetes', version })
const bearer = {
  BearerToken: { description: 'Bearer token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
}

/** The whole API in OpenAPI 2.0. `version` is the release, `v1.33.0`. */
export function openApiV2(source: OpenApiSource, version: string): Json {
  const served = source.groups().flatMap((group) => group.versions.map((one) => ({ group, one })))
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
  const references = kindReferences(source, writer, kinds)
  const paths: Record<string, Json> = {}
  for (const { group, one } of served) {
    const gv: GroupVersion = { group: group.name, version: one.version }
    for (const resource of one.resources) Object.assign(paths, resourcePaths(gv, resource, references, dialect))
    references.kind({ ...gv, kind: 'WatchEvent' })
  }
  const patch = {
    [patchDefinition]: { description: 'A change to an object; its media type says of what sort.', type: 'object' },
  }
  return { paths: sorted(paths), definitions: sorted({ ...writer.definitions(), ...patch }) }
}

/** References to kinds that note which kinds each definition stands for (x-kubernetes-group-version-kind). */
function kindReferences(source: OpenApiSource, writer: SchemaWriter, kinds: Map<string, Json[]>): KindReferences {
  return {
    kind(gvk) {
      if (gvk.kind === 'Patch') return writer.referenceTo(patchDefinition)
      // Options belong to every group version; Status is known as the core group's.
      const home = gvk.group === 'meta.k8s.io' ? { group: '', version: 'v1', kind: gvk.kind } : gvk
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

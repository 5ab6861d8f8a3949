import type * as v1 from '../../api/gen/apiextensions.k8s.io/v1.ts'
import type { Entry } from '../cache/index.ts'
import { largeBytesMin } from '../codec/index.ts'
import { type ApiObject, deepEqual } from '../object/index.ts'
import type { ResourceTable } from '../schema/index.ts'
import { textOf } from './columns.ts'
import {
  asDefinition,
  conditionOf,
  type Definition,
  isServed,
  isTerminating,
  isTrue,
  type Names,
  statusOf,
  storageVersionOf,
  type Version,
} from './definition/definition.ts'
import { hasLargeDefaults } from './definition/largedefaults.ts'
import { type JsonPath, parseJsonPath } from './jsonpath.ts'

/** The parts of a definition that serving works with, without its schemas: they are read from the entry on demand. */
export interface DefinitionSummary {
  readonly name: string
  readonly uid: string
  readonly generation: number
  readonly group: string
  readonly namespaced: boolean
  readonly names: Names
  readonly acceptedNames: Names
  readonly isServed: boolean
  readonly isEstablished: boolean
  readonly isTerminating: boolean
  readonly namesConflict: boolean
  readonly storageVersion: string
  /** The versions without their schemas. */
  readonly versions: readonly Version[]
  /** Names of the versions whose defaults make any object a large one. */
  readonly largeDefaults: readonly string[]
  readonly sharedSchema: boolean
  readonly preserveUnknownFields: boolean
  /** Converts objects between versions; undefined: only their apiVersion differs. */
  readonly webhook: v1.WebhookConversion | undefined
  readonly selectableFields: Readonly<Record<string, (object: ApiObject) => string>> | undefined
  /** Paths of everything that the selectable fields read. */
  readonly selectableReads: readonly string[]
  readonly entry: Entry
}

export function summaryOf(definition: Definition, entry: Entry): DefinitionSummary {
  const { metadata, spec } = definition
  const versions = spec.versions ?? []
  const [first] = versions
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    group: spec.group,
    namespaced: spec.scope === 'Namespaced',
    names: spec.names,
    acceptedNames: statusOf(definition).acceptedNames ?? { plural: '', kind: '' },
    isServed: isServed(definition),
    isEstablished: isTrue(definition, 'Established'),
    isTerminating: isTerminating(definition),
    namesConflict: conditionOf(definition, 'NamesAccepted')?.status === 'False',
    storageVersion: storageVersionOf(definition),
    versions: versions.map(({ schema: _, ...version }) => version),
    largeDefaults: largeDefaultsOf(versions, entry),
    sharedSchema: versions.every(({ schema }) => deepEqual(schema, first?.schema)),
    preserveUnknownFields: spec.preserveUnknownFields === true,
    webhook: spec.conversion?.strategy === 'Webhook' ? spec.conversion.webhook : undefined,
    selectableFields: selectableFieldsOf(versions),
    selectableReads: selectablePathsOf(versions).map(({ path }) => path.below),
    entry,
  }
}

/** Skips small definitions, which have none. */
function largeDefaultsOf(versions: readonly Version[], { stored }: Entry): string[] {
  if (stored.length < largeBytesMin) return []
  return versions.filter(({ schema }) => hasLargeDefaults(schema?.openAPIV3Schema)).map(({ name }) => name)
}

/** A stored version with its schema. */
export function versionOf({ entry }: DefinitionSummary, name: string): Version | undefined {
  return asDefinition(entry.object()).spec.versions?.find((version) => version.name === name)
}

/** The selectable fields of all versions: stored objects are selected by them, whatever the version. */
function selectableFieldsOf(versions: readonly Version[]): DefinitionSummary['selectableFields'] {
  const found: Record<string, (object: ApiObject) => string> = {}
  for (const { field, path } of selectablePathsOf(versions))
    found[field] = (object) => {
      const value = path.first(object)
      return value === undefined || value === null ? '' : textOf(value)
    }
  return Object.keys(found).length > 0 ? found : undefined
}

function selectablePathsOf(versions: readonly Version[]): readonly { field: string; path: JsonPath }[] {
  return versions.flatMap(({ selectableFields = [] }) =>
    selectableFields.flatMap(({ jsonPath }) => {
      const path = parseJsonPath(jsonPath)
      return path ? [{ field: jsonPath.replace(/^\./, ''), path }] : []
    }),
  )
}

const allVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const terminatingVerbs = ['delete', 'deletecollection', 'get', 'list', 'watch']
const subresourceVerbs = ['get', 'patch', 'update']

/** A version as a resource table. `hash`: its storage version's, for discovery. */
export function tableOf(summary: DefinitionSummary, version: Version, hash: string): ResourceTable {
  const { names, namespaced, storageVersion } = summary
  const { status, scale } = version.subresources ?? {}
  return {
    kind: names.kind,
    singular: names.singular ?? '',
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: allVerbs,
    storageVersion,
    storageVersionHash: hash,
    conditionalUpdateOnly: true,
    fieldSelectors: [
      'metadata.name',
      ...(namespaced ? ['metadata.namespace'] : []),
      ...(version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
    ],
    ...(status ? { resetFields: { '': ['status'] }, onlyFields: { status: ['status'] } } : {}),
    subresources: {
      ...(status ? { status: { kind: names.kind, verbs: subresourceVerbs } } : {}),
      ...(scale ? { scale: { kind: 'Scale', groupVersion: 'autoscaling/v1', verbs: subresourceVerbs } } : {}),
    },
  }
}

/** Discovery's entry of the resource; while the definition is terminating, with the verbs to read and delete only. */
export function listedTableOf(summary: DefinitionSummary, table: ResourceTable): ResourceTable {
  return summary.isTerminating ? { ...table, verbs: terminatingVerbs } : table
}

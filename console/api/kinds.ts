import { signal } from '@preact/signals'
import { isRecord, records, text } from '../state/values.ts'
import { readJson } from './session.ts'

export { records, text } from '../state/values.ts'

/** A served resource. */
export interface Kind {
  /** '' for the core group. */
  readonly group: string
  readonly version: string
  /** Plural name in URLs. */
  readonly resource: string
  readonly kind: string
  readonly shortNames: readonly string[]
  readonly namespaced: boolean
  readonly verbs: ReadonlySet<string>
  readonly subresources: ReadonlySet<string>
}

/** Every served kind in the version that its group prefers; empty until they are read. */
export const kinds = signal<readonly Kind[]>([])

const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Reads them again. Throws ApiError. */
export async function readKinds(): Promise<void> {
  const [core, named] = await Promise.all([readGroups('/api'), readGroups('/apis')])
  kinds.value = [...core, ...named]
}

async function readGroups(path: string): Promise<Kind[]> {
  const { items } = await readJson(path, { accept: discovery })
  return records(items).flatMap(kindsOfGroup)
}

/** A resource that several versions have is named once, in the first: the group prefers it. */
function kindsOfGroup(group: Record<string, unknown>): Kind[] {
  const metadata = isRecord(group['metadata']) ? group['metadata'] : {}
  const found = new Map<string, Kind>()
  for (const version of records(group['versions']))
    for (const resource of records(version['resources'])) {
      const kind = toKind(text(metadata['name']), text(version['version']), resource)
      if (!found.has(kind.resource)) found.set(kind.resource, kind)
    }
  return [...found.values()]
}

function toKind(group: string, version: string, resource: Record<string, unknown>): Kind {
  const responseKind = isRecord(resource['responseKind']) ? resource['responseKind'] : {}
  return {
    group,
    version,
    resource: text(resource['resource']),
    kind: text(responseKind['kind']),
    shortNames: texts(resource['shortNames']),
    namespaced: resource['scope'] === 'Namespaced',
    verbs: new Set(texts(resource['verbs'])),
    subresources: new Set(records(resource['subresources']).map((each) => text(each['subresource']))),
  }
}

/** The kind of this group and resource. */
export function findKind(group: string, resource: string): Kind | undefined {
  return kinds.value.find((kind) => kind.group === group && kind.resource === resource)
}

/** The kind of an object's apiVersion and kind, as owner references name it. */
export function findKindOf(apiVersion: string, name: string): Kind | undefined {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
  return kinds.value.find((kind) => kind.group === group && kind.kind === name)
}

/** The path of a collection; `namespace` '' is all of them. */
export function collectionPath(kind: Kind, namespace: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const scope = kind.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${scope}/${kind.resource}`
}

/** The path of one object. */
export function objectPath(kind: Kind, namespace: string, name: string): string {
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

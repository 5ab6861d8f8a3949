import type { ServedResource, ServedVersion } from '../schema/index.ts'
import type { ListedGroup } from './contract.ts'

type Json = Record<string, unknown>

const formatGroupVersion = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`)

/** `/api`: the versions of the core group. `serverAddress` is `host:port`, for clients that reach no other. */
export function apiVersions(core: ListedGroup | undefined, serverAddress: string): Json {
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

/** `/apis`: all groups but the core one. */
export function apiGroupList(groups: readonly ListedGroup[]): Json {
  const named = groups.filter((group) => group.name !== '')
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(groupEntry) }
}

/** `/apis/{group}`. */
export function apiGroup(group: ListedGroup): Json {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry(group: ListedGroup): Json {
  const versions = group.versions.map(({ version }) => ({
    groupVersion: formatGroupVersion(group.name, version),
    version,
  }))
  return { name: group.name, versions, preferredVersion: versions[0] }
}

/** `/api/v1`, `/apis/{group}/{version}`: resources and subresources in alphabetical order. */
export function apiResourceList(group: ListedGroup, version: ServedVersion): Json {
  const resources = version.resources.flatMap(resourceEntries).sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    kind: 'APIResourceList',
    ...(group.name === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: formatGroupVersion(group.name, version.version),
    resources,
  }
}

function resourceEntries({ plural, table }: ServedResource): { name: string }[] {
  const subresources = Object.entries(table.subresources ?? {}).map(([name, subresource]) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced: table.namespaced,
    ...foreignGroupVersion(subresource.groupVersion),
    kind: subresource.kind,
    verbs: [...subresource.verbs].sort(),
  }))
  const resource = {
    name: plural,
    singularName: table.singular,
    namespaced: table.namespaced,
    kind: table.kind,
    verbs: [...table.verbs].sort(),
    ...(table.shortNames?.length ? { shortNames: [...table.shortNames] } : {}),
    ...(table.categories?.length ? { categories: [...table.categories] } : {}),
    ...(table.storageVersionHash === undefined ? {} : { storageVersionHash: table.storageVersionHash }),
  }
  return [resource, ...subresources]
}

/** Group and version of a subresource whose kind is in another group version: `autoscaling/v1` of a scale. */
function foreignGroupVersion(groupVersion: string | undefined): Json {
  if (groupVersion === undefined) return {}
  const slash = groupVersion.indexOf('/')
  if (slash < 0) return { version: groupVersion }
  return { group: groupVersion.slice(0, slash), version: groupVersion.slice(slash + 1) }
}

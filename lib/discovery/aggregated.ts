import type { ServedResource, ServedVersion } from '../schema/index.ts'
import { isServedHere, type ListedGroup, type RemoteVersion } from './contract.ts'

type Json = Record<string, unknown>

/** Versions of apidiscovery.k8s.io in which the aggregated document is available. */
export type AggregatedVersion = 'v2' | 'v2beta1'

/**
 * The APIGroupDiscoveryList of `/api` (the core group alone) or `/apis` (all others): every group with its versions and
 * resources in one answer.
 */
export function apiGroupDiscoveryList(groups: readonly ListedGroup[], version: AggregatedVersion): Json {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(groupItem),
  }
}

function groupItem(group: ListedGroup): Json {
  return {
    metadata: group.name === '' ? {} : { name: group.name },
    versions: group.versions.map((one) => {
      const { version, remoteResources, freshness } = isServedHere(one) ? asRemoteVersion(group.name, one) : one
      return { version, resources: remoteResources, freshness }
    }),
  }
}

/** A version of this server, in the form of other servers' versions. */
export function asRemoteVersion(group: string, { version, resources }: ServedVersion): RemoteVersion {
  const remoteResources = [...resources]
    .sort((a, b) => (a.plural < b.plural ? -1 : 1))
    .map((resource) => resourceItem(group, version, resource))
  return { version, remoteResources, freshness: 'Current' }
}

function resourceItem(group: string, version: string, { plural, table }: ServedResource): Json {
  const subresources = Object.entries(table.subresources ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, subresource]) => ({
      subresource: name,
      responseKind: { ...kindHome(subresource.groupVersion, group, version), kind: subresource.kind },
      verbs: [...subresource.verbs].sort(),
    }))
  return {
    resource: plural,
    responseKind: { group, version, kind: table.kind },
    scope: table.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: table.singular,
    verbs: [...table.verbs].sort(),
    ...(table.shortNames?.length ? { shortNames: [...table.shortNames] } : {}),
    ...(table.categories?.length ? { categories: [...table.categories] } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  }
}

function kindHome(
  groupVersion: string | undefined,
  group: string,
  version: string,
): { group: string; version: string } {
  if (groupVersion === undefined) return { group, version }
  const slash = groupVersion.indexOf('/')
  return { group: groupVersion.slice(0, Math.max(slash, 0)), version: groupVersion.slice(slash + 1) }
}

import { asRemoteVersion, isServedHere, type ListedGroup, type RemoteVersion } from '../discovery/index.ts'
import { compareVersions } from '../schema/index.ts'

/** Groups of another replica. */
export interface PeerGroup {
  readonly name: string
  readonly versions: readonly RemoteVersion[]
}

/**
 * This server's groups and all further ones of others: groups after its own, by name; versions in the order of
 * preference; resources of a version that both serve by name. This server describes a resource that both serve.
 */
export function unionOf(own: readonly ListedGroup[], peers: readonly (readonly PeerGroup[])[]): readonly ListedGroup[] {
  const groups = new Map(own.map((group) => [group.name, group]))
  for (const peer of peers)
    for (const group of peer) {
      if (group.name === '') continue
      const known = groups.get(group.name)
      groups.set(group.name, known ? withVersions(known, group.versions) : group)
    }
  const names = new Set(own.map(({ name }) => name))
  const added = [...groups.values()].filter(({ name }) => !names.has(name))
  added.sort((a, b) => (a.name < b.name ? -1 : 1))
  return [...own.map((group) => groups.get(group.name) ?? group), ...added]
}

function withVersions(group: ListedGroup, others: readonly RemoteVersion[]): ListedGroup {
  const versions = [...group.versions]
  for (const other of others) {
    const at = versions.findIndex(({ version }) => version === other.version)
    const known = versions[at]
    if (known) versions[at] = withResources(group.name, known, other)
    else versions.push(other)
  }
  // The order of this server's own versions is configured.
  if (versions.length > group.versions.length) versions.sort((a, b) => compareVersions(a.version, b.version))
  return { name: group.name, versions }
}

type Version = ListedGroup['versions'][number]

function withResources(group: string, known: Version, other: RemoteVersion): Version {
  const names = new Set(resourceNames(known))
  const more = other.remoteResources.filter(({ resource }) => !names.has(String(resource)))
  if (more.length === 0) return known
  const own = isServedHere(known) ? asRemoteVersion(group, known) : known
  const resources = [...own.remoteResources, ...more]
  resources.sort((a, b) => (String(a['resource']) < String(b['resource']) ? -1 : 1))
  return { ...own, remoteResources: resources }
}

/** The plural names of a version's resources. */
export function resourceNames(version: Version): string[] {
  return isServedHere(version)
    ? version.resources.map(({ plural }) => plural)
    : version.remoteResources.map(({ resource }) => String(resource))
}

import type { ListedGroup, RemoteVersion } from '../discovery/index.ts'
import type { GroupVersion } from '../object/index.ts'
import { compareVersions, type ServedGroup, type ServedVersion } from '../schema/index.ts'
import { type ApiService, serviceName, specOf } from './apiservice.ts'

/** Priorities of a group and its versions in discovery; higher ones come first. */
export interface GroupPriorities {
  readonly group: number
  readonly versions: Readonly<Record<string, number>>
}

/** The priorities of group versions of custom resources. */
export const customPriorities = { groupPriorityMinimum: 1000, versionPriority: 100 } as const
/** The priority of a version that is not in the table. */
const versionPriorityDefault = 1

export function priorityOf(
  table: ReadonlyMap<string, GroupPriorities>,
  { group, version }: GroupVersion,
): { groupPriorityMinimum: number; versionPriority: number } {
  const known = table.get(group)
  if (!known) return customPriorities
  return {
    groupPriorityMinimum: known.group,
    versionPriority: known.versions[version] ?? versionPriorityDefault,
  }
}

/** This group is before all others. */
const firstGroup = 'apiregistration.k8s.io'

/**
 * The groups of this server and of the others as one list, in the order of their APIServices' priorities. A group
 * version of another server replaces one of this server's own. Groups of this server are included even without an
 * APIService: clients must find them while the objects are still being created.
 */
export function mergeGroups(
  own: readonly ServedGroup[],
  remote: readonly { readonly at: GroupVersion; readonly version: RemoteVersion }[],
  services: ReadonlyMap<string, ApiService>,
  table: ReadonlyMap<string, GroupPriorities>,
): readonly ListedGroup[] {
  const groups = new Map<string, Map<string, ServedVersion | RemoteVersion>>()
  const put = (name: string, one: ServedVersion | RemoteVersion): void => {
    let versions = groups.get(name)
    if (!versions) groups.set(name, (versions = new Map()))
    versions.set(one.version, one)
  }
  for (const { name, versions } of own) for (const one of versions) put(name, one)
  for (const { at, version } of remote) put(at.group, version)

  const ranks = (at: GroupVersion): { groupPriorityMinimum: number; versionPriority: number } => {
    const service = services.get(serviceName(at))
    return service ? specOf(service) : priorityOf(table, at)
  }
  return [...groups]
    .map(([name, versions]) => {
      const ranked = [...versions.values()].map((one) => ({ one, ...ranks({ group: name, version: one.version }) }))
      ranked.sort((a, b) => b.versionPriority - a.versionPriority || compareVersions(a.one.version, b.one.version))
      const names = [...versions.keys()].map((version) => serviceName({ group: name, version })).sort()
      return {
        group: { name, versions: ranked.map(({ one }) => one) },
        priority: name === firstGroup ? Infinity : Math.max(...ranked.map((one) => one.groupPriorityMinimum)),
        firstName: names[0] ?? '',
      }
    })
    .sort((a, b) => b.priority - a.priority || (a.firstName < b.firstName ? -1 : 1))
    .map(({ group }) => group)
}

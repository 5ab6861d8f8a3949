import type { ApiObject } from '../object/index.ts'
import type { ServedGroup } from '../schema/index.ts'
import { type ApiService, asApiService, automanagedLabel, serviceName, specOf } from './apiservice.ts'
import { customPriorities, type GroupPriorities, priorityOf } from './priorities.ts'

/** Writes that update the stored APIServices to this server's own group versions. */
export interface Registrations {
  readonly create: readonly ApiService[]
  readonly update: readonly ApiService[]
  /** Names. */
  readonly remove: readonly string[]
}

type Managed = 'onstart' | 'true'

/**
 * Plans the registration of this server's own group versions. APIServices of
 * built-in kinds are only corrected when a server starts (`atStart`): a user's edit or deletion stays until the next
 * start. APIServices of custom resources are always corrected.
 * Objects without the label belong to a user and are never changed.
 */
export function planRegistrations(
  served: readonly ServedGroup[],
  stored: ReadonlyMap<string, ApiService>,
  table: ReadonlyMap<string, GroupPriorities>,
  atStart: boolean,
): Registrations {
  const wanted = new Map(wantedServices(served, table).map((service) => [service.metadata.name ?? '', service]))
  const create: ApiService[] = []
  const update: ApiService[] = []
  for (const [name, service] of wanted) {
    if (managedOf(service) === 'onstart' && !atStart) continue
    const known = stored.get(name)
    if (!known) create.push(service)
    else if (managedOf(known) !== undefined && !isSame(known, service)) update.push(service)
  }
  const remove = [...stored]
    .filter(([name, service]) => {
      const managed = managedOf(service)
      return !wanted.has(name) && (managed === 'true' || (managed === 'onstart' && atStart))
    })
    .map(([name]) => name)
  return { create, update, remove }
}

function wantedServices(served: readonly ServedGroup[], table: ReadonlyMap<string, GroupPriorities>): ApiService[] {
  return served.flatMap(({ name: group, versions }) =>
    versions.map(({ version, resources }) => {
      const isCustom = resources.some(({ published }) => published !== undefined)
      const at = { group, version }
      const ranks = isCustom ? customPriorities : priorityOf(table, at)
      return asApiService({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: serviceName(at), labels: { [automanagedLabel]: isCustom ? 'true' : 'onstart' } },
        spec: { group, version, ...ranks },
      } as ApiObject)
    }),
  )
}

function managedOf({ metadata }: ApiService): Managed | undefined {
  const label = metadata?.labels?.[automanagedLabel]
  return label === 'onstart' || label === 'true' ? label : undefined
}

function isSame(a: ApiService, b: ApiService): boolean {
  const [mine, theirs] = [specOf(a), specOf(b)]
  return (
    managedOf(a) === managedOf(b) &&
    mine.service === undefined &&
    mine.groupPriorityMinimum === theirs.groupPriorityMinimum &&
    mine.versionPriority === theirs.versionPriority
  )
}

import type { Client } from '../client/index.ts'
import {
  type ApiObject,
  formatGroupVersion,
  parseGroupVersion,
  type ResourceType,
  resourceType,
} from '../object/index.ts'

/** A resource of the server's discovery documents. */
export interface DiscoveredResource extends ResourceType {
  readonly verbs: readonly string[]
}

export interface Discovery {
  /** Each in the version that its group prefers, without subresources. */
  readonly resources: readonly DiscoveredResource[]
  /** The errors of group versions whose resources could not be read. */
  readonly failed: ReadonlyMap<string, Error>
}

interface GroupList {
  readonly groups?: readonly {
    readonly name: string
    readonly versions: readonly { readonly groupVersion: string }[]
    readonly preferredVersion?: { readonly groupVersion: string }
  }[]
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}

interface AggregatedList {
  readonly kind?: string
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string }
    readonly versions?: readonly AggregatedVersion[]
  }[]
}

interface AggregatedVersion {
  readonly version: string
  readonly freshness?: string
  readonly resources?: readonly {
    readonly resource: string
    readonly responseKind?: { readonly kind?: string }
    readonly scope: string
    readonly verbs?: readonly string[]
  }[]
}

interface CallOptions {
  readonly signal?: AbortSignal
}

/** The resources of one group, in the order of its preferred versions. */
type Found = DiscoveredResource[]

const aggregated = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
)
const accept = [...aggregated, 'application/json'].join()

/**
 * Reads the server's discovery: two aggregated documents, or one per group version from a server without those.
 * Rejects where the list of groups can't be read.
 */
export async function discover(client: Client, signal?: AbortSignal): Promise<Discovery> {
  const options = signal ? { signal } : {}
  const failed = new Map<string, Error>()
  // The shapes of the discovery documents.
  const named = (await client.document('/apis', { ...options, accept })) as AggregatedList & GroupList
  const found = isAggregated(named)
    ? [...(await discoverCore(client, options, failed)), ...aggregatedResources(named, failed)]
    : await discoverEach(client, [['v1'], ...rankedVersions(named)], options, failed)
  const known = new Map<string, DiscoveredResource>()
  for (const resource of found) {
    const name = `${resource.group}/${resource.resource}`
    if (!known.has(name)) known.set(name, resource)
  }
  return { resources: [...known.values()], failed }
}

async function discoverCore(client: Client, options: CallOptions, failed: Map<string, Error>): Promise<Found> {
  try {
    const core = (await client.document('/api', { ...options, accept })) as AggregatedList
    if (isAggregated(core)) return aggregatedResources(core, failed)
  } catch (error) {
    failed.set('v1', asError(error))
    return []
  }
  return await discoverEach(client, [['v1']], options, failed)
}

function isAggregated({ kind }: AggregatedList): boolean {
  return kind === 'APIGroupDiscoveryList'
}

function aggregatedResources({ items = [] }: AggregatedList, failed: Map<string, Error>): Found {
  return items.flatMap(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? ''
    return versions.flatMap((served) => {
      if (served.freshness !== 'Stale') return versionResources(group, served)
      const groupVersion = formatGroupVersion({ group, version: served.version })
      failed.set(groupVersion, new Error(`stale GroupVersion discovery: ${groupVersion}`))
      return []
    })
  })
}

function versionResources(group: string, { version, resources = [] }: AggregatedVersion): Found {
  return resources.flatMap(({ resource, responseKind, scope, verbs = [] }) => {
    const kind = responseKind?.kind ?? ''
    // A resource that has subresources only is listed without a kind.
    if (kind === '') return []
    return [{ ...resourceType(group, version, resource, kind, scope === 'Namespaced'), verbs }]
  })
}

function rankedVersions({ groups = [] }: GroupList): string[][] {
  return groups.map(({ versions, preferredVersion }) => {
    const all = versions.map(({ groupVersion }) => groupVersion)
    const preferred = preferredVersion?.groupVersion
    return preferred === undefined ? all : [preferred, ...all.filter((each) => each !== preferred)]
  })
}

async function discoverEach(
  client: Client,
  groups: readonly (readonly string[])[],
  options: CallOptions,
  failed: Map<string, Error>,
): Promise<Found> {
  const read = async (groupVersion: string): Promise<Found> => {
    try {
      return await resourcesOf(client, groupVersion, options)
    } catch (error) {
      failed.set(groupVersion, asError(error))
      return []
    }
  }
  const lists = await Promise.all(groups.map((versions) => Promise.all(versions.map(read))))
  return lists.flat(2)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

async function resourcesOf(client: Client, groupVersion: string, options: CallOptions): Promise<Found> {
  const parsed = parseGroupVersion(groupVersion)
  if (!parsed) return []
  const path = parsed.group === '' ? `/api/${parsed.version}` : `/apis/${groupVersion}`
  const { resources = [] } = (await client.document(path, options)) as ResourceList
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      ...resourceType(parsed.group, parsed.version, name, kind, namespaced),
      verbs,
    }))
}

/** The served types, for controllers that support several versions of one. */
export interface ServedTypes {
  /**
   * The version of a resource that the server prefers among these; undefined: it serves none. Throws where that is
   * unknown.
   */
  pick<T extends ApiObject>(versions: readonly ResourceType<T>[]): ResourceType<T> | undefined
}

/** Rejects as `discover` does. */
export async function discoverTypes(client: Client, signal?: AbortSignal): Promise<ServedTypes> {
  const { resources, failed } = await discover(client, signal)
  return {
    pick(versions) {
      for (const version of versions) {
        const error = failed.get(formatGroupVersion(version))
        if (error) throw error
      }
      return versions.find((version) =>
        resources.some(
          (each) =>
            each.group === version.group && each.resource === version.resource && each.version === version.version,
        ),
      )
    },
  }
}

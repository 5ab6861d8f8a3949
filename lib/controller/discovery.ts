import type { Client } from '../client/index.ts'
import {
  type ApiObject,
  formatGroupVersion,
  parseGroupVersion,
  type ResourceType,
  resourceType,
} from '../object/index.ts'

/** A resource that the server serves, as its discovery says. */
export interface DiscoveredResource extends ResourceType {
  readonly verbs: readonly string[]
}

export interface Discovery {
  /** Each in the version that its group prefers, without subresources. */
  readonly resources: readonly DiscoveredResource[]
  /** Group versions whose resources could not be had, with why. */
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

/** Asks the server what it serves. Rejects when it does not even tell its groups. */
export async function discover(client: Client, signal?: AbortSignal): Promise<Discovery> {
  const options = signal ? { signal } : {}
  // The shape of the discovery documents.
  const { groups = [] } = (await client.document('/apis', { ...options, accept: 'application/json' })) as GroupList
  const ordered = groups.map(({ versions, preferredVersion }) => {
    const all = versions.map(({ groupVersion }) => groupVersion)
    const preferred = preferredVersion?.groupVersion
    return preferred === undefined ? all : [preferred, ...all.filter((each) => each !== preferred)]
  })
  const failed = new Map<string, Error>()
  const read = async (groupVersion: string): Promise<DiscoveredResource[]> => {
    try {
      return await resourcesOf(client, groupVersion, options)
    } catch (error) {
      failed.set(groupVersion, error instanceof Error ? error : new Error(String(error)))
      return []
    }
  }
  const lists = await Promise.all([['v1'], ...ordered].map((versions) => Promise.all(versions.map(read))))
  const known = new Map<string, DiscoveredResource>()
  for (const found of lists.flat(2)) {
    const name = `${found.group}/${found.resource}`
    if (!known.has(name)) known.set(name, found)
  }
  return { resources: [...known.values()], failed }
}

async function resourcesOf(
  client: Client,
  groupVersion: string,
  options: { readonly signal?: AbortSignal },
): Promise<DiscoveredResource[]> {
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

/** The types that a server serves, for controllers that know several versions of one. */
export interface ServedTypes {
  /**
   * The one of these versions of a resource that the server prefers; undefined: it serves none of them. Throws where that
   * could not be learned.
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

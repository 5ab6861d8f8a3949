import type * as core from '../../api/gen/core/v1.ts'
import type * as scheduling from '../../api/gen/scheduling.k8s.io/v1.ts'
import {
  type AvailablePlugin,
  createDefaultTolerationSeconds,
  createPriority,
  createServiceAccountAdmission,
  createStorageObjectInUseProtection,
  createTaintNodesByCondition,
} from '../../lib/admission/index.ts'
import type { Clock, Random } from '../../lib/base/index.ts'
import type { ApiObject, GroupResource } from '../../lib/object/index.ts'
import type { Registry } from '../../lib/registry/index.ts'

const tolerationSeconds = 300

export interface BuiltInServices {
  readonly clock: Clock
  readonly random: Random
  readonly registry: Registry
}

/** Plugins that complete pods, nodes and volumes out of what is cached. */
export function builtInPlugins({ clock, random, registry }: BuiltInServices): AvailablePlugin[] {
  const accounts = readerOf(registry, { group: '', resource: 'serviceaccounts' })
  const priorities = readerOf(registry, { group: 'scheduling.k8s.io', resource: 'priorityclasses' })
  const plugins = [
    () =>
      createServiceAccountAdmission({
        clock,
        random,
        cached: (namespace, name) => accounts.cached(namespace, name) as core.ServiceAccount | undefined,
        live: async (namespace, name, signal) =>
          (await accounts.live(namespace, name, signal)) as core.ServiceAccount | undefined,
      }),
    createTaintNodesByCondition,
    () =>
      createPriority({
        find: async (name, signal) =>
          (priorities.cached('', name) ?? (await priorities.live('', name, signal))) as
            | scheduling.PriorityClass
            | undefined,
        all: async (signal) => (await priorities.all(signal)) as unknown as scheduling.PriorityClass[],
      }),
    () => createDefaultTolerationSeconds({ notReadySeconds: tolerationSeconds, unreachableSeconds: tolerationSeconds }),
    createStorageObjectInUseProtection,
  ]
  return plugins.map((create) => ({ name: create().name, onByDefault: true, create }))
}

interface Reader {
  cached(namespace: string, name: string): ApiObject | undefined
  live(namespace: string, name: string, signal: AbortSignal): Promise<ApiObject | undefined>
  all(signal: AbortSignal): Promise<ApiObject[]>
}

function readerOf(registry: Registry, of: GroupResource): Reader {
  const stored = registry.resource(of)
  return {
    cached: (namespace, name) => stored?.cache.peek(stored.target(namespace, name).key)?.object(),
    async live(namespace, name, signal) {
      const at = { kind: 'latest' } as const
      return (await stored?.cache.get(stored.target(namespace, name).key, { at, signal }))?.entry?.object()
    },
    async all(signal) {
      const found = await stored?.cache.list({ ...stored.range(''), at: { kind: 'any' }, signal })
      return found?.entries.map((entry) => entry.object()) ?? []
    },
  }
}

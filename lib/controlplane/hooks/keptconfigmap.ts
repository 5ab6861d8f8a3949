import type { Closable } from '../../base/index.ts'
import { type ApiObject, semanticEqual } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { ownContext } from './ownwrites.ts'

const namespace = 'kube-system'

export type ConfigMapData = Readonly<Record<string, string>>

/** A ConfigMap in kube-system by which servers publish data. */
interface KeptConfigMap {
  readonly name: string
  /** The name of its post-start hook. */
  readonly hook: string
  readonly refreshMs: number
  /** The map's new data, given its present data `found` ({} when it does not exist). Equal data is not written. */
  data(found: ConfigMapData): ConfigMapData
  /** Calls `again` when there is new data before the next period. */
  readonly onChange?: (again: () => void) => Closable
}

/** Creates the ConfigMap at the start, and corrects it from time to time. All replicas do, each with its own data. */
export function keepConfigMap(
  services: HookServices & { registry: Registry },
  { name, hook, refreshMs, data, onChange }: KeptConfigMap,
): Hook {
  return createHook(services, {
    name: hook,
    repeatMs: refreshMs,
    retry: 'in-background',
    follow: onChange,
    async run(signal) {
      const configMaps = services.registry.resource({ group: '', resource: 'configmaps' })
      if (!configMaps) return
      const target = configMaps.target(namespace, name)
      const merged = (found: ApiObject | undefined): ApiObject => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        ...found,
        metadata: found ? { ...found.metadata } : { name, namespace },
        data: { ...data((found?.['data'] ?? {}) as ConfigMapData) },
      })
      const known = configMaps.cache.peek(target.key)?.object()
      if (known && semanticEqual(known['data'] ?? {}, merged(known)['data'])) return
      await configMaps.update(
        target,
        { subresource: '', createMissing: true, transform: (found) => merged(found?.object) },
        ownContext(signal),
      )
    },
  })
}

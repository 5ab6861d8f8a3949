import {
  type AvailablePlugin,
  createAlwaysAdmit,
  createAlwaysDeny,
  createAlwaysPullImages,
  createDenyServiceExternalIps,
  createExtendedResourceToleration,
  createLimitPodHardAntiAffinityTopology,
  createNamespaceExists,
} from '../../admission/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import { createStoredReader } from './storedreader.ts'

/** Plugins that are off by default. */
export function optionalPlugins({ registry }: { registry: Registry }): AvailablePlugin[] {
  const namespaces = createStoredReader<ApiObject>(registry, { group: '', resource: 'namespaces' })
  const plugins = [
    createAlwaysAdmit,
    createAlwaysDeny,
    createAlwaysPullImages,
    createDenyServiceExternalIps,
    createExtendedResourceToleration,
    createLimitPodHardAntiAffinityTopology,
    () => createNamespaceExists({ find: (name, signal) => namespaces.find('', name, signal) }),
  ]
  return plugins.map((create) => ({ name: create().name, onByDefault: false, create }))
}

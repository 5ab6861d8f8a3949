import type { Registry } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { createMissing, ownContext } from './ownwrites.ts'

const names = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** Creates the default namespaces, and creates them again when they have been deleted. */
export function createSystemNamespaces(services: HookServices & { registry: Registry; scheme: Scheme }): Hook {
  function ensure(name: string, signal: AbortSignal): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    return createMissing(services, { group: '', resource: 'namespaces' }, object, ownContext(signal))
  }

  return createHook(services, {
    name: 'start-system-namespaces-controller',
    repeatMs: 60_000,
    retry: 'before-ready',
    giveUpMs: 30_000,
    async run(signal) {
      await Promise.all(names.map((name) => ensure(name, signal)))
    },
  })
}

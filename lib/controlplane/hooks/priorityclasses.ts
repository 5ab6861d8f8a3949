import { systemPriorityClasses } from '../../kinds/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { createMissing, ownContext } from './ownwrites.ts'

/** Creates the priority classes of the system's own pods. */
export function createSystemPriorityClasses(services: HookServices & { registry: Registry; scheme: Scheme }): Hook {
  function ensure(name: string, wanted: { value: number; description: string }, signal: AbortSignal): Promise<void> {
    const { value, description } = wanted
    const kind = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' }
    const object = { ...kind, metadata: { name }, value, description }
    const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' }
    return createMissing(services, resource, object, ownContext(signal))
  }

  return createHook(services, {
    name: 'scheduling/bootstrap-system-priority-classes',
    retry: 'before-ready',
    giveUpMs: 30_000,
    async run(signal) {
      await Promise.all([...systemPriorityClasses].map(([name, wanted]) => ensure(name, wanted, signal)))
    },
  })
}

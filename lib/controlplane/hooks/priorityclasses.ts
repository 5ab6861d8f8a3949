import type { Closable } from '../../base/index.ts'
import { systemPriorityClasses } from '../../kinds/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import type { PostStartHook } from '../../server/index.ts'
import { createMissing, ownContext } from '../ownwrites.ts'

/** Makes the priority classes that the pods of every cluster may name. */
export function createSystemPriorityClasses(services: {
  registry: Registry
  scheme: Scheme
}): PostStartHook & Closable {
  const closing = new AbortController()
  const context = ownContext(closing.signal)

  function ensure(name: string, { value, description }: { value: number; description: string }): Promise<void> {
    const kind = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' }
    const object = { ...kind, metadata: { name }, value, description }
    return createMissing(services, { group: 'scheduling.k8s.io', resource: 'priorityclasses' }, object, context)
  }

  return {
    name: 'scheduling/bootstrap-system-priority-classes',
    async run() {
      await Promise.all([...systemPriorityClasses].map(([name, wanted]) => ensure(name, wanted)))
    },
    close: () => closing.abort(new Error('the server stops')),
  }
}

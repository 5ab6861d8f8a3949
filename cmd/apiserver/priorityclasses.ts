import type { Closable } from '../../lib/base/index.ts'
import { systemPriorityClasses } from '../../lib/kinds/index.ts'
import { type ApiObject, StatusError } from '../../lib/object/index.ts'
import type { Registry, WriteContext } from '../../lib/registry/index.ts'
import { authenticatedGroup, mastersGroup } from '../../lib/request/index.ts'
import type { Scheme } from '../../lib/scheme/index.ts'
import type { PostStartHook } from '../../lib/server/index.ts'

/** Makes the priority classes that the pods of every cluster may name. */
export function createSystemPriorityClasses({
  registry,
  scheme,
}: {
  registry: Registry
  scheme: Scheme
}): PostStartHook & Closable {
  const closing = new AbortController()
  const context: WriteContext = {
    user: { name: 'system:apiserver', uid: '', groups: [mastersGroup, authenticatedGroup], extra: {} },
    dryRun: false,
    signal: closing.signal,
    warn() {},
  }

  async function ensure(name: string, { value, description }: { value: number; description: string }): Promise<void> {
    const classes = registry.resource({ group: 'scheduling.k8s.io', resource: 'priorityclasses' })
    if (!classes || classes.cache.peek(classes.target('', name).key)) return
    const object: ApiObject = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
    }
    scheme.applyDefaults(object)
    try {
      await classes.create(object, context)
    } catch (error) {
      // Another replica was first.
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
    }
  }

  return {
    name: 'scheduling/bootstrap-system-priority-classes',
    async run() {
      await Promise.all([...systemPriorityClasses].map(([name, wanted]) => ensure(name, wanted)))
    },
    close: () => closing.abort(new Error('the server stops')),
  }
}

import type { Clock, Closable, Logger } from '../../lib/base/index.ts'
import { type ApiObject, StatusError } from '../../lib/object/index.ts'
import type { Registry, WriteContext } from '../../lib/registry/index.ts'
import { authenticatedGroup, mastersGroup } from '../../lib/request/index.ts'
import type { Scheme } from '../../lib/scheme/index.ts'
import type { PostStartHook } from '../../lib/server/index.ts'

const names = ['default', 'kube-system', 'kube-public', 'kube-node-lease']
const periodMs = 60_000

/** Makes the namespaces that every cluster has, and again when somebody deletes one. */
export function createSystemNamespaces({
  clock,
  log,
  registry,
  scheme,
}: {
  clock: Clock
  log: Logger
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
  let timer: Closable | undefined

  async function ensure(name: string): Promise<void> {
    const namespaces = registry.resource({ group: '', resource: 'namespaces' })
    if (!namespaces || namespaces.cache.peek(namespaces.target('', name).key)) return
    const namespace: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    scheme.applyDefaults(namespace)
    try {
      await namespaces.create(namespace, context)
    } catch (error) {
      // Another replica, or this one a while ago: the cache may be behind.
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
    }
  }

  async function ensureAll(): Promise<void> {
    await Promise.all(names.map(ensure))
  }

  return {
    name: 'start-system-namespaces-controller',
    async run() {
      await ensureAll()
      timer = clock.every(periodMs, () => {
        ensureAll().catch((error: unknown) => {
          if (!closing.signal.aborted) log.warn('system namespaces could not be made', { error })
        })
      })
    },
    async close() {
      closing.abort(new Error('the server stops'))
      await timer?.close()
    },
  }
}

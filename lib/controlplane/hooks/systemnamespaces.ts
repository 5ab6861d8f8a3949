import type { Clock, Closable, Logger } from '../../base/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import type { PostStartHook } from '../../server/index.ts'
import { createMissing, ownContext } from '../ownwrites.ts'

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
  const context = ownContext(closing.signal)
  let timer: Closable | undefined

  function ensure(name: string): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    return createMissing({ registry, scheme }, { group: '', resource: 'namespaces' }, object, context)
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

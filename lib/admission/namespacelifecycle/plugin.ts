import { type Clock, createTtlCache } from '../../base/index.ts'
import { type ApiObject, type StatusError, statusErrors } from '../../object/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

interface NamespaceLifecycleDependencies {
  readonly clock: Clock
  /** The namespace in a cache; undefined: it is not there. */
  cached(name: string): ApiObject | undefined
  /** The namespace in the store. */
  live(name: string, signal: AbortSignal): Promise<ApiObject | undefined>
}

/** The cluster needs these namespaces. */
const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public'])
/** How long after a deletion the cache may still wrongly show a namespace as active. */
const distrustMs = 30_000
const distrustedMax = 10_000
const marker = {}

/**
 * Refuses writes into missing namespaces, new objects in terminating namespaces, and the deletion of protected
 * namespaces.
 */
export function createNamespaceLifecycle(dependencies: NamespaceLifecycleDependencies): AdmissionPlugin {
  const { clock, cached, live } = dependencies
  /** Names of recently deleted namespaces, for which the cache is not trusted. */
  const distrusted = createTtlCache<typeof marker>(clock, distrustedMax)
  const isDistrusted = (name: string): boolean => distrusted.size > 0 && distrusted.get(name) !== undefined

  function check(attributes: AdmissionAttributes, namespace: ApiObject | undefined): void {
    if (!namespace) throw statusErrors.notFound({ group: '', resource: 'namespaces' }, attributes.namespace)
    if (attributes.operation === 'CREATE' && isTerminating(namespace)) throw terminating(attributes)
  }

  return {
    name: 'NamespaceLifecycle',
    handles: (operation) => operation !== 'CONNECT',
    mutate(attributes) {
      const { operation, name, namespace } = attributes
      if (attributes.kind.group === '' && attributes.kind.kind === 'Namespace') {
        if (operation !== 'DELETE') return undefined
        if (protectedNamespaces.has(name))
          throw statusErrors.forbidden(attributes.resource, name, 'this namespace may not be deleted')
        distrusted.set(name, marker, distrustMs)
        return undefined
      }
      if (namespace === '' || operation === 'DELETE' || isAccessReview(attributes)) return undefined
      const known = cached(namespace)
      if (known && (isTerminating(known) || !isDistrusted(namespace))) return check(attributes, known)
      return live(namespace, attributes.signal).then((actual) => check(attributes, actual))
    },
  }
}

function isTerminating(namespace: ApiObject): boolean {
  return (namespace.status as { phase?: string } | undefined)?.phase === 'Terminating'
}

/** A refusal would reveal that the namespace does not exist. */
function isAccessReview({ resource }: AdmissionAttributes): boolean {
  return resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews'
}

function terminating(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes
  return refusal(attributes, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ])
}

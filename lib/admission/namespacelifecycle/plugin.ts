import { type Clock, createTtlCache } from '../../base/index.ts'
import { type ApiObject, type StatusError, statusErrors } from '../../object/index.ts'
import { refusal } from '../about.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'

interface NamespaceLifecycleDependencies {
  readonly clock: Clock
  /** The namespace as a cache shows it; undefined: it shows none. */
  cached(name: string): ApiObject | undefined
  /** The namespace as it is, whatever that costs. */
  live(name: string, signal: AbortSignal): Promise<ApiObject | undefined>
}

/** The cluster can't do without them. */
const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public'])
/** How long after a deletion the cache is not believed when it calls a namespace active. */
const distrustMs = 30_000
const distrustedMax = 10_000
const marker = {}

/**
 * Refuses writes into namespaces that don't exist, new objects in namespaces that are being deleted, and the deletion of
 * those that must stay.
 */
export function createNamespaceLifecycle(dependencies: NamespaceLifecycleDependencies): AdmissionPlugin {
  const { clock, cached, live } = dependencies
  /** Names of namespaces that were deleted lately, for as long as the cache is not believed about them. */
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

/** To refuse one would tell that the namespace does not exist. */
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

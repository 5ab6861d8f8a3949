import type { Clock } from '../../base/index.ts'
import type { Amounts, Evaluators } from '../../quota/index.ts'
import { createNamespacePolicies } from '../namespacepolicies.ts'
import type { AdmissionPlugin } from '../plugin.ts'
import { createAccounting } from './accounting.ts'
import type { Quota } from './check.ts'
import type { LimitedResource } from './limited.ts'

export interface ResourceQuotaDependencies {
  readonly clock: Clock
  readonly evaluators: Evaluators
  /** The quotas of a namespace in a cache; without a promise where that costs nothing. */
  cached(namespace: string, signal: AbortSignal): readonly Quota[] | Promise<readonly Quota[]>
  live(namespace: string, signal: AbortSignal): Promise<readonly Quota[]>
  /** Sets the used amounts, if the quota is unchanged; else rejects with 409 Conflict or 404. */
  write(quota: Quota, used: Amounts): Promise<Quota>
}

/**
 * Charges the usage of writes to the quotas of their namespace, and refuses writes beyond a quota. The controller
 * releases the usage of deleted objects and of writes that failed later.
 */
export function createResourceQuota(
  dependencies: ResourceQuotaDependencies,
  { limitedResources }: { readonly limitedResources: readonly LimitedResource[] },
): AdmissionPlugin {
  const { evaluators } = dependencies
  const quotas = createNamespacePolicies<Quota>(dependencies)
  const accounting = createAccounting({ ...dependencies, quotas }, limitedResources)
  return {
    name: 'ResourceQuota',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const { namespace, resource, signal } = attributes
      if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return undefined
      const known = quotas(namespace, signal)
      const charge = (found: readonly Quota[]): Promise<void> | undefined => {
        if (found.length === 0 && limitedResources.length === 0) return undefined
        const evaluator = evaluators.of(resource)
        return evaluator?.charges(attributes) ? accounting.charge({ attributes, evaluator }) : undefined
      }
      return known instanceof Promise ? known.then(charge) : charge(known)
    },
  }
}

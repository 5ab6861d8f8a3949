import { type Authorizer, createClaimStatusAccess } from '../../authz/index.ts'
import { adminAccessFault, adminAccessOf } from '../../kinds/index.ts'
import { type ApiObject, type FieldError, fieldErrors } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import { createObjectReader } from '../admission/objectreader.ts'

interface DeviceClaimGuards {
  /** Access for administration only in namespaces with the label for it. */
  readonly adminAccess: boolean
  /** Parts of a claim's status need permissions of their own. */
  readonly statusParts: boolean
}

/** From now on device claims are written only with the permissions that their parts need. */
export function guardDeviceClaims(registry: Registry, authorizer: Authorizer, guards: DeviceClaimGuards): void {
  const namespaces = createObjectReader<ApiObject>(registry, { group: '', resource: 'namespaces' })
  const statusFaults = createClaimStatusAccess(authorizer)
  for (const resource of ['resourceclaims', 'resourceclaimtemplates'])
    registry.resource({ group: 'resource.k8s.io', resource })?.hook({
      async authorize(object, old, { user, verb, signal = new AbortController().signal }) {
        const faults = guards.adminAccess ? await adminFaults(object, old, signal) : []
        if (!guards.statusParts || !old || resource !== 'resourceclaims') return faults
        return [...faults, ...(await statusFaults({ user, verb: verb ?? 'update', object, old, signal }))]
      },
    })

  async function adminFaults(
    object: ApiObject,
    old: ApiObject | undefined,
    signal: AbortSignal,
  ): Promise<FieldError[]> {
    const path = adminAccessOf(object, old)
    if (path === undefined) return []
    const name = object.metadata.namespace ?? ''
    const found = await namespaces.live('', name, signal)
    if (!found) {
      const why = `could not retrieve namespace to verify admin access: namespaces "${name}" not found`
      return [fieldErrors.internal(path, why)]
    }
    const fault = adminAccessFault(path, found.metadata.labels)
    return fault ? [fault] : []
  }
}

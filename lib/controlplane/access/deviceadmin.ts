import { adminAccessFault, adminAccessOf } from '../../kinds/index.ts'
import { type ApiObject, fieldErrors } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import { createObjectReader } from '../admission/objectreader.ts'

/** From now on device claims can only request access for administration in namespaces with the label for it. */
export function guardDeviceAdmin(registry: Registry): void {
  const namespaces = createObjectReader<ApiObject>(registry, { group: '', resource: 'namespaces' })
  for (const resource of ['resourceclaims', 'resourceclaimtemplates'])
    registry.resource({ group: 'resource.k8s.io', resource })?.hook({
      async authorize(object, old, { signal = new AbortController().signal }) {
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
      },
    })
}

import type * as core from '../../../api/gen/core/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

/** Refuses new `externalIPs` of Services, which could claim addresses of other hosts; existing ones may stay. */
export function createDenyServiceExternalIps(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      if (!concernsResource(attributes, 'services')) return
      const { spec } = attributes.object as core.Service
      const known = (attributes.oldObject as core.Service | undefined)?.spec?.externalIPs ?? []
      if (spec?.externalIPs?.some((address) => !known.includes(address)))
        throw refusal(attributes, 'Use of external IPs is denied by admission control')
    },
  }
}

import type * as former from '../../../../api/gen/flowcontrol.apiserver.k8s.io/v1beta2.ts'
import type { ApiObject } from '../../../object/index.ts'

/** The same level as v1, where its shares have another name, and zero shares count as unset. */
export function levelFromV1beta2(object: ApiObject): ApiObject {
  const spec = object['spec'] as former.PriorityLevelConfigurationSpec | undefined
  if (!spec?.limited) return object
  const { assuredConcurrencyShares: shares, ...limited } = spec.limited
  return {
    ...object,
    spec: { ...spec, limited: { ...limited, ...(shares ? { nominalConcurrencyShares: shares } : {}) } },
  }
}

import type * as v1beta1 from '../../../../api/gen/resource.k8s.io/v1beta1.ts'
import {
  type ApiObject,
  copyObject,
  formatGroupVersionKind,
  formatTime,
  nextGeneration,
  semanticEqual,
} from '../../../object/index.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { deviceFromV1beta1, deviceToV1beta1 } from '../convert.ts'
import { specOf, validateSlice } from './validate.ts'

/** A taint has the time at which it was set. */
function stampTaints(object: ApiObject, { clock }: KindContext): void {
  const now = formatTime(clock.now())
  for (const { taints } of specOf(object).devices ?? []) for (const taint of taints ?? []) taint.timeAdded ??= now
}

export const resourceSlice: KindDefinition = {
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  nameRule: nameRules.subdomain,
  strategy: {
    prepareForCreate(object, context) {
      object.metadata.generation = 1
      stampTaints(object, context)
    },
    prepareForUpdate(object, old, context) {
      stampTaints(object, context)
      if (!semanticEqual(specOf(object), specOf(old))) object.metadata.generation = nextGeneration(old.metadata)
    },
    validateCreate: (object) => validateSlice(object, undefined),
    validateUpdate: validateSlice,
  },
  selectableReads: ['spec.nodeName', 'spec.driver'],
  indexedFields: ['spec.nodeName'],
  selectableFields: {
    'spec.nodeName': (object) => specOf(object).nodeName ?? '',
    'spec.driver': (object) => specOf(object).driver,
  },
  unknownFieldLabel: (label, gvk) => `field label not supported for ${formatGroupVersionKind(gvk)}: ${label}`,
  convert: {
    v1beta1: {
      fromHub(object) {
        const result = copyObject(object)
        const { devices, ...spec } = specOf(result)
        result['spec'] = { ...spec, ...(devices ? { devices: devices.map(deviceToV1beta1) } : {}) }
        return result
      },
      toHub(object) {
        const result = copyObject(object)
        const { devices, ...spec } = result['spec'] as v1beta1.ResourceSliceSpec
        result['spec'] = { ...spec, ...(devices ? { devices: devices.map(deviceFromV1beta1) } : {}) }
        return result
      },
    },
  },
  columns: [
    nameColumn,
    textColumn('Node', 'Node that the devices are on.', (object) => specOf(object).nodeName ?? ''),
    textColumn('Driver', 'Driver of the devices.', (object) => specOf(object).driver),
    textColumn('Pool', 'Pool that they belong to.', (object) => specOf(object).pool.name),
    ageColumn,
  ],
}

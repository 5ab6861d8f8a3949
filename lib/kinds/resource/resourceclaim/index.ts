import type * as v1 from '../../../../api/gen/resource.k8s.io/v1.ts'
import type * as v1beta1 from '../../../../api/gen/resource.k8s.io/v1beta1.ts'
import {
  type ApiObject,
  copyObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
} from '../../../object/index.ts'
import type { Defaults, KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { statusStrategy } from '../../meta/strategy.ts'
import { claimFromV1beta1, claimToV1beta1 } from '../convert.ts'
import { checkDeviceClaim, defaultAllocation, defaultDeviceClaim, defaultV1beta1DeviceClaim } from '../deviceclaim.ts'
import { dropDeallocated, statusOf, validateStatusUpdate } from './status.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): v1.ResourceClaimSpec => object['spec'] as v1.ResourceClaimSpec

function validateCreate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  checkDeviceClaim(errors, specOf(object).devices, path.child('devices'), context)
  return errors
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  return semanticEqual(specOf(object), specOf(old)) ? [] : [fieldErrors.immutable(path, specOf(object))]
}

const defaults: Defaults = (object) => {
  defaultDeviceClaim(specOf(object).devices)
  defaultAllocation(statusOf(object).allocation)
}

function describe(object: ApiObject): string {
  const { allocation, reservedFor } = statusOf(object)
  const isDeleted = object.metadata.deletionTimestamp !== undefined
  const states = isDeleted ? ['deleted'] : []
  if (!allocation && !isDeleted) states.push('pending')
  if (allocation) states.push('allocated')
  if (allocation && reservedFor?.length) states.push('reserved')
  return states.join(',')
}

const status = statusStrategy(validateStatusUpdate, { keepMetadata: true })

export const resourceClaim: KindDefinition = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  nameRule: nameRules.subdomain,
  defaults: {
    v1: defaults,
    v1beta2: defaults,
    v1beta1(object) {
      const { devices } = object['spec'] as v1beta1.ResourceClaimSpec
      defaultV1beta1DeviceClaim(devices)
      defaultAllocation((object['status'] as v1beta1.ResourceClaimStatus | undefined)?.allocation)
    },
  },
  strategy: {
    prepareForCreate(object) {
      object['status'] = {}
    },
    prepareForUpdate(object, old) {
      object['status'] = old['status']
    },
    validateCreate,
    validateUpdate,
  },
  subresources: {
    status: {
      ...status,
      prepareForUpdate(object, old, context) {
        status.prepareForUpdate?.(object, old, context)
        dropDeallocated(object, old)
      },
    },
  },
  convert: {
    v1beta1: {
      fromHub(object) {
        const result = copyObject(object)
        const spec = specOf(result)
        result['spec'] = { ...spec, devices: claimToV1beta1(spec.devices) }
        return result
      },
      toHub(object) {
        const result = copyObject(object)
        const spec = result['spec'] as v1beta1.ResourceClaimSpec
        result['spec'] = { ...spec, devices: claimFromV1beta1(spec.devices) }
        return result
      },
    },
  },
  columns: [nameColumn, textColumn('State', 'What has become of the claim.', describe), ageColumn],
}

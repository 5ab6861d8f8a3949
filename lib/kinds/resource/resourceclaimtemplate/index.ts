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
import { ageColumn, nameColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { validateAnnotations, validateLabels } from '../../meta/validate.ts'
import { claimFromV1beta1, claimToV1beta1 } from '../convert.ts'
import { checkDeviceClaim, defaultDeviceClaim, defaultV1beta1DeviceClaim } from '../deviceclaim.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): v1.ResourceClaimTemplateSpec => object['spec'] as v1.ResourceClaimTemplateSpec

function validateCreate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const { metadata, spec } = specOf(object)
  if (metadata.labels) validateLabels(metadata.labels, path.child('metadata').child('labels'), errors)
  if (metadata.annotations)
    validateAnnotations(metadata.annotations, path.child('metadata').child('annotations'), errors)
  checkDeviceClaim(errors, spec.devices, path.child('spec').child('devices'), context)
  return errors
}

const defaults: Defaults = (object) => defaultDeviceClaim(specOf(object).spec.devices)

export const resourceClaimTemplate: KindDefinition = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaimTemplate',
  nameRule: nameRules.subdomain,
  defaults: {
    v1: defaults,
    v1beta2: defaults,
    v1beta1(object) {
      const { spec } = object['spec'] as v1beta1.ResourceClaimTemplateSpec
      defaultV1beta1DeviceClaim(spec.devices)
    },
  },
  strategy: {
    validateCreate,
    validateUpdate: (object, old) =>
      semanticEqual(specOf(object), specOf(old)) ? [] : [fieldErrors.immutable(path, specOf(object))],
  },
  convert: {
    v1beta1: {
      fromHub(object) {
        const result = copyObject(object)
        const { spec, ...rest } = specOf(result)
        result['spec'] = { ...rest, spec: { ...spec, devices: claimToV1beta1(spec.devices) } }
        return result
      },
      toHub(object) {
        const result = copyObject(object)
        const { spec, ...rest } = result['spec'] as v1beta1.ResourceClaimTemplateSpec
        result['spec'] = { ...rest, spec: { ...spec, devices: claimFromV1beta1(spec.devices) } }
        return result
      },
    },
  },
  columns: [nameColumn, ageColumn],
}

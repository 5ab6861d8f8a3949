import type * as v1 from '../../../../api/gen/resource.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import { isExtendedResource } from '../../core/podspec/resources.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkOpaque } from '../names.ts'
import { checkSelectors } from '../selectors.ts'

const path = FieldPath.root('spec')
const configMax = 32
const specOf = (object: ApiObject): v1.DeviceClassSpec => object['spec'] as v1.DeviceClassSpec

function validate(object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const { selectors, config = [], extendedResourceName: extended } = specOf(object)
  const known = new Set(old ? specOf(old).selectors?.flatMap(({ cel }) => cel?.expression ?? []) : [])
  checkSelectors(errors, selectors, path.child('selectors'), context, known)
  const at = path.child('config')
  if (config.length > configMax) errors.push(fieldErrors.tooMany(at, config.length, configMax))
  config.forEach(({ opaque }, index) => checkOpaque(errors, opaque, at.index(index).child('opaque')))
  if (extended !== undefined && !isExtendedResource(extended)) {
    const why = 'must be a valid extended resource name'
    errors.push(fieldErrors.invalid(path.child('extendedResourceName'), extended, why))
  }
  return errors
}

export const deviceClass: KindDefinition = {
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  nameRule: nameRules.subdomain,
  strategy: {
    ...specStrategy({
      hasStatus: false,
      generation: true,
      validate: (object, context) => validate(object, undefined, context),
    }),
    validateUpdate: validate,
  },
  columns: [nameColumn, ageColumn],
}

import type * as networking from '../../../../api/gen/networking.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDomainPrefixedPath,
} from '../../../object/index.ts'
import { checkFormat, checkPresent } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkTypedReference } from '../reference.ts'

const path = FieldPath.root('spec')
const controllerBytesMax = 250
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class'
const specOf = (object: ApiObject): networking.IngressClassSpec => (object['spec'] ?? {}) as networking.IngressClassSpec

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { controller = '', parameters } = specOf(object)
  const at = path.child('controller')
  if (Buffer.byteLength(controller) > controllerBytesMax) errors.push(fieldErrors.tooLong(at, controllerBytesMax))
  if (checkPresent(errors, controller, at)) checkFormat(errors, controller, at, validateDomainPrefixedPath)
  if (parameters) checkParameters(errors, parameters, path.child('parameters'))
  return errors
}

function checkParameters(
  errors: FieldError[],
  parameters: networking.IngressClassParametersReference,
  at: FieldPath,
): void {
  checkTypedReference(errors, parameters, at)
  const { scope, namespace } = parameters
  if (scope === undefined) {
    errors.push(fieldErrors.required(at.child('scope')))
    return
  }
  switch (scope) {
    case 'Namespace':
      if (namespace === undefined)
        errors.push(fieldErrors.required(at.child('namespace'), "`parameters.scope` is set to 'Namespace'"))
      else checkFormat(errors, namespace, at.child('namespace'), validateDns1123Label)
      break
    case 'Cluster':
      if (namespace !== undefined)
        errors.push(fieldErrors.forbidden(at.child('namespace'), "`parameters.scope` is set to 'Cluster'"))
      break
    default:
      errors.push(fieldErrors.notSupported(at.child('scope'), scope, ['Cluster', 'Namespace']))
  }
}

const strategy = specStrategy({ generation: true, hasStatus: false, validate })

export const ingressClass: KindDefinition = {
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      const { parameters } = specOf(object)
      if (parameters) parameters.scope ??= 'Cluster'
    },
  },
  strategy: {
    ...strategy,
    validateUpdate(object, old) {
      const { controller = '' } = specOf(object)
      const errors = validate(object)
      if (controller !== (specOf(old).controller ?? ''))
        errors.unshift(fieldErrors.immutable(path.child('controller'), controller))
      return errors
    },
  },
  columns: [
    {
      ...nameColumn,
      cell({ metadata }) {
        const mark = metadata.annotations?.[defaultAnnotation] === 'true' ? ' (default)' : ''
        return `${metadata.name ?? ''}${mark}`
      },
    },
    textColumn('Controller', 'Who serves ingresses of this class.', (object) => specOf(object).controller ?? ''),
    textColumn('Parameters', 'Object with more settings.', (object) => {
      const { parameters } = specOf(object)
      if (!parameters) return '<none>'
      const { apiGroup, kind, name } = parameters
      return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`
    }),
    ageColumn,
  ],
}

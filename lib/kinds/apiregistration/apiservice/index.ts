import type * as apiregistration from '../../../../api/gen/apiregistration.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  formatTime,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
  validatePortNumber,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkSupported } from '../../check.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'

const path = FieldPath.root('spec')
const groupPriorityMax = 20_000
const versionPriorityMax = 1000
const specOf = (object: ApiObject): apiregistration.APIServiceSpec => object['spec'] as apiregistration.APIServiceSpec
const statusOf = (object: ApiObject): apiregistration.APIServiceStatus =>
  (object['status'] ?? {}) as apiregistration.APIServiceStatus

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const { group = '', version = '', groupPriorityMinimum: minimum, versionPriority: priority } = spec
  checkFormat(errors, object.metadata.name ?? '', FieldPath.root('metadata').child('name'), (name) =>
    nameFindings(name, `${version}.${group}`),
  )
  if (group === '' && version !== 'v1')
    errors.push(
      fieldErrors.required(path.child('group'), 'only v1 may have an empty group and it better be legacy kube'),
    )
  if (group !== '') checkFormat(errors, group, path.child('group'), validateDns1123Subdomain)
  checkFormat(errors, version, path.child('version'), validateDns1035Label)
  if (minimum <= 0 || minimum > groupPriorityMax) {
    const why = `must be positive and less than ${groupPriorityMax}`
    errors.push(fieldErrors.invalid(path.child('groupPriorityMinimum'), minimum, why))
  }
  if (priority <= 0 || priority > versionPriorityMax) {
    const why = `must be positive and less than ${versionPriorityMax}`
    errors.push(fieldErrors.invalid(path.child('versionPriority'), priority, why))
  }
  if (spec.service) checkBackend(errors, spec, spec.service)
  else checkLocal(errors, spec)
  return errors
}

function nameFindings(name: string, required: string): readonly string[] {
  const findings = validatePathSegmentName(name)
  if (findings.length > 0 || name === required) return findings
  return [`must be \`spec.version+"."+spec.group\`: "${required}"`]
}

function checkLocal(errors: FieldError[], spec: apiregistration.APIServiceSpec): void {
  if (spec.caBundle) {
    const shown = `${Buffer.from(spec.caBundle, 'base64').length} bytes`
    errors.push(fieldErrors.invalid(path.child('caBundle'), shown, 'local APIServices may not have a caBundle'))
  }
  if (spec.insecureSkipTLSVerify) {
    const why = 'local APIServices may not have insecureSkipTLSVerify'
    errors.push(fieldErrors.invalid(path.child('insecureSkipTLSVerify'), true, why))
  }
}

function checkBackend(
  errors: FieldError[],
  spec: apiregistration.APIServiceSpec,
  service: apiregistration.ServiceReference,
): void {
  const at = path.child('service')
  checkPresent(errors, service.namespace, at.child('namespace'))
  checkPresent(errors, service.name, at.child('name'))
  const findings = validatePortNumber(service.port ?? 0)
  if (findings.length > 0)
    errors.push(fieldErrors.invalid(at.child('port'), service.port, `port is not valid: ${findings.join(', ')}`))
  if (spec.insecureSkipTLSVerify && spec.caBundle) {
    const why = 'may not be true if caBundle is present'
    errors.push(fieldErrors.invalid(path.child('insecureSkipTLSVerify'), true, why))
  }
}

function validateStatusUpdate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const at = FieldPath.root('status').child('conditions')
  statusOf(object).conditions?.forEach(({ status }, index) =>
    checkSupported(errors, status, at.index(index).child('status'), ['False', 'True', 'Unknown']),
  )
  return errors
}

/** A group of this server is available from the start. */
function prepareForCreate(object: ApiObject, { clock }: KindContext): void {
  object['status'] = {}
  if (specOf(object).service) return
  const condition = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: formatTime(clock.now()),
    reason: 'Local',
    message: 'Local APIServices are always available',
  }
  object['status'] = { conditions: [condition] }
}

function available(object: ApiObject): string {
  const condition = statusOf(object).conditions?.find(({ type }) => type === 'Available')
  if (!condition) return 'Unknown'
  return condition.status === 'True' || !condition.reason
    ? condition.status
    : `${condition.status} (${condition.reason})`
}

export const apiService: KindDefinition = {
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  // validate derives the name from group and version.
  nameRule: () => [],
  defaults: {
    v1(object) {
      const { service } = specOf(object)
      if (service) service.port ??= 443
    },
  },
  strategy: specStrategy({ validate, prepareForCreate }),
  subresources: { status: statusStrategy(validateStatusUpdate, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn('Service', 'Who answers for the group version.', (object) => {
      const { service } = specOf(object)
      return service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local'
    }),
    textColumn('Available', 'Whether it answers.', available),
    ageColumn,
  ],
}

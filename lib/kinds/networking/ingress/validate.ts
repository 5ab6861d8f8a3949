import type * as networking from '../../../../api/gen/networking.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseIp,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLegacyIp,
  validatePortName,
  validatePortNumber,
  validateWildcardSubdomain,
} from '../../../object/index.ts'
import { checkFormat, checkNumber, checkPresent } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkStrictAddresses, type LocatedAddress } from '../../meta/strictaddresses.ts'
import { checkTypedReference } from '../reference.ts'

export const classAnnotation = 'kubernetes.io/ingress.class'
const path = FieldPath.root('spec')
const notAnIp = 'must be a DNS name, not an IP address'

export function validateIngressCreate(object: ApiObject, context: KindContext): FieldError[] {
  const errors = validateIngress(object, context)
  const annotated = object.metadata.annotations?.[classAnnotation]
  const { ingressClassName } = object['spec'] as networking.IngressSpec
  if (annotated !== undefined && ingressClassName !== undefined && annotated !== ingressClassName) {
    const why = 'must match `ingressClassName` when both are specified'
    errors.push(fieldErrors.invalid(FieldPath.root('annotations').child(classAnnotation), annotated, why))
  }
  return errors
}

/** An ingress that names services in the relaxed form keeps doing so where the gate is off. */
export function validateIngressUpdate(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const { gate } = context
  if (gate(relaxedNames) || !serviceNames(old).some(isRelaxed)) return validateIngress(object, context)
  return validateIngress(object, { ...context, gate: (name) => name === relaxedNames || gate(name) })
}

const relaxedNames = 'RelaxedServiceNameValidation'

function serviceNames(object: ApiObject): string[] {
  const { defaultBackend, rules = [] } = object['spec'] as networking.IngressSpec
  const backends = [defaultBackend, ...rules.flatMap(({ http }) => http?.paths?.map(({ backend }) => backend) ?? [])]
  return backends.flatMap((backend) => backend?.service?.name ?? [])
}

function isRelaxed(name: string): boolean {
  return validateDns1123Label(name).length === 0 && validateDns1035Label(name).length > 0
}

export function validateIngress(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const { defaultBackend, rules = [], tls = [], ingressClassName } = object['spec'] as networking.IngressSpec
  if (!defaultBackend && rules.length === 0)
    errors.push(fieldErrors.invalid(path, null, 'either `defaultBackend` or `rules` must be specified'))
  if (defaultBackend) checkBackend(errors, defaultBackend, context, path.child('defaultBackend'))
  rules.forEach((rule, index) => checkRule(errors, rule, context, path.child('rules').index(index)))
  tls.forEach((entry, index) => checkTls(errors, entry, path.child('tls').index(index)))
  if (ingressClassName !== undefined)
    checkFormat(errors, ingressClassName, path.child('ingressClassName'), validateDns1123Subdomain)
  return errors
}

function checkRule(errors: FieldError[], rule: networking.IngressRule, context: KindContext, at: FieldPath): void {
  const { host = '', http } = rule
  if (host !== '') {
    if (parseIp(host)) errors.push(fieldErrors.invalid(at.child('host'), host, notAnIp))
    checkHost(errors, host, at.child('host'))
  }
  if (!http) return
  const paths = at.child('http').child('paths')
  if (!http.paths?.length) errors.push(fieldErrors.required(paths))
  http.paths?.forEach((one, index) => checkPath(errors, one, context, paths.index(index)))
}

function checkHost(errors: FieldError[], host: string, at: FieldPath): void {
  checkFormat(errors, host, at, host.includes('*') ? validateWildcardSubdomain : validateDns1123Subdomain)
}

const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F']
const forbiddenEnds = ['/..', '/.']

function checkPath(
  errors: FieldError[],
  { path: url = '', pathType, backend }: networking.HTTPIngressPath,
  context: KindContext,
  at: FieldPath,
): void {
  if (pathType === undefined) {
    errors.push(fieldErrors.required(at.child('pathType'), 'pathType must be specified'))
    return
  }
  const invalid = (why: string): void => void errors.push(fieldErrors.invalid(at.child('path'), url, why))
  switch (pathType) {
    case 'Exact':
    case 'Prefix':
      if (!url.startsWith('/')) invalid('must be an absolute path')
      for (const part of forbiddenParts) if (url.includes(part)) invalid(`must not contain '${part}'`)
      for (const end of forbiddenEnds) if (url.endsWith(end)) invalid(`cannot end with '${end}'`)
      break
    case 'ImplementationSpecific':
      if (url !== '' && !url.startsWith('/')) invalid('must be an absolute path')
      break
    default:
      errors.push(
        fieldErrors.notSupported(at.child('pathType'), pathType, ['Exact', 'ImplementationSpecific', 'Prefix']),
      )
  }
  checkBackend(errors, backend ?? {}, context, at.child('backend'))
}

function checkBackend(
  errors: FieldError[],
  { service, resource }: networking.IngressBackend,
  context: KindContext,
  at: FieldPath,
): void {
  if (service && resource) errors.push(fieldErrors.invalid(at, '', 'cannot set both resource and service backends'))
  else if (resource) checkTypedReference(errors, resource, at.child('resource'))
  else if (service) checkService(errors, service, context, at)
  else errors.push(fieldErrors.invalid(at, '', 'resource or service backend is required'))
}

function checkService(
  errors: FieldError[],
  { name, port }: networking.IngressServiceBackend,
  context: KindContext,
  at: FieldPath,
): void {
  const service = at.child('service')
  if (checkPresent(errors, name, service.child('name')))
    checkFormat(
      errors,
      name,
      service.child('name'),
      context.gate(relaxedNames) ? validateDns1123Label : validateDns1035Label,
    )
  const { name: portName = '', number = 0 } = port ?? {}
  if (portName !== '' && number !== 0)
    errors.push(fieldErrors.invalid(at, '', 'cannot set both port name & port number'))
  else if (portName !== '') checkFormat(errors, portName, service.child('port').child('name'), validatePortName)
  else if (number !== 0) checkNumber(errors, number, service.child('port').child('number'), validatePortNumber)
  else errors.push(fieldErrors.required(at, 'port name or number is required'))
}

function checkTls(errors: FieldError[], { hosts = [], secretName = '' }: networking.IngressTLS, at: FieldPath): void {
  hosts.forEach((host, index) => checkHost(errors, host, at.child('hosts').index(index)))
  if (secretName !== '') checkFormat(errors, secretName, at.child('secretName'), validateDns1123Subdomain)
}

const entriesPath = FieldPath.root('status').child('loadBalancer').child('ingress')

function entriesOf(object: ApiObject): readonly networking.IngressLoadBalancerIngress[] {
  return (object['status'] as networking.IngressStatus | undefined)?.loadBalancer?.ingress ?? []
}

export function validateIngressStatus(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  entriesOf(object).forEach(({ ip = '', hostname = '' }, index) => {
    const at = entriesPath.index(index)
    if (ip !== '') checkFormat(errors, ip, at.child('ip'), validateLegacyIp)
    if (hostname === '') return
    checkFormat(errors, hostname, at.child('hostname'), validateDns1123Subdomain)
    if (parseIp(hostname)) errors.push(fieldErrors.invalid(at.child('hostname'), hostname, notAnIp))
  })
  checkStrictAddresses(errors, addressesOf(object), addressesOf(old), context)
  return errors
}

function addressesOf(object: ApiObject): LocatedAddress[] {
  return entriesOf(object).map(({ ip = '' }, index) => ({
    path: entriesPath.index(index).child('ip'),
    value: ip,
    form: 'ip',
  }))
}

import type * as certificates from '../../../../api/gen/certificates.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  quote,
  validateSignerName,
} from '../../../object/index.ts'
import { parseCertificate, readPem, readSigningRequest, SigningRequestError } from '../../../pki/index.ts'
import { checkPresent, checkRequiredFormat, checkSupported, checkUnique } from '../../check.ts'

type Request = certificates.CertificateSigningRequest
type Condition = certificates.CertificateSigningRequestCondition

export const requestOf = (object: ApiObject): Request => object as Request

const spec = FieldPath.root('spec')
const status = FieldPath.root('status')
const expirationSecondsMin = 600
/** Types of conditions that only approval may set. */
export const decisions = ['Approved', 'Denied'] as const
const finalTypes = ['Approved', 'Denied', 'Failed']
// biome-ignore format: a list of names
const usages = [
  'any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment',
  'decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel',
  'ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime',
  'server auth', 'signing', 'timestamping',
]

export function validateRequest(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkSpec(errors, requestOf(object).spec)
  checkStatus(errors, requestOf(object).status, undefined)
  return errors
}

function checkSpec(errors: FieldError[], given: certificates.CertificateSigningRequestSpec): void {
  const finding = requestFinding(given.request)
  if (finding !== '') errors.push(fieldErrors.invalid(spec.child('request'), given.request, finding))
  const at = spec.child('usages')
  if (!given.usages?.length) errors.push(fieldErrors.required(at))
  given.usages?.forEach((usage, index) => checkSupported(errors, usage, at.index(index), usages))
  const seen = new Set<string>()
  given.usages?.forEach((usage, index) => checkUnique(errors, seen, usage, at.index(index)))
  if (given.signerName === 'kubernetes.io/legacy-unknown') {
    const why = 'the legacy signerName is not allowed via this API version'
    errors.push(fieldErrors.invalid(spec.child('signerName'), given.signerName, why))
  } else checkRequiredFormat(errors, given.signerName, spec.child('signerName'), validateSignerName)
  if (given.expirationSeconds !== undefined && given.expirationSeconds < expirationSecondsMin) {
    const why = `may not specify a duration less than ${expirationSecondsMin} seconds (10 minutes)`
    errors.push(fieldErrors.invalid(spec.child('expirationSeconds'), given.expirationSeconds, why))
  }
}

function requestFinding(base64: string | undefined): string {
  try {
    return readSigningRequest(textOf(base64)).signatureFinding()
  } catch (error) {
    if (error instanceof SigningRequestError) return error.message
    throw error
  }
}

const textOf = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('latin1')

/** Errors that `old` has may stay. */
function checkStatus(
  errors: FieldError[],
  given: certificates.CertificateSigningRequestStatus,
  old: certificates.CertificateSigningRequestStatus | undefined,
): void {
  const conditions = given.conditions ?? []
  if (!old || !deepEqual(conditions, old.conditions ?? [])) checkConditions(errors, conditions, old?.conditions ?? [])
  if (given.certificate === old?.certificate) return
  const finding = certificateFinding(given.certificate)
  if (finding !== '') errors.push(fieldErrors.invalid(status.child('certificate'), given.certificate, finding))
}

function checkConditions(errors: FieldError[], conditions: readonly Condition[], old: readonly Condition[]): void {
  const path = status.child('conditions')
  const seen = new Set<string>()
  const hadNameless = old.some(({ type }) => type === '')
  conditions.forEach(({ type, status: value }, index) => {
    const at = path.index(index)
    if (!hadNameless) checkPresent(errors, type, at.child('type'))
    if (checkPresent(errors, value, at.child('status')))
      checkSupported(
        errors,
        value,
        at.child('status'),
        finalTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown'],
      )
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined
    if (other !== undefined && seen.has(other))
      errors.push(fieldErrors.invalid(path, type, 'Approved and Denied conditions are mutually exclusive'))
    if (seen.has(type)) errors.push(fieldErrors.duplicate(at.child('type'), type))
    seen.add(type)
  })
}

function certificateFinding(base64: string | undefined): string {
  if (!base64) return ''
  const blocks = readPem(textOf(base64))
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block'
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quote(type)}`
    if (hasHeaders) return 'no PEM block headers are permitted'
    try {
      parseCertificate(bytes)
    } catch {
      return 'x509: malformed certificate'
    }
  }
  return ''
}

/** `approves`: the endpoint may approve and deny. `issues`: it may set the certificate. */
export function validateRequestUpdate(
  object: ApiObject,
  old: ApiObject,
  may: { readonly approves?: boolean; readonly issues?: boolean },
): FieldError[] {
  const errors: FieldError[] = []
  const [now, before] = [requestOf(object).status, requestOf(old).status]
  checkStatus(errors, now, before)
  const path = status.child('conditions')
  const of = (type: string, from: certificates.CertificateSigningRequestStatus): Condition[] =>
    (from.conditions ?? []).filter((condition) => condition.type === type)
  for (const type of finalTypes)
    if (of(type, now).length < of(type, before).length)
      errors.push(fieldErrors.forbidden(path, `updates may not remove a condition of type ${quote(type)}`))
  for (const type of may.approves ? [] : decisions) {
    const [has, had] = [of(type, now), of(type, before)]
    if (has.length > had.length)
      errors.push(fieldErrors.forbidden(path, `updates may not add a condition of type ${quote(type)}`))
    else if (has.length === had.length && !deepEqual(has, had))
      errors.push(fieldErrors.forbidden(path, `updates may not modify a condition of type ${quote(type)}`))
  }
  if ((now.certificate ?? '') !== (before.certificate ?? '')) {
    const at = status.child('certificate')
    if (!may.issues) errors.push(fieldErrors.forbidden(at, 'updates may not set certificate content'))
    else if (before.certificate)
      errors.push(fieldErrors.forbidden(at, 'updates may not modify existing certificate content'))
  }
  return errors
}

import type { X509Certificate } from 'node:crypto'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  formatDuration,
  parseTime,
  semanticEqual,
} from '../../../object/index.ts'
import { alternativeNamesOf, type PemBlock, parseCertificate, readPem } from '../../../pki/index.ts'
import { checkConditions } from '../../meta/conditions.ts'
import { type Request, requestedKey, requestOf } from './validate.ts'

const status = FieldPath.root('status')
const chain = status.child('certificateChain')
const [notBefore, notAfter, beginRefresh] = [
  status.child('notBefore'),
  status.child('notAfter'),
  status.child('beginRefreshAt'),
]
/** Ten certificates with RSA keys of 4096 bits, and more. */
const chainBytesMax = 100 * 1024
const skewMs = 5 * 60_000
const marginMs = 10 * 60_000
const hourMs = 3_600_000

/** Conditions that decide about a request, once and for all. */
export const outcomes = ['Issued', 'Denied', 'Failed'] as const

/** A signer issues, denies or fails a request by one write. */
export function validateStatusUpdate(object: ApiObject, old: ApiObject, nowMs: number): FieldError[] {
  const [now, before] = [requestOf(object), requestOf(old)]
  const errors: FieldError[] = []
  checkOutcomes(errors, now)
  checkConditions(errors, now.status?.conditions, status.child('conditions'))
  if (errors.length > 0) return errors
  const unchanged = semanticEqual(now.status ?? {}, before.status ?? {})
  if (outcomeOf(before) !== undefined)
    return unchanged ? [] : [bare(status, 'immutable after PodCertificateRequest is issued, denied, or failed')]
  switch (outcomeOf(now)) {
    case undefined: {
      const why = 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"'
      return unchanged ? [] : [bare(status, why)]
    }
    case 'Issued':
      return issuedFaults(now, before, nowMs)
    default: {
      const { conditions: _conditions, ...others } = now.status ?? {}
      const why = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest'
      return semanticEqual(others, {}) ? [] : [bare(status, why)]
    }
  }
}

const bare = fieldErrors.invalidBare

function outcomeOf({ status: given }: Request): string | undefined {
  return given?.conditions?.find(
    ({ type, status: value }) => (outcomes as readonly string[]).includes(type) && value === 'True',
  )?.type
}

function checkOutcomes(errors: FieldError[], { status: given }: Request): void {
  let known = 0
  given?.conditions?.forEach(({ type, status: value }, index) => {
    // The stock server joins the index to the path by a dot.
    const at = status.child('conditions').child(`[${index}]`)
    if (!(outcomes as readonly string[]).includes(type)) {
      errors.push(fieldErrors.notSupported(at.child('type'), type, outcomes))
      return
    }
    known++
    const why = 'There may be at most one condition with type "Issued", "Denied", or "Failed"'
    if (known > 1) errors.push(fieldErrors.invalid(at.child('type'), type, why))
    if (value !== 'True') errors.push(fieldErrors.notSupported(at.child('status'), value, ['True']))
  })
}

/** The first fault, except that missing times are reported together. */
function issuedFaults(now: Request, old: Request, nowMs: number): FieldError[] {
  const text = now.status?.certificateChain ?? ''
  if (Buffer.byteLength(text) > chainBytesMax) return [fieldErrors.tooLong(chain, chainBytesMax)]
  const invalid = (why: string): FieldError[] => [fieldErrors.invalid(chain, text, why)]
  const [first, ...others] = readPem(text)
  if (!first) return invalid('issued certificate chain must contain at least one certificate')
  if (first.type !== 'CERTIFICATE')
    return invalid('issued certificate chain must consist entirely of CERTIFICATE PEM blocks')
  const leaf = readLeaf(first)
  if (!leaf) return invalid('leaf certificate does not parse as valid X.509')
  const names = nameFaults(leaf.names)
  const wanted = requestedKey(old)
  if (!wanted || !wanted.equals(leaf.certificate.publicKey))
    return [...names, ...invalid('leaf certificate was not issued to the requested public key')]
  const faults = [...names, ...missingTimes(now)]
  if (faults.length > 0) return faults
  const fault = timeFault(now, leaf.certificate, nowMs) ?? othersFault(others)
  return fault === undefined ? [] : typeof fault === 'string' ? invalid(fault) : [fault]
}

interface Leaf {
  readonly certificate: X509Certificate
  readonly names: ReturnType<typeof alternativeNamesOf>
}

function readLeaf({ bytes }: PemBlock): Leaf | undefined {
  try {
    const certificate = parseCertificate(bytes)
    return { certificate, names: alternativeNamesOf(certificate) }
  } catch {
    return undefined
  }
}

/** One address, perhaps with a name before it in angle brackets (RFC 5322, 3.4). */
const mailbox = /^(?:[^<>@]*<)?[^\s<>@,;:"]+@[^\s<>@,;:"]+>?$/

function nameFaults({ dnsNames, emailAddresses }: Leaf['names']): FieldError[] {
  const errors: FieldError[] = []
  for (const name of dnsNames) {
    const fault = (why: string) => errors.push(fieldErrors.invalid(chain, name, why))
    if (name === '') fault('leaf certificate should not contain empty DNSName')
    if (name.includes('..')) fault("leaf certificate's DNSName should not contain '..'")
    if (name.startsWith('.') || name.endsWith('.')) fault("leaf certificate's DNSName should not start or end with '.'")
  }
  for (const address of emailAddresses)
    if (!mailbox.test(address))
      errors.push(fieldErrors.invalid(chain, address, 'leaf certificate should not contain invalid EmailAddress'))
  return errors
}

function missingTimes({ status: given }: Request): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate'
  const errors: FieldError[] = []
  if (!given.notBefore) errors.push(fieldErrors.required(notBefore, consistent))
  if (!given.notAfter) errors.push(fieldErrors.required(notAfter, consistent))
  if (!given.beginRefreshAt) {
    const why = 'must be present and in the range [notbefore+10min, notafter-10min]'
    errors.push(fieldErrors.required(beginRefresh, why))
  }
  return errors
}

/** As the stock server prints values that have their own text. */
function shown(path: FieldPath, value: string, why: string): FieldError {
  return bare(path, `${value}: ${why}`)
}

/** 2030-01-02 03:04:05 +0000 UTC */
function goTime(time: string | null | undefined): string {
  return `${(time ?? '').replace('T', ' ').replace('Z', '')} +0000 UTC`
}

/** All times are set. */
function timeFault({ spec, status: given }: Request, leaf: X509Certificate, nowMs: number): FieldError | undefined {
  const ms = (time: string | null | undefined): number => parseTime(time ?? '')
  const [start, end] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()]
  if (ms(given.notBefore) !== start)
    return shown(
      notBefore,
      goTime(given.notBefore),
      'must be set to the NotBefore time encoded in the leaf certificate',
    )
  if (Math.abs(start - nowMs) >= skewMs)
    return shown(notBefore, goTime(given.notBefore), "must be set to within 5 minutes of kube-apiserver's current time")
  if (ms(given.notAfter) !== end)
    return shown(notAfter, goTime(given.notAfter), 'must be set to the NotAfter time encoded in the leaf certificate')
  const seconds = spec.maxExpirationSeconds ?? 0
  const lifetime = formatDuration(BigInt(end - start) * 1_000_000n)
  if (end - start < hourMs) return shown(chain, lifetime, 'leaf certificate lifetime must be >= 1 hour')
  if (end - start > seconds * 1000)
    return shown(chain, lifetime, `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${seconds})`)
  const refreshMs = ms(given.beginRefreshAt)
  if (refreshMs < start + marginMs)
    return shown(beginRefresh, goTime(given.beginRefreshAt), 'must be at least 10 minutes after status.notBefore')
  if (refreshMs > end - marginMs)
    return shown(beginRefresh, goTime(given.beginRefreshAt), 'must be at least 10 minutes before status.notAfter')
  return undefined
}

function othersFault(blocks: readonly PemBlock[]): string | undefined {
  for (const { type, bytes } of blocks) {
    // The stock server's spelling.
    if (type !== 'CERTIFICATE') return 'issued certificate chain must consist entirely of CERTFICATE PEM blocks'
    try {
      parseCertificate(bytes)
    } catch {
      return 'intermediate certificate does not parse as valid X.509'
    }
  }
  return undefined
}

import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import { type Frozen, parseTime } from '../../object/index.ts'
import { readCertificate } from '../../pki/index.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The request has waited too long, or its certificate has expired. */
export function isOver({ metadata, status }: Frozen<CertificateSigningRequest>, nowMs: number): boolean {
  const conditions = status?.conditions ?? []
  const certificate = textOf(status?.certificate)
  const isIssued = certificate !== ''
  if (isIssued && (endMs(certificate) ?? Number.POSITIVE_INFINITY) < nowMs) return true
  const isOlder = (time: string | undefined, ageMs: number): boolean =>
    time !== undefined && nowMs - parseTime(time) > ageMs
  if (conditions.length === 0) return isOlder(metadata.creationTimestamp, dayMs)
  return conditions.some(({ type, lastUpdateTime }) => {
    if (type === 'Denied' || type === 'Failed') return isOlder(lastUpdateTime, hourMs)
    return type === 'Approved' && isOlder(lastUpdateTime, isIssued ? hourMs : dayMs)
  })
}

function endMs(pem: string): number | undefined {
  try {
    return readCertificate(pem).validToDate.getTime()
  } catch {
    return undefined
  }
}

/** Bytes are base64 in JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value, 'base64').toString()
  return value instanceof Uint8Array ? Buffer.from(value).toString() : ''
}

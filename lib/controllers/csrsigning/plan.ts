import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import { type Frozen, formatTime } from '../../object/index.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Clocks that are slow must not reject a new certificate. */
const backdateMs = 5 * minuteMs
/** The backdating does not shorten certificates of a shorter duration. */
const shortMs = 8 * hourMs
const durationMsMin = 10 * minuteMs

export function isToSign({ spec, status }: Frozen<CertificateSigningRequest>, signerName: string): boolean {
  if (spec.signerName !== signerName || (status?.certificate ?? '') !== '') return false
  const has = (type: string): boolean =>
    (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True')
  return has('Approved') && !has('Denied') && !has('Failed')
}

/**
 * The validity of a certificate, which ends with its authority's at the latest. Throws where that has expired.
 * Example: a duration of an hour from 12:00 gives 11:55 to 13:00, one of a year 11:55 today to 11:55 of that day.
 */
export function validity(
  expirationSeconds: number | undefined,
  durationMsMax: number,
  { nowMs, authorityEndMs }: { nowMs: number; authorityEndMs: number },
): { notBeforeMs: number; notAfterMs: number } {
  if (authorityEndMs <= nowMs)
    throw new Error(
      `refusing to sign a certificate that expired in the past: the signer ended at ${formatTime(authorityEndMs)}`,
    )
  const askedMs = expirationSeconds === undefined ? durationMsMax : expirationSeconds * 1000
  const durationMs = Math.min(Math.max(askedMs, durationMsMin), durationMsMax)
  const endMs = nowMs + durationMs - (durationMs < shortMs ? 0 : backdateMs)
  return { notBeforeMs: nowMs - backdateMs, notAfterMs: Math.min(endMs, authorityEndMs) }
}

export function withCertificate(
  request: Frozen<CertificateSigningRequest>,
  pem: string,
): Frozen<CertificateSigningRequest> {
  return { ...request, status: { ...request.status, certificate: Buffer.from(pem).toString('base64') } }
}

/** The request with a condition Failed. */
export function failed(
  request: Frozen<CertificateSigningRequest>,
  message: string,
  nowMs: number,
): Frozen<CertificateSigningRequest> {
  const condition = {
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message,
    lastUpdateTime: formatTime(nowMs),
  }
  return { ...request, status: { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] } }
}

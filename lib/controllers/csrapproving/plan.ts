import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import { type CertificateView, kubeletClientSigner, kubeletClientViolation } from '../../kinds/index.ts'
import { type Frozen, formatTime } from '../../object/index.ts'

/** A kind of kubelet request, and the permission that its requestor needs. */
export interface Recognizer {
  /** Subresource of certificatesigningrequests that the requestor must be allowed to create. */
  readonly permission: 'selfnodeclient' | 'nodeclient'
  readonly message: string
}

/** The recognizers that match the request, in the order in which they are tried. */
export function recognizersOf({ spec }: Frozen<CertificateSigningRequest>, asked: CertificateView): Recognizer[] {
  if (spec.signerName !== kubeletClientSigner) return []
  if (kubeletClientViolation(asked, spec.usages ?? []) !== undefined) return []
  const any: Recognizer = {
    permission: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  }
  const own: Recognizer = {
    permission: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  }
  return spec.username === asked.commonName ? [own, any] : [any]
}

/** The request has been approved, denied or signed. */
export function isDecided({ status }: Frozen<CertificateSigningRequest>): boolean {
  if ((status?.certificate ?? '') !== '') return true
  return (status?.conditions ?? []).some(({ type }) => type === 'Approved' || type === 'Denied')
}

/** The approved request. */
export function approved(
  request: Frozen<CertificateSigningRequest>,
  { message }: Recognizer,
  nowMs: number,
): Frozen<CertificateSigningRequest> {
  const time = formatTime(nowMs)
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message,
    lastUpdateTime: time,
    lastTransitionTime: time,
  }
  return { ...request, status: { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] } }
}

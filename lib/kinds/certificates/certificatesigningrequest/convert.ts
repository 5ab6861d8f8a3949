import type * as certificates from '../../../../api/gen/certificates.k8s.io/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import { readSigningRequest } from '../../../pki/index.ts'
import {
  type CertificateView,
  kubeletClientSigner,
  kubeletClientViolation,
  kubeletServingSigner,
  kubeletServingViolation,
  legacyUnknownSigner,
} from '../signers.ts'

type Spec = certificates.CertificateSigningRequestSpec
/** v1beta1 defaults fields that v1 requires. */
type FormerSpec = Omit<Spec, 'signerName'> & Partial<Pick<Spec, 'signerName'>>

const usagesDefault = ['digital signature', 'key encipherment']

/**
 * The same request as v1, which names its signer: before 1.18 requests had none, and it is derived from their content.
 */
export function requestFromV1beta1(object: ApiObject): ApiObject {
  const { spec, status } = object as ApiObject & {
    readonly spec: FormerSpec
    readonly status?: certificates.CertificateSigningRequestStatus
  }
  const usages = spec.usages ?? usagesDefault
  const signerName = spec.signerName ?? signerOf(spec.request ?? '', usages)
  const conditions = status?.conditions?.map((condition) => ({ ...condition, status: condition.status || 'True' }))
  return {
    ...object,
    spec: { ...spec, usages, signerName },
    ...(conditions ? { status: { ...status, conditions } } : {}),
  } as ApiObject
}

function signerOf(request: string, usages: readonly string[]): string {
  let asked: CertificateView
  try {
    asked = readSigningRequest(Buffer.from(request, 'base64').toString('latin1'))
  } catch {
    return legacyUnknownSigner
  }
  if (kubeletClientViolation(asked, usages) === undefined) return kubeletClientSigner
  return kubeletServingViolation(asked, usages) === undefined ? kubeletServingSigner : legacyUnknownSigner
}

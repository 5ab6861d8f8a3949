import type * as certificates from '../../../api/gen/certificates.k8s.io/v1.ts'
import { quote } from '../../object/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { concernsSigningRequests, mayForSigner, type SignerQuestions } from '../signers.ts'

/** Approving and denying a signing request requires the permission to `approve` for its signer. */
export function createCertificateApproval(questions: SignerQuestions): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      if (!concernsSigningRequests(attributes, 'approval')) return undefined
      return check(questions, attributes)
    },
  }
}

async function check(questions: SignerQuestions, attributes: AdmissionAttributes): Promise<void> {
  // The old object's signer is checked: an update with another signer doesn't bypass the check.
  const { spec } = attributes.oldObject as certificates.CertificateSigningRequest
  if (await mayForSigner(questions, attributes, 'approve', spec.signerName)) return
  throw refusal(attributes, `user not permitted to approve requests with signerName ${quote(spec.signerName)}`)
}

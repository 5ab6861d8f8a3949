import type * as certificates from '../../../api/gen/certificates.k8s.io/v1.ts'
import { quote, semanticEqual } from '../../object/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { concernsSigningRequests, mayForSigner, type SignerQuestions } from '../signers.ts'

/** Issuing a certificate, and failing a request, requires the permission to `sign` for the signer. */
export function createCertificateSigning(questions: SignerQuestions): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      if (!concernsSigningRequests(attributes, 'status')) return undefined
      return check(questions, attributes)
    },
  }
}

async function check(questions: SignerQuestions, attributes: AdmissionAttributes): Promise<void> {
  const request = attributes.object as certificates.CertificateSigningRequest
  const old = attributes.oldObject as certificates.CertificateSigningRequest
  if (semanticEqual(decided(request), decided(old))) return
  const { signerName } = old.spec
  if (await mayForSigner(questions, attributes, 'sign', signerName)) return
  throw refusal(attributes, `user not permitted to sign requests with signerName ${quote(signerName)}`)
}

/** The parts of a status that belong to the signer. */
function decided({ status }: certificates.CertificateSigningRequest): object {
  return { certificate: status?.certificate || undefined, conditions: status?.conditions }
}

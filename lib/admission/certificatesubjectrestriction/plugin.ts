import type * as certificates from '../../../api/gen/certificates.k8s.io/v1.ts'
import { mastersGroup } from '../../request/index.ts'
import type { AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { concernsSigningRequests } from '../signers.ts'

interface CertificateSubjectRestrictionDependencies {
  /** The organizations in a signing request (base64 of PEM); throws when it can't be read. */
  organizationsOf(request: string): readonly string[]
}

const clientSigner = 'kubernetes.io/kube-apiserver-client'

/** Refuses requests for certificates of system:masters, whose members may do everything. */
export function createCertificateSubjectRestriction({
  organizationsOf,
}: CertificateSubjectRestrictionDependencies): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    handles: (operation) => operation === 'CREATE',
    validate(attributes) {
      if (!concernsSigningRequests(attributes, '')) return
      const { spec } = attributes.object as certificates.CertificateSigningRequest
      if (spec.signerName !== clientSigner) return
      let organizations: readonly string[]
      try {
        organizations = organizationsOf(spec.request ?? '')
      } catch (error) {
        throw refusal(attributes, `failed to parse CSR: ${error instanceof Error ? error.message : String(error)}`)
      }
      if (organizations.includes(mastersGroup))
        throw refusal(attributes, `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`)
    },
  }
}

import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import type { Metrics } from '../../base/index.ts'
import type { ApiObject } from '../../object/index.ts'
import { readCertificate } from '../../pki/index.ts'
import type { Registry } from '../../registry/index.ts'

/**
 * Allowed difference between a certificate's lifetime and the requested one: signers backdate certificates, and round.
 */
const toleranceMs = 5 * 60_000
const toleranceShare = 0.05

/** Counts the issued certificates whose request names a lifetime, and those that have it. */
export function countIssuedCertificates(registry: Registry, metrics: Metrics): void {
  const counter = (name: string, help: string) =>
    metrics.counter({ name, help, labels: ['signerName'], stability: 'ALPHA' })
  const requested = counter(
    'apiserver_certificates_registry_csr_requested_duration_total',
    'Certificates issued for requests that name a lifetime, by signer; all signers but those of kubernetes.io are one.',
  )
  const honored = counter(
    'apiserver_certificates_registry_csr_honored_duration_total',
    'Certificates issued with the lifetime that their requests name, by signer; all but those of kubernetes.io are one.',
  )
  registry.resource({ group: 'certificates.k8s.io', resource: 'certificatesigningrequests' })?.hook({
    afterUpdate(object, old) {
      const { spec, certificate } = partsOf(old)
      const issued = partsOf(object).certificate
      if (certificate || !issued || spec.expirationSeconds === undefined) return
      const signer = spec.signerName.startsWith('kubernetes.io/') ? spec.signerName : 'other'
      requested.add([signer])
      if (isHonored(spec.expirationSeconds * 1000, Buffer.from(issued, 'base64'))) honored.add([signer])
    },
  })
}

function partsOf(object: ApiObject): Pick<CertificateSigningRequest, 'spec'> & { certificate: string | undefined } {
  const { spec, status } = object as CertificateSigningRequest
  return { spec, certificate: status?.certificate }
}

/** Validation has checked that the first block is a certificate. */
function isHonored(wantedMs: number, pem: Buffer): boolean {
  const { validFrom, validTo } = readCertificate(pem.toString('latin1'))
  const difference = Math.abs(wantedMs - (Date.parse(validTo) - Date.parse(validFrom)))
  return difference < toleranceMs + wantedMs * toleranceShare
}

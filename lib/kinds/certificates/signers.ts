/** The parts of a certificate request that rules check. */
export interface CertificateView {
  readonly commonName: string
  readonly organizations: readonly string[]
  readonly dnsNames: readonly string[]
  readonly ipAddresses: readonly string[]
  readonly emailAddresses: readonly string[]
  readonly uris: readonly string[]
}

export const apiserverClientSigner = 'kubernetes.io/kube-apiserver-client'
export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet'
export const kubeletServingSigner = 'kubernetes.io/kubelet-serving'
export const legacyUnknownSigner = 'kubernetes.io/legacy-unknown'

/** A signer in the domain that is reserved for Kubernetes. */
export function isKubernetesSigner(signer: string): boolean {
  const [domain = ''] = signer.split('/', 1)
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io')
}

/** Returns why a signer must not sign the request; undefined if it may. */
export type SignerRule = (asked: CertificateView, usages: readonly string[]) => string | undefined

export const signerRules: Readonly<Record<string, SignerRule>> = {
  [apiserverClientSigner]: apiserverClientViolation,
  [kubeletClientSigner]: kubeletClientViolation,
  [kubeletServingSigner]: kubeletServingViolation,
  [legacyUnknownSigner]: () => undefined,
}

const nodesGroup = 'system:nodes'
const nodePrefix = 'system:node:'
const clientUsages = ['digital signature', 'key encipherment', 'client auth']

function apiserverClientViolation(_asked: CertificateView, usages: readonly string[]): string | undefined {
  const wrong = usages.find((usage) => !clientUsages.includes(usage))
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth'
}

export function kubeletClientViolation(asked: CertificateView, usages: readonly string[]): string | undefined {
  const wrongSubject = nodeSubjectViolation(asked)
  if (wrongSubject !== undefined) return wrongSubject
  if (asked.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed'
  if (asked.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed'
  if (asked.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed'
  if (asked.uris.length > 0) return 'URI subjectAltNames are not allowed'
  return usagesAre(usages, 'client auth')
    ? undefined
    : 'usages did not match [digital signature key encipherment client auth] or [digital signature client auth]'
}

export function kubeletServingViolation(asked: CertificateView, usages: readonly string[]): string | undefined {
  const wrongSubject = nodeSubjectViolation(asked)
  if (wrongSubject !== undefined) return wrongSubject
  if (asked.dnsNames.length === 0 && asked.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required'
  if (asked.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed'
  if (asked.uris.length > 0) return 'URI subjectAltNames are not allowed'
  return usagesAre(usages, 'server auth')
    ? undefined
    : 'usages did not match [digital signature key encipherment server auth] or [digital signature server auth]'
}

function nodeSubjectViolation({ commonName, organizations }: CertificateView): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== nodesGroup) return `subject organization is not ${nodesGroup}`
  return commonName.startsWith(nodePrefix) ? undefined : `subject common name does not begin with ${nodePrefix}`
}

/** Whether the usages are the purpose and digital signature, with or without key encipherment. */
function usagesAre(usages: readonly string[], purpose: string): boolean {
  const given = new Set(usages)
  const optional = given.delete('key encipherment') ? 1 : 0
  return given.size === 2 && given.has('digital signature') && given.has(purpose) && usages.length === 2 + optional
}

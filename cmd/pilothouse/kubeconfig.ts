interface Access {
  readonly url: string
  readonly token: string
  /** PEM; absent when the client trusts the certificate's authority anyway. */
  readonly caCertificate?: string
}

/** True for a kubeconfig with this access, whatever else its owner has added (a namespace, other clusters). */
export function givesAccess(kubeconfig: string, { url, token, caCertificate }: Access): boolean {
  const fields = new Set(kubeconfig.split('\n').map((line) => line.trim()))
  const authority = caCertificate && `certificate-authority-data: ${Buffer.from(caCertificate).toString('base64')}`
  return (
    fields.has(`server: ${url}`) &&
    fields.has(`token: ${token}`) &&
    (authority ? fields.has(authority) : !kubeconfig.includes('certificate-authority-data'))
  )
}

/** A kubeconfig with one cluster, one user and one context. */
export function formatKubeconfig({ url, token, caCertificate }: Access): string {
  const authority =
    caCertificate === undefined
      ? ''
      : `\n    certificate-authority-data: ${Buffer.from(caCertificate).toString('base64')}`
  return `apiVersion: v1
kind: Config
current-context: pilothouse
clusters:
- name: pilothouse
  cluster:
    server: ${url}${authority}
users:
- name: pilothouse-admin
  user:
    token: ${token}
contexts:
- name: pilothouse
  context:
    cluster: pilothouse
    user: pilothouse-admin
    namespace: default
`
}

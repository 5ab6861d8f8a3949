interface Access {
  readonly url: string
  readonly token: string
  /** PEM; absent: the server's certificate is of an authority that the client trusts anyway. */
  readonly caCertificate?: string
}

/** True of a kubeconfig that gives this access, whatever else its owner has set in it (a namespace, other clusters). */
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

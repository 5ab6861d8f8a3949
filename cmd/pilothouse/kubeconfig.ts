export interface Access {
  readonly url: string
  readonly token: string
  /** PEM; absent: the server's certificate is of an authority that the client trusts anyway. */
  readonly caCertificate?: string
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

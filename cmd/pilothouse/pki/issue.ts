import type { Authority } from '../../../lib/pki/index.ts'
import type { PkiFolder } from './files.ts'
import type { CertificateEntry, KubeconfigEntry } from './layout.ts'

interface Terms {
  /** DNS names and addresses of a serving certificate. */
  readonly names: readonly string[]
  readonly validMs: number
}

export async function issueCertificate(
  folder: PkiFolder,
  authority: Authority,
  { path, commonName, organizations = [], usage }: CertificateEntry,
  { names, validMs }: Terms,
): Promise<void> {
  await folder.writePair(path, authority.issue({ commonName, organizations, usage, names, validMs }))
}

export async function issueKubeconfig(
  folder: PkiFolder,
  authority: Authority,
  { file, commonName, organizations = [], usage }: KubeconfigEntry,
  { server, validMs }: { readonly server: string; readonly validMs: number },
): Promise<void> {
  const pair = authority.issue({ commonName, organizations, usage, validMs })
  const encode = (text: string): string => Buffer.from(text).toString('base64')
  const text = `apiVersion: v1
kind: Config
current-context: ${commonName}@kubernetes
clusters:
- name: kubernetes
  cluster:
    server: ${server}
    certificate-authority-data: ${encode(authority.certificate)}
users:
- name: ${commonName}
  user:
    client-certificate-data: ${encode(pair.certificate)}
    client-key-data: ${encode(pair.key)}
contexts:
- name: ${commonName}@kubernetes
  context:
    cluster: kubernetes
    user: ${commonName}
`
  await folder.write(file, text, 0o600)
}

/** The client certificate in a kubeconfig made here, and its server. */
export function readKubeconfigParts(
  text: string,
): { readonly certificate: string; readonly server: string } | undefined {
  const field = (name: string): string | undefined => new RegExp(`^\\s*${name}: (\\S+)$`, 'm').exec(text)?.[1]
  const [data, server] = [field('client-certificate-data'), field('server')]
  if (data === undefined || server === undefined) return undefined
  return { certificate: Buffer.from(data, 'base64').toString(), server }
}

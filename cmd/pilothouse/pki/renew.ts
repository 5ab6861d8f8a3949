import { StartError } from '../../../lib/controlplane/index.ts'
import { type Authority, readCertificate, readSubject } from '../../../lib/pki/index.ts'
import type { PkiFolder } from './files.ts'
import { issueCertificate, issueKubeconfig, readKubeconfigParts } from './issue.ts'
import { type AuthorityName, type CertificateEntry, certificates, type KubeconfigEntry, kubeconfigs } from './layout.ts'

/**
 * Issues new certificates and keys for the groups, names and server of the present ones (an administrator of
 * system:masters from an earlier release keeps that group). Authorities and the service account key are kept: replacing
 * those needs a rotation over the whole cluster.
 */
export async function renew(folder: PkiFolder, names: readonly string[], validMs: number): Promise<void> {
  const signers = new Map<AuthorityName, Authority>()
  for (const name of names) {
    const entry = renewableEntries.get(name)
    if (!entry) throw new StartError(`${name} can't be renewed; these can: ${renewable.join(', ')}`)
    const signer = signers.get(entry.authority) ?? (await folder.authority(entry.authority))
    if (!signer) throw new StartError(`there is no authority to sign ${name}: run \`pilothouse pki init\` first`)
    signers.set(entry.authority, signer)
    if ('path' in entry) {
      const { certificate } = await folder.readPair(entry.path)
      if (certificate === undefined) throw new StartError(`there is no ${entry.path}.crt to renew`)
      const renewed = { ...entry, organizations: groupsOf(certificate) }
      await issueCertificate(folder, signer, renewed, { names: alternativeNames(certificate), validMs })
    } else {
      const parts = readKubeconfigParts((await folder.read(entry.file)) ?? '')
      if (!parts) throw new StartError(`there is no ${entry.file} with a client certificate to renew`)
      const renewed = { ...entry, organizations: groupsOf(parts.certificate) }
      await issueKubeconfig(folder, signer, renewed, { server: parts.server, validMs })
    }
  }
}

const renewableEntries: ReadonlyMap<string, CertificateEntry | KubeconfigEntry> = new Map<
  string,
  CertificateEntry | KubeconfigEntry
>([...Object.entries(certificates), ...Object.entries(kubeconfigs)])
export const renewable: readonly string[] = [...renewableEntries.keys()]

function groupsOf(pem: string): readonly string[] {
  return readSubject(readCertificate(pem)).organizations
}

/** `DNS:a.example, IP Address:10.0.0.1`, as Node writes them; names here contain no commas. */
export function alternativeNames(pem: string): string[] {
  const { subjectAltName = '' } = readCertificate(pem)
  return subjectAltName
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
    .filter((name) => name !== '')
}

import { generateKeyPairSync } from 'node:crypto'
import { type Authority, createAuthority } from '../../../lib/pki/index.ts'
import type { PkiFolder, PkiServices } from './files.ts'
import { issueCertificate, issueKubeconfig } from './issue.ts'
import { type AuthorityName, accountKeyPath, authorities, certificates, kubeconfigs } from './layout.ts'

export interface InitOptions {
  readonly names: Readonly<Record<'apiserver' | 'etcd', readonly string[]>>
  /** URL of the API server, in kubeconfigs. */
  readonly server: string
  readonly validMs: number
}

/** Creates missing files and keeps existing ones. Returns the files' names without their endings. */
export async function init(
  folder: PkiFolder,
  services: PkiServices,
  { names, server, validMs }: InitOptions,
): Promise<{ readonly made: readonly string[]; readonly kept: readonly string[] }> {
  const made: string[] = []
  const kept: string[] = []
  const known = new Map<AuthorityName, Authority>()
  for (const [name, { path, commonName }] of Object.entries(authorities) as [
    AuthorityName,
    { path: string; commonName: string },
  ][]) {
    const existing = await folder.authority(name)
    const authority = existing ?? createAuthority(services, { commonName })
    if (!existing) await folder.writePair(path, authority)
    ;(existing ? kept : made).push(path)
    known.set(name, authority)
  }
  const signer = (name: AuthorityName): Authority => known.get(name) as Authority // all were added above
  for (const entry of Object.values(certificates)) {
    const { certificate, key } = await folder.readPair(entry.path)
    if (certificate !== undefined && key !== undefined) {
      kept.push(entry.path)
      continue
    }
    const terms = { names: entry.names === undefined ? [] : names[entry.names], validMs }
    await issueCertificate(folder, signer(entry.authority), entry, terms)
    made.push(entry.path)
  }
  const hasAccountKey = (await folder.read(`${accountKeyPath}.key`)) !== undefined
  if (!hasAccountKey) await makeAccountKey(folder)
  ;(hasAccountKey ? kept : made).push(accountKeyPath)
  for (const entry of Object.values(kubeconfigs)) {
    const isThere = (await folder.read(entry.file)) !== undefined
    if (!isThere) await issueKubeconfig(folder, signer(entry.authority), entry, { server, validMs })
    ;(isThere ? kept : made).push(entry.file)
  }
  return { made, kept }
}

async function makeAccountKey(folder: PkiFolder): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await folder.write(`${accountKeyPath}.key`, privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(), 0o600)
  await folder.write(`${accountKeyPath}.pub`, publicKey.export({ type: 'spki', format: 'pem' }).toString(), 0o644)
}

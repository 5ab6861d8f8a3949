import { generateKeyPairSync } from 'node:crypto'
import { chmod, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TokenEntry } from '../../lib/authn/index.ts'
import { type Clock, makeFolder, type Random } from '../../lib/base/index.ts'
import type { ControllerSettings } from '../../lib/controller/index.ts'
import { reasonOf, StartError } from '../../lib/controlplane/index.ts'
import {
  type Authority,
  createAuthority,
  ensureServingPair,
  type KeyPair,
  readCertificate,
} from '../../lib/pki/index.ts'
import { mastersGroup } from '../../lib/request/index.ts'

/** The certificate authority, the serving certificate and the administrator's token of a control plane. */
export interface Credentials {
  /** PEM. */
  readonly caCertificate: string
  readonly caKey: string
  readonly serving: KeyPair
  /** Bearer token of a member of system:masters. */
  readonly adminToken: string
  /** PEM; signs service account tokens. */
  readonly tokenKey: string
}

/** The same, kept in a folder. */
export interface KeptCredentials extends Credentials {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
  readonly tokenKeyFile: string
}

type Services = { readonly clock: Clock; readonly random: Random }

/** The issuer in service account tokens, as in other clusters. */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local'
const authorityName = 'pilothouse'

/** For a control plane that leaves nothing behind. */
export function makeCredentials(services: Services, names: readonly string[]): Credentials {
  const authority = createAuthority(services, { commonName: authorityName })
  const serving = authority.issue({ commonName: 'pilothouse-apiserver', usage: 'server', names })
  return {
    caCertificate: authority.certificate,
    caKey: authority.key,
    serving,
    adminToken: makeToken(services.random),
    tokenKey: makeTokenKey(),
  }
}

/**
 * The credentials in `folder`, made where they are missing: an authority, a serving certificate of it for `names`, and
 * the administrator's token. The serving certificate may lie in another folder, `certDir`. Secrets are readable by the owner alone. Rejects with StartError when the folder can't be
 * used.
 */
export async function keepCredentials(
  services: Services,
  folder: string,
  names: readonly string[],
  certDir = join(folder, 'pki'),
): Promise<KeptCredentials> {
  try {
    const pki = join(folder, 'pki')
    makeFolder(pki, 0o700)
    await chmod(folder, 0o700)
    const authority = await keepAuthority(services, pki)
    const serving = await ensureServingPair(services, { folder: certDir, names, authority })
    const adminToken = await keepText(join(folder, 'admin.token'), () => makeToken(services.random))
    const tokenKeyFile = join(pki, 'sa.key')
    const tokenKey = await keepText(tokenKeyFile, makeTokenKey)
    return {
      tokenKey,
      tokenKeyFile,
      caCertificate: authority.certificate,
      caKey: authority.key,
      caFile: join(pki, 'ca.crt'),
      serving,
      certFile: serving.certificateFile,
      keyFile: serving.keyFile,
      adminToken: adminToken.trim(),
    }
  } catch (error) {
    throw new StartError(`the data folder ${folder} can't be used: ${reasonOf(error)}`, { cause: error })
  }
}

/** The cluster's own authority signs for every signer. */
export function signersOf({ caCertificate, caKey }: Credentials): ControllerSettings['clusterSigning'] {
  const pair = { certificate: caCertificate, key: caKey }
  return { kubeApiserverClient: pair, kubeletClient: pair, kubeletServing: pair, legacyUnknown: pair }
}

async function keepAuthority(services: Services, pki: string): Promise<Authority> {
  const keyFile = join(pki, 'ca.key')
  const certFile = join(pki, 'ca.crt')
  const [certificate, key] = await Promise.all([readIfThere(certFile), readIfThere(keyFile)])
  if (certificate !== undefined && key !== undefined && !isOver(certificate, services.clock))
    return createAuthority(services, { existing: { certificate, key } })
  const authority = createAuthority(services, { commonName: authorityName })
  await writeSafely(keyFile, authority.key, 0o600)
  await writeSafely(certFile, authority.certificate, 0o644)
  return authority
}

function isOver(certificate: string, clock: Clock): boolean {
  return readCertificate(certificate).validToDate.getTime() <= clock.now()
}

async function keepText(path: string, make: () => string): Promise<string> {
  const found = await readIfThere(path)
  if (found !== undefined && found.trim() !== '') return found
  const made = make()
  await writeSafely(path, made.endsWith('\n') ? made : `${made}\n`, 0o600)
  return made
}

/** ECDSA: made and used in no time. */
function makeTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** 32 random bytes. */
function makeToken(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/** The user of the administrator's token: everything is allowed to it. */
export function adminEntry(token: string): TokenEntry {
  const name = 'pilothouse:admin'
  return { token, user: { name, uid: name, groups: [mastersGroup], extra: {} } }
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** All of it or nothing, also when the machine fails in the middle. */
export async function writeSafely(path: string, content: string, mode: number): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', mode)
  try {
    await file.chmod(mode)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

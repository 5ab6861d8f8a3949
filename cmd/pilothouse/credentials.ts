import { generateKeyPairSync } from 'node:crypto'
import { chmod, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TokenEntry } from '../../lib/authn/index.ts'
import { type Clock, ensureFolder, type Random } from '../../lib/base/index.ts'
import type { ControllerSettings } from '../../lib/controller/index.ts'
import { reasonOf, StartError } from '../../lib/controlplane/index.ts'
import {
  type Authority,
  createAuthority,
  type KeyPair,
  readCertificate,
  renewServingPair,
  type ServingPair,
} from '../../lib/pki/index.ts'
import { mastersGroup } from '../../lib/request/index.ts'
import { pairInCertDir } from '../certdir.ts'

/** The certificate authority, the serving certificate and the administrator's token of a control plane. */
export interface Credentials {
  /** PEM. */
  readonly caCertificate: string
  readonly caKey: string
  /** Shown to kubelets. */
  readonly kubeletClient: KeyPair
  readonly frontProxy: FrontProxy
  /** Bearer token of a member of system:masters. */
  readonly adminToken: string
  /** PEM; signs service account tokens. */
  readonly tokenKey: string
}

/** The authority of the front proxy, which is not that of clients, and the certificate shown to aggregated servers. */
export interface FrontProxy {
  /** PEM. */
  readonly authority: string
  readonly client: KeyPair
}

/** Credentials stored in a folder. */
export interface KeptCredentials extends Credentials {
  readonly frontProxyCaFile: string
  readonly caFile: string
  readonly tokenKeyFile: string
}

/** A serving certificate, and whether the control plane's own authority has signed it. */
export interface KeptServingPair extends ServingPair {
  readonly isOwn: boolean
}

type Services = { readonly clock: Clock; readonly random: Random }

/** The issuer of service account tokens, as in other clusters. */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local'
const authorityName = 'pilothouse'
const frontProxyAuthorityName = 'front-proxy-ca'
const tenYearsMs = 10 * 365 * 24 * 3600 * 1000

/** Credentials that are not stored. */
export function makeCredentials(
  services: Services,
  names: readonly string[],
): Credentials & { readonly serving: KeyPair } {
  const authority = createAuthority(services, { commonName: authorityName })
  return {
    caCertificate: authority.certificate,
    caKey: authority.key,
    serving: authority.issue({ commonName: 'pilothouse-apiserver', usage: 'server', names }),
    kubeletClient: issueKubeletClient(authority),
    frontProxy: frontProxyOf(createAuthority(services, { commonName: frontProxyAuthorityName })),
    adminToken: makeToken(services.random),
    tokenKey: makeTokenKey(),
  }
}

/**
 * The credentials in `folder`; missing ones are created: an authority, the key of tokens, and the administrator's token.
 * Secrets are readable by the owner only. Rejects with StartError when the folder can't be used.
 */
export async function keepCredentials(services: Services, folder: string): Promise<KeptCredentials> {
  return await inFolder(folder, async () => {
    const pki = join(folder, 'pki')
    ensureFolder(pki, 0o700)
    await chmod(folder, 0o700)
    const authority = await keepAuthority(services, pki, 'ca', authorityName)
    const proxyAuthority = await keepAuthority(services, pki, frontProxyAuthorityName, frontProxyAuthorityName)
    const adminToken = await keepText(join(folder, 'admin.token'), () => makeToken(services.random))
    const tokenKeyFile = join(pki, 'sa.key')
    const tokenKey = await keepText(tokenKeyFile, makeTokenKey)
    return {
      tokenKey,
      tokenKeyFile,
      caCertificate: authority.certificate,
      caKey: authority.key,
      caFile: join(pki, 'ca.crt'),
      kubeletClient: issueKubeletClient(authority),
      frontProxy: frontProxyOf(proxyAuthority),
      frontProxyCaFile: join(pki, `${frontProxyAuthorityName}.crt`),
      adminToken: adminToken.trim(),
    }
  })
}

/** The serving certificate in `folder`: signed by the authority there, and signed again in time. */
export async function keepServingPair(
  services: Services,
  folder: string,
  { caCertificate, caKey }: Credentials,
  names: readonly string[],
): Promise<KeptServingPair> {
  return await inFolder(folder, async () => {
    const authority = createAuthority(services, { existing: { certificate: caCertificate, key: caKey } })
    const pair = await renewServingPair(services, { folder: join(folder, 'pki'), names, authority })
    return { ...pair, isOwn: true }
  })
}

/** The serving certificate in --cert-dir: the operator's where there is one, else one that the own authority signs. */
export async function findServingPair(
  services: Services,
  certDir: string,
  { caCertificate, caKey }: Credentials,
  names: readonly string[],
): Promise<KeptServingPair> {
  const authority = createAuthority(services, { existing: { certificate: caCertificate, key: caKey } })
  const pair = await pairInCertDir(services, { folder: certDir, names, authority })
  return { ...pair, isOwn: isSignedBy(caCertificate, pair.certificate) }
}

/** False for a certificate that can't be read: it is refused where it is put to use. */
function isSignedBy(authority: string, certificate: string): boolean {
  try {
    return readCertificate(certificate).verify(readCertificate(authority).publicKey)
  } catch {
    return false
  }
}

async function inFolder<Result>(folder: string, keep: () => Promise<Result>): Promise<Result> {
  try {
    return await keep()
  } catch (error) {
    throw new StartError(`the data folder ${folder} can't be used: ${reasonOf(error)}`, { cause: error })
  }
}

/** As the server's configuration has it. */
export function kubeletClientOf({ kubeletClient: { certificate, key } }: Credentials): { cert: string; key: string } {
  return { cert: certificate, key }
}

/** Made at each start: kubelets ask this server what its user may do, and members of this group may do everything. */
function issueKubeletClient(authority: Authority): KeyPair {
  return authority.issue({
    commonName: 'kube-apiserver-kubelet-client',
    organizations: [mastersGroup],
    usage: 'client',
    validMs: tenYearsMs,
  })
}

function frontProxyOf(authority: Authority): FrontProxy {
  const client = authority.issue({ commonName: 'front-proxy-client', usage: 'client', validMs: tenYearsMs })
  return { authority: authority.certificate, client }
}

/** The authority of these credentials, to sign with. */
export function authorityOf(services: Services, { caCertificate, caKey }: Credentials): Authority {
  return createAuthority(services, { existing: { certificate: caCertificate, key: caKey } })
}

/** The cluster's own authority signs for every signer. */
export function signersOf({ caCertificate, caKey }: Credentials): ControllerSettings['clusterSigning'] {
  const pair = { certificate: caCertificate, key: caKey }
  return { kubeApiserverClient: pair, kubeletClient: pair, kubeletServing: pair, legacyUnknown: pair }
}

async function keepAuthority(services: Services, pki: string, file: string, commonName: string): Promise<Authority> {
  const keyFile = join(pki, `${file}.key`)
  const certFile = join(pki, `${file}.crt`)
  const [certificate, key] = await Promise.all([readIfThere(certFile), readIfThere(keyFile)])
  if (certificate !== undefined && key !== undefined && !isOver(certificate, services.clock))
    return createAuthority(services, { existing: { certificate, key } })
  const authority = createAuthority(services, { commonName })
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

/** ECDSA: fast to make and to use. */
function makeTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** 32 random bytes. */
function makeToken(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/** The user of the administrator's token, who may do everything. */
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

/** Writes the whole file or nothing, even if the machine fails meanwhile. */
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

import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import {
  type Clock,
  type Closable,
  FileError,
  type FollowedFiles,
  followFiles,
  type Logger,
  type Metrics,
  type TextOf,
} from '../../base/index.ts'
import { normalizeAuthorities, readCertificate } from '../../pki/index.ts'

/** A certificate chain and its key, PEM. */
interface CertificatePair {
  readonly cert: string
  readonly key: string
}

export interface TlsMaterial {
  /** For clients whose server name no other pair has. */
  readonly serving: CertificatePair
  /** Names are exact or start with `*.`; the first match is used. */
  readonly named: readonly (CertificatePair & { readonly names: readonly string[] })[]
  /** Certificate authorities of clients, PEM, which the handshake lists. '' requests no certificate. */
  readonly clientAuthorities: string
  /** The same for front proxies, which authenticate users themselves. */
  readonly proxyAuthorities?: string
}

export interface CertificateProvider {
  current(): TlsMaterial
  /** Called with the material that replaces the current one. */
  onChange(changed: (material: TlsMaterial) => void): Closable
}

/** For tests, and certificates made at start. */
export function fixedCertificates(material: TlsMaterial): CertificateProvider {
  return { current: () => material, onChange: () => ({ close() {} }) }
}

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
  /** --tls-sni-cert-key; without names, the certificate's own are used. */
  readonly named?: readonly { certFile: string; keyFile: string; names: readonly string[] }[]
  readonly clientAuthorityFile?: string
  readonly proxyAuthorityFile?: string
}

const pollMs = 10_000

/**
 * Follows the files as one: half of a rotation, such as a key that does not match its certificate yet, or an unreadable
 * bundle of authorities, changes nothing. Rejects when they are unusable at the start.
 */
export async function watchCertificateFiles(
  services: { clock: Clock; log: Logger; metrics: Metrics },
  files: CertificateFiles,
): Promise<FollowedFiles<TlsMaterial>> {
  return await followFiles(services, {
    what: 'serving certificates and certificate authorities',
    paths: pathsOf(files),
    pollMs,
    metrics: { prefix: 'apiserver_serving_certificates', stability: 'ALPHA' },
    load: (textOf) => load(textOf, files),
  })
}

function pathsOf(files: CertificateFiles): string[] {
  const named = files.named ?? []
  const pairs = [files, ...named].flatMap(({ certFile, keyFile }) => [certFile, keyFile])
  const authorities = [files.clientAuthorityFile, files.proxyAuthorityFile].filter((path) => path !== undefined)
  return [...pairs, ...authorities]
}

function load(textOf: TextOf, files: CertificateFiles): TlsMaterial {
  const named = givenNamesFirst(files.named ?? []).map((entry) => {
    const pair = loadPair(textOf, entry)
    return { ...pair, names: entry.names.length > 0 ? entry.names : namesOf(pair.cert) }
  })
  return {
    serving: loadPair(textOf, files),
    named,
    clientAuthorities: loadAuthorities(textOf, files.clientAuthorityFile),
    proxyAuthorities: loadAuthorities(textOf, files.proxyAuthorityFile),
  }
}

/** '' without a file. TLS and authentication trust the same bundle, so one that either can't read is refused here. */
function loadAuthorities(textOf: TextOf, path: string | undefined): string {
  if (path === undefined) return ''
  const pem = textOf(path)
  try {
    const authorities = normalizeAuthorities(pem)
    createSecureContext({ ca: authorities })
    return authorities
  } catch (cause) {
    throw new FileError(path, '', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function loadPair(textOf: TextOf, { certFile, keyFile }: { certFile: string; keyFile: string }): CertificatePair {
  const [cert, key] = [textOf(certFile), textOf(keyFile)]
  const certificate = readFor(certFile, 'it holds no certificate in PEM', () => readCertificate(cert))
  const privateKey = readFor(keyFile, 'it holds no private key in PEM', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Error(`private key ${keyFile} does not match certificate ${certFile}`)
  }
  // Without `ca` it would read Node's own 140 authorities.
  readFor(certFile, "TLS can't serve it", () => createSecureContext({ cert, key, ca: [] }))
  return { cert, key }
}

/** Adds the file's path, which OpenSSL's errors lack. */
function readFor<Read>(path: string, otherwise: string, read: () => Read): Read {
  try {
    return read()
  } catch (cause) {
    throw new FileError(path, '', otherwise, { cause })
  }
}

/** Configured names take precedence over those in certificates. */
function givenNamesFirst<Entry extends { readonly names: readonly string[] }>(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((one, other) => Number(one.names.length === 0) - Number(other.names.length === 0))
}

/** The certificate's common name, if it is a host name, and its DNS names. */
function namesOf(cert: string): string[] {
  const { subjectAltName, subject } = readCertificate(cert)
  const common = /^CN=(.+)$/m.exec(subject)?.[1]
  const isHost = common !== undefined && isIP(common) === 0 && hostName.test(common)
  return [
    ...(isHost ? [common] : []),
    ...[...(subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map((found) => found[1] ?? ''),
  ]
}

const hostName = /^(\*|(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Clock, Closable, Logger } from '../../base/index.ts'

/** A certificate chain and its key, PEM. */
interface CertificatePair {
  readonly cert: string
  readonly key: string
}

export interface TlsMaterial {
  /** For clients whose server name no other pair takes. */
  readonly serving: CertificatePair
  /** Names are exact or start with `*.`; the first that fits is taken. */
  readonly named: readonly (CertificatePair & { readonly names: readonly string[] })[]
  /** Certificate authorities that clients are told of, PEM; '' asks no client for a certificate. */
  readonly clientAuthorities: string
  /** The same for front proxies, which speak for others. */
  readonly proxyAuthorities?: string
}

export interface CertificateProvider {
  current(): TlsMaterial
  /** Called with material that replaces the current one. */
  onChange(changed: (material: TlsMaterial) => void): Closable
}

/** Always the same: for tests and certificates made at start. */
export function fixedCertificates(material: TlsMaterial): CertificateProvider {
  return { current: () => material, onChange: () => ({ close() {} }) }
}

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
  /** --tls-sni-cert-key; without names those of the certificate are taken. */
  readonly named?: readonly { certFile: string; keyFile: string; names: readonly string[] }[]
  readonly clientAuthorityFile?: string
  readonly proxyAuthorityFile?: string
}

const pollMs = 10_000

/**
 * Reads the files and looks every ten seconds whether one has changed. New files are taken only as a whole: a key
 * that does not fit its certificate, as in the middle of a rotation, leaves everything as it was until the next look.
 * Rejects when the first read fails.
 */
export async function watchCertificateFiles(
  { clock, log }: { clock: Clock; log: Logger },
  files: CertificateFiles,
): Promise<CertificateProvider & Closable & { check(): Promise<void> }> {
  const listeners = new Set<(material: TlsMaterial) => void>()
  let print = await fingerprint(files)
  let material = await load(files)

  async function check(): Promise<void> {
    try {
      const seen = await fingerprint(files)
      if (seen === print) return
      const next = await load(files)
      print = seen
      material = next
      log.info('serving certificates reloaded')
      for (const listener of listeners) listener(next)
    } catch (error) {
      log.error('serving certificates not reloaded, the old ones stay', { error })
    }
  }

  const timer = clock.every(pollMs, () => void check())
  return {
    current: () => material,
    onChange(changed) {
      listeners.add(changed)
      return { close: () => void listeners.delete(changed) }
    },
    check,
    close: () => timer.close(),
  }
}

function pathsOf(files: CertificateFiles): string[] {
  const named = files.named ?? []
  const pairs = [files, ...named].flatMap(({ certFile, keyFile }) => [certFile, keyFile])
  const authorities = [files.clientAuthorityFile, files.proxyAuthorityFile].filter((path) => path !== undefined)
  return [...pairs, ...authorities]
}

/** Changes when a file does, be it written in place or replaced through a link. */
async function fingerprint(files: CertificateFiles): Promise<string> {
  const parts = await Promise.all(
    pathsOf(files).map(async (path) => {
      const { ino, size, mtimeMs } = await stat(path)
      return `${ino}.${size}.${mtimeMs}`
    }),
  )
  return parts.join(' ')
}

async function load(files: CertificateFiles): Promise<TlsMaterial> {
  const [serving, named, clientAuthorities, proxyAuthorities] = await Promise.all([
    loadPair(files),
    Promise.all(
      givenNamesFirst(files.named ?? []).map(async (entry) => {
        const pair = await loadPair(entry)
        return { ...pair, names: entry.names.length > 0 ? entry.names : namesOf(pair.cert) }
      }),
    ),
    files.clientAuthorityFile === undefined ? '' : readFile(files.clientAuthorityFile, 'utf8'),
    files.proxyAuthorityFile === undefined ? '' : readFile(files.proxyAuthorityFile, 'utf8'),
  ])
  return { serving, named, clientAuthorities, proxyAuthorities }
}

async function loadPair({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<CertificatePair> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  const certificate = readPem(certFile, 'certificate', () => new X509Certificate(cert))
  const privateKey = readPem(keyFile, 'private key', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Error(`private key ${keyFile} does not match certificate ${certFile}`)
  }
  return { cert, key }
}

/** OpenSSL's words name no file. */
function readPem<Read>(file: string, what: string, read: () => Read): Read {
  try {
    return read()
  } catch (cause) {
    throw new Error(`${file} holds no ${what} in PEM`, { cause })
  }
}

/** Names that the operator gives go before those that certificates have. */
function givenNamesFirst<Entry extends { readonly names: readonly string[] }>(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((one, other) => Number(one.names.length === 0) - Number(other.names.length === 0))
}

/** The common name of a certificate, where it is a name of a host, and its DNS names. */
function namesOf(cert: string): string[] {
  const { subjectAltName, subject } = new X509Certificate(cert)
  const common = /^CN=(.+)$/m.exec(subject)?.[1]
  const isHost = common !== undefined && isIP(common) === 0 && hostName.test(common)
  return [
    ...(isHost ? [common] : []),
    ...[...(subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map((found) => found[1] ?? ''),
  ]
}

const hostName = /^(\*|(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/

import { createPrivateKey } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, makeFolder, type Random } from '../base/index.ts'
import { type Authority, createAuthority, type KeyPair } from './authority.ts'
import { readCertificate } from './certificates.ts'
import { isAddress } from './names.ts'

interface ServingPairOptions {
  /** --cert-dir; made when it isn't there. */
  readonly folder: string
  readonly names: readonly string[]
  /** Signs the certificate. Absent: one that is made for it and thrown away. */
  readonly authority?: Authority
}

/** In --cert-dir, as the stock server names them. */
const certificateFileNames = { certificate: 'apiserver.crt', key: 'apiserver.key' } as const

const renewBeforeMs = 30 * 24 * 3600 * 1000

/**
 * The pair in `folder`, made there when there is none, or it expires within a month, or it lacks one of the names. The certificate
 * file holds the authority's certificate too; the authority's key is thrown away. Rejects when the folder can't be used.
 */
export async function ensureServingPair(
  dependencies: { clock: Clock; random: Random },
  { folder, names, authority: given }: ServingPairOptions,
): Promise<KeyPair & { certificateFile: string; keyFile: string }> {
  const certificateFile = join(folder, certificateFileNames.certificate)
  const keyFile = join(folder, certificateFileNames.key)
  const found = await readPair(certificateFile, keyFile)
  if (found && isUsable(found, names, dependencies.clock.now(), given)) return { ...found, certificateFile, keyFile }
  const nowSeconds = Math.floor(dependencies.clock.now() / 1000)
  const authority = given ?? createAuthority(dependencies, { commonName: `pilothouse-ca@${nowSeconds}` })
  const issued = authority.issue({ commonName: `pilothouse@${nowSeconds}`, usage: 'server', names })
  const pair = { certificate: issued.certificate + authority.certificate, key: issued.key }
  makeFolder(folder, 0o755)
  await replaceFile(keyFile, pair.key, 0o600)
  await replaceFile(certificateFile, pair.certificate, 0o644)
  return { ...pair, certificateFile, keyFile }
}

async function readPair(certificateFile: string, keyFile: string): Promise<KeyPair | undefined> {
  try {
    const [certificate, key] = await Promise.all([readFile(certificateFile, 'utf8'), readFile(keyFile, 'utf8')])
    return { certificate, key }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function isUsable(
  { certificate, key }: KeyPair,
  names: readonly string[],
  nowMs: number,
  authority: Authority | undefined,
): boolean {
  try {
    const leaf = readCertificate(certificate)
    if (nowMs < leaf.validFromDate.getTime() || nowMs > leaf.validToDate.getTime() - renewBeforeMs) return false
    if (authority && !leaf.verify(readCertificate(authority.certificate).publicKey)) return false
    if (!leaf.checkPrivateKey(createPrivateKey(key))) return false
    return names.every((name) => (isAddress(name) ? leaf.checkIP(name) : leaf.checkHost(name)) !== undefined)
  } catch {
    return false
  }
}

/** A reader sees the old file or the new one, never half of it. */
async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const draft = `${path}.new`
  await writeFile(draft, content, { mode })
  await rename(draft, path)
}

import { createPrivateKey } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, ensureFolder, type Random } from '../base/index.ts'
import { type Authority, createAuthority, type KeyPair } from './authority.ts'
import { readCertificate } from './certificates.ts'
import { isAddress } from './names.ts'

type Dependencies = { readonly clock: Clock; readonly random: Random }

interface SignOptions {
  readonly names: readonly string[]
  /** Signs the certificate. Absent: a temporary authority does. */
  readonly authority?: Authority
}

interface ServingPairOptions extends SignOptions {
  /** --cert-dir; created when it is missing. */
  readonly folder: string
  /** The files' name without its ending, as in the stock programs. Default: apiserver. */
  readonly pairName?: string
}

/** A pair in two files. */
export interface ServingPair extends KeyPair {
  readonly certificateFile: string
  readonly keyFile: string
}

/** Only one of the two files exists. */
export class IncompletePair extends Error {
  override readonly name = 'IncompletePair'
}

const renewBeforeMs = 30 * 24 * 3600 * 1000

/** The certificate of the pair includes the authority's certificate. */
export function makeServingPair(dependencies: Dependencies, { names, authority: given }: SignOptions): KeyPair {
  const nowSeconds = Math.floor(dependencies.clock.now() / 1000)
  const authority = given ?? createAuthority(dependencies, { commonName: `pilothouse-ca@${nowSeconds}` })
  const issued = authority.issue({ commonName: `pilothouse@${nowSeconds}`, usage: 'server', names })
  return { certificate: issued.certificate + authority.certificate, key: issued.key }
}

/**
 * The pair in `folder`, created when there is none. An existing pair is used unchanged: the folder belongs to the
 * operator. Rejects with IncompletePair, and when the folder can't be used.
 */
export async function ensureServingPair(dependencies: Dependencies, options: ServingPairOptions): Promise<ServingPair> {
  const files = filesOf(options)
  const { certificate, key } = await readFiles(files)
  if (certificate !== undefined && key !== undefined) return { ...files, certificate, key }
  if (certificate === undefined && key === undefined) return await writePair(dependencies, options)
  const missing = certificate === undefined ? files.certificateFile : files.keyFile
  throw new IncompletePair(`error reading ${missing}, certificate and key must be supplied as a pair`)
}

/**
 * The pair in a folder of this program: replaced when it expires within a month, lacks one of the names, isn't signed
 * by `authority`, or is invalid.
 */
export async function renewServingPair(
  dependencies: Dependencies,
  options: ServingPairOptions & { readonly authority: Authority },
): Promise<ServingPair> {
  const files = filesOf(options)
  const { certificate, key } = await readFiles(files)
  if (certificate !== undefined && key !== undefined) {
    const found = { ...files, certificate, key }
    if (isUsable(found, options, dependencies.clock.now())) return found
  }
  return await writePair(dependencies, options)
}

type Files = Pick<ServingPair, 'certificateFile' | 'keyFile'>

function filesOf({ folder, pairName = 'apiserver' }: ServingPairOptions): Files {
  return { certificateFile: join(folder, `${pairName}.crt`), keyFile: join(folder, `${pairName}.key`) }
}

async function readFiles({ certificateFile, keyFile }: Files): Promise<Partial<KeyPair>> {
  const [certificate, key] = await Promise.all([readIfThere(certificateFile), readIfThere(keyFile)])
  return { certificate, key }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function writePair(dependencies: Dependencies, options: ServingPairOptions): Promise<ServingPair> {
  const pair = makeServingPair(dependencies, options)
  const files = filesOf(options)
  ensureFolder(options.folder, 0o755)
  await replaceFile(files.keyFile, pair.key, 0o600)
  await replaceFile(files.certificateFile, pair.certificate, 0o644)
  return { ...pair, ...files }
}

function isUsable(
  { certificate, key }: KeyPair,
  { names, authority }: { readonly names: readonly string[]; readonly authority: Authority },
  nowMs: number,
): boolean {
  try {
    const leaf = readCertificate(certificate)
    if (nowMs < leaf.validFromDate.getTime() || nowMs > leaf.validToDate.getTime() - renewBeforeMs) return false
    if (!leaf.verify(readCertificate(authority.certificate).publicKey)) return false
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

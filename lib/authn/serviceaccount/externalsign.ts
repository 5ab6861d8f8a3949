import { isRecord } from '../../base/index.ts'
import { parseJsonText, quote } from '../../object/index.ts'

/** The parts of a token that an external signer makes, in base64url. */
export interface ExternalSignature {
  readonly header: string
  readonly signature: string
}

interface ExternalSigning {
  sign(payload: string): Promise<ExternalSignature>
  /** Whether other verifiers know the key. */
  isForSigning(keyId: string): Promise<boolean>
}

const keyIdBytesMax = 1024
const algorithms = ['RS256', 'ES256', 'ES384', 'ES512']
const members = new Set(['alg', 'kid', 'typ'])
const base64url = /^[\w-]+$/

/** A token of these claims, signed by another program. Rejects with an Error for a header that verifiers would refuse. */
export async function signExternally(claims: object, { sign, isForSigning }: ExternalSigning): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const { header, signature } = await sign(payload).catch((error: unknown) => fail('signing jwt', error))
  try {
    const keyId = readKeyId(header)
    if (!(await isForSigning(keyId)))
      throw new Error(`key used for signing JWT (kid: ${keyId}) is excluded from OIDC discovery docs`)
  } catch (error) {
    fail('validating header', error)
  }
  if (signature === '') throw new Error('empty signature returned')
  if (!base64url.test(signature)) throw new Error('the signature is not in base64url')
  return `${header}.${payload}.${signature}`
}

function readKeyId(header: string): string {
  if (!base64url.test(header)) throw new Error('while unwrapping header: illegal base64 data')
  const parsed = parseHeader(Buffer.from(header, 'base64url').toString())
  const { alg = '', kid = '', typ = '' } = parsed
  for (const name of Object.keys(parsed))
    if (!members.has(name)) throw new Error(`while parsing header JSON: json: unknown field ${quote(name)}`)
  if (typ !== 'JWT') throw new Error('bad type')
  if (typeof kid !== 'string' || kid === '') throw new Error('key id missing')
  if (Buffer.byteLength(kid) > keyIdBytesMax) throw new Error('key id longer than 1 kb')
  if (!algorithms.includes(String(alg))) throw new Error(`bad signing algorithm ${quote(String(alg))}`)
  return kid
}

function parseHeader(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = parseJsonText(text)
  } catch (error) {
    fail('parsing header JSON', error)
  }
  if (!isRecord(parsed)) throw new Error('while parsing header JSON: not an object')
  return parsed
}

function fail(what: string, error: unknown): never {
  throw new Error(`while ${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}

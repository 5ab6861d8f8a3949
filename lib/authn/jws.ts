import { constants, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { isRecord } from '../base/index.ts'

export type JwsAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'ES256' | 'ES384' | 'ES512' | 'PS256' | 'PS384' | 'PS512'

/** A token in compact form, taken apart; nothing of it is verified. */
export interface ParsedToken {
  readonly algorithm: string
  /** '' when the token names no key. */
  readonly keyId: string
  readonly claims: Readonly<Record<string, unknown>>
  /** What the signature is about. */
  readonly signed: string
  readonly signature: Uint8Array
}

const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Undefined for what is no JWS in compact form (RFC 7515, 7.1) with a JSON object inside: some other token. */
export function parseToken(token: string): ParsedToken | undefined {
  if (!compactForm.test(token)) return undefined
  const [header = '', payload = '', signature = ''] = token.split('.')
  const head = readJsonPart(header)
  const claims = readJsonPart(payload)
  // An extension that must be understood is one that is not (RFC 7515, 4.1.11).
  if (head === undefined || claims === undefined || 'crit' in head) return undefined
  return {
    algorithm: typeof head['alg'] === 'string' ? head['alg'] : '',
    keyId: typeof head['kid'] === 'string' ? head['kid'] : '',
    claims,
    signed: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

function readJsonPart(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** True when `key` is of the kind that the algorithm signs with (ECDSA algorithms have a curve each) and has signed. */
export function hasSigned({ signed, signature }: ParsedToken, key: KeyObject, algorithm: JwsAlgorithm): boolean {
  if (!fits(key, algorithm)) return false
  try {
    return verify(digestOf(algorithm), Buffer.from(signed), { key, ...formOf(algorithm) }, signature)
  } catch {
    return false
  }
}

const signAsync = promisify(sign)

/** Signs `claims`; RSA takes its time in another thread. */
export async function signToken(
  claims: object,
  { key, keyId, algorithm }: { key: KeyObject; keyId: string; algorithm: JwsAlgorithm },
): Promise<string> {
  const signed = `${encodePart({ alg: algorithm, kid: keyId })}.${encodePart(claims)}`
  const signature = await signAsync(digestOf(algorithm), Buffer.from(signed), { key, ...formOf(algorithm) })
  return `${signed}.${signature.toString('base64url')}`
}

function encodePart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const curves: Readonly<Record<string, JwsAlgorithm>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

/** The algorithm that a key signs with where nobody chooses; undefined for keys that are no use. */
export function algorithmOf(key: KeyObject): JwsAlgorithm | undefined {
  if (key.asymmetricKeyType === 'rsa') return 'RS256'
  const curve = key.asymmetricKeyType === 'ec' ? key.asymmetricKeyDetails?.namedCurve : undefined
  return curve === undefined ? undefined : curves[curve]
}

function fits(key: KeyObject, algorithm: JwsAlgorithm): boolean {
  return algorithm.startsWith('ES') ? algorithmOf(key) === algorithm : key.asymmetricKeyType === 'rsa'
}

function digestOf(algorithm: JwsAlgorithm): string {
  return `sha${algorithm.slice(2)}`
}

type SignatureForm = { dsaEncoding?: 'ieee-p1363'; padding?: number; saltLength?: number }

function formOf(algorithm: JwsAlgorithm): SignatureForm {
  if (algorithm.startsWith('ES')) return { dsaEncoding: 'ieee-p1363' }
  if (!algorithm.startsWith('PS')) return {}
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
}

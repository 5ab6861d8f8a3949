import type { KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { decodeJwt } from 'jose/jwt/decode'
import { isRecord } from '../base/index.ts'
import { misleadsJsonParse } from '../object/index.ts'

export type JwsAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'ES256' | 'ES384' | 'ES512' | 'PS256' | 'PS384' | 'PS512'

/** A parsed token in compact form; not verified. */
export interface ParsedToken {
  readonly token: string
  readonly algorithm: string
  /** '' when the token names no key. */
  readonly keyId: string
  /** '' when the token names none. */
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/
/**
 * Header members that change what is signed or must be understood (RFC 7515, 4.1.11; RFC 7797): no token of ours has
 * them.
 */
const refusedMembers = ['crit', 'b64']

/**
 * Undefined for other tokens than a JWS in compact form (RFC 7515, 7.1) with a JSON object. As on the stock server,
 * also for duplicate members, key ids and issuers that are no strings, and extensions of the header; and for names with
 * a backslash (see misleadsJsonParse).
 */
export function parseToken(token: string): ParsedToken | undefined {
  if (!compactForm.test(token)) return undefined
  const [header = '', payload = ''] = token.split('.')
  if ([header, payload].some((part) => misleadsJsonParse(textOf(part)))) return undefined
  try {
    const head: Record<string, unknown> = decodeProtectedHeader(token)
    const claims: Record<string, unknown> = decodeJwt(token)
    const { alg, kid = '' } = head
    const { iss = '' } = claims
    if (typeof alg !== 'string' || typeof kid !== 'string' || typeof iss !== 'string') return undefined
    if (refusedMembers.some((member) => member in head)) return undefined
    if (repeatsMembers(header, head) || repeatsMembers(payload, claims)) return undefined
    return { token, algorithm: alg, keyId: kid, issuer: iss, claims }
  } catch {
    return undefined
  }
}

function textOf(part: string): string {
  return Buffer.from(part, 'base64url').toString()
}

/** JSON.parse keeps the last of duplicate members, so this counts them: each has one colon outside of strings. */
function repeatsMembers(part: string, value: unknown): boolean {
  const colons =
    textOf(part)
      .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
      .split(':').length - 1
  return colons !== countMembers(value)
}

/** Walks a list of values instead of recursing: claims may be deep. */
function countMembers(value: unknown): number {
  const seen: unknown[] = [value]
  let count = 0
  // The list grows during the walk.
  for (const next of seen) {
    if (Array.isArray(next)) for (const item of next) seen.push(item)
    else if (isRecord(next))
      for (const member of Object.values(next)) {
        count++
        seen.push(member)
      }
  }
  return count
}

/** True when `key` has the algorithm's type (ECDSA algorithms have a curve each) and its signature is valid. */
export async function hasSigned(
  { token }: ParsedToken,
  key: KeyObject | JWK,
  algorithm: JwsAlgorithm,
): Promise<boolean> {
  // Loaded with the first token: the start is faster without it.
  const { compactVerify } = await import('jose')
  try {
    await compactVerify(token, key, { algorithms: [algorithm] })
    return true
  } catch {
    return false
  }
}

/** Signs `claims` on another thread. */
export async function signToken(
  claims: object,
  { key, keyId, algorithm }: { key: KeyObject; keyId: string; algorithm: JwsAlgorithm },
): Promise<string> {
  const { CompactSign } = await import('jose')
  return await new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm, kid: keyId })
    .sign(key)
}

/** Seconds since the epoch (RFC 7519, 2); undefined for a value out of range. */
export function readSeconds(claim: unknown): number | undefined {
  return typeof claim === 'number' && Math.abs(claim) < 2 ** 63 ? claim : undefined
}

/** A string or a list of them (RFC 7519, 4.1.3), empty where the claim is absent; undefined for anything else. */
export function readAudiences(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return []
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return values.every((value) => typeof value === 'string') ? values : undefined
}

const curves: Readonly<Record<string, JwsAlgorithm>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

/** The default algorithm of a key; undefined for keys that can't sign tokens. */
export function algorithmOf(key: KeyObject): JwsAlgorithm | undefined {
  if (key.asymmetricKeyType === 'rsa') return 'RS256'
  const curve = key.asymmetricKeyType === 'ec' ? key.asymmetricKeyDetails?.namedCurve : undefined
  return curve === undefined ? undefined : curves[curve]
}

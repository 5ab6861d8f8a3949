import { createHmac } from 'node:crypto'
import type { ConfigMap, Secret } from '../../../api/gen/core/v1.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { bootstrapTokenType, dataText, expirationMs } from '../shared/bootstraptoken.ts'

const signaturePrefix = 'jws-kubeconfig-'
const contentKey = 'kubeconfig'
const tokenId = /^[a-z0-9]{6}$/

/** The map's new data; undefined where it is up to date or has nothing to sign. */
export function planSignatures(
  map: Frozen<ConfigMap> | undefined,
  secrets: Iterable<Frozen<Secret>>,
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  const content = map?.data?.[contentKey]
  if (map?.data === undefined || content === undefined) return undefined
  const kept = Object.entries(map.data).filter(([key]) => !key.startsWith(signaturePrefix))
  const signed = Array.from(tokensOf(secrets, nowMs), ([id, secret]) => [
    signaturePrefix + id,
    sign(content, id, secret),
  ])
  const data: Record<string, string> = Object.fromEntries([...kept, ...signed])
  return deepEqual(data, map.data) ? undefined : data
}

/** The secret part of each signing token, by token id. */
function tokensOf(secrets: Iterable<Frozen<Secret>>, nowMs: number): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>()
  for (const secret of secrets) {
    const { metadata, type, data } = secret
    const id = dataText(data, 'token-id')
    const text = dataText(data, 'token-secret')
    const isOver = (expirationMs(secret) ?? Number.POSITIVE_INFINITY) <= nowMs
    if (type !== bootstrapTokenType || !tokenId.test(id) || metadata.name !== `bootstrap-token-${id}`) continue
    if (text === '' || isOver || dataText(data, 'usage-bootstrap-signing') !== 'true') continue
    if (!tokens.has(id)) tokens.set(id, text)
  }
  return tokens
}

/** A JWS (RFC 7515) with detached content, which the verifier already has. */
function sign(content: string, id: string, secret: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url')
  const payload = Buffer.from(content).toString('base64url')
  const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
  return `${header}..${signature}`
}

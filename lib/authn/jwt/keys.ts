import type { JWK } from 'jose'
import { type Clock, isRecord } from '../../base/index.ts'
import { parseJsonText } from '../../object/index.ts'

/** Fetches a document of an issuer; rejects when there is none. */
export type FetchDocument = (url: string, signal?: AbortSignal) => Promise<{ status: number; body: Uint8Array }>

export interface IssuerKey {
  readonly id: string
  /** As the issuer publishes it: jose parses it with the first token, and caches it. */
  readonly key: JWK
}

/** The keys of one issuer, from its discovery documents. */
export interface IssuerKeys {
  /**
   * Keys with this id, or all when the token names none. Fetches again when no key has that id. Rejects when there are
   * no keys.
   */
  find(id: string): Promise<readonly IssuerKey[]>
}

/** Minimum time between two fetches: anyone may send a token that names an unknown key. */
const pauseMs = 10_000
const keysMax = 128

export function createIssuerKeys(
  { clock, fetch, onFetch }: { clock: Clock; fetch: FetchDocument; onFetch: (ok: boolean) => void },
  { issuer, discoveryUrl }: { issuer: string; discoveryUrl: string },
): IssuerKeys {
  let keys: readonly IssuerKey[] | undefined
  let failure: unknown
  let lookedMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function load(): Promise<void> {
    try {
      const { issuer: named, jwks_uri: keysUrl } = await document(fetch, discoveryUrl)
      if (named !== issuer) throw new Error('the discovery document is of another issuer')
      if (typeof keysUrl !== 'string' || !keysUrl.startsWith('https://'))
        throw new Error('the discovery document names no https URL of keys')
      const { keys: found } = await document(fetch, keysUrl)
      keys = await readKeys(found)
      failure = undefined
      onFetch(true)
    } catch (error) {
      failure = error
      onFetch(false)
    }
  }

  /** Concurrent calls share one fetch. */
  function look(): Promise<void> {
    if (looking === undefined && clock.monotonicMs() - lookedMs < pauseMs) return Promise.resolve()
    looking ??= load().finally(() => {
      lookedMs = clock.monotonicMs()
      looking = undefined
    })
    return looking
  }

  const select = (id: string): readonly IssuerKey[] =>
    id === '' ? (keys ?? []) : (keys ?? []).filter((each) => each.id === id)

  return {
    async find(id) {
      if (keys === undefined || select(id).length === 0) await look()
      if (keys === undefined) throw new Error("the issuer's keys are not known", { cause: failure })
      return select(id)
    },
  }
}

async function document(fetch: FetchDocument, url: string): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await fetch(url)
  if (status !== 200) throw new Error(`${url} answered ${status}`)
  const value: unknown = parseJsonText(Buffer.from(body).toString())
  if (typeof value !== 'object' || value === null) throw new Error(`${url} answered no JSON object`)
  return value as Readonly<Record<string, unknown>>
}

const curves: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }

/** Signing keys that can be parsed. */
async function readKeys(found: unknown): Promise<IssuerKey[]> {
  if (!Array.isArray(found)) throw new Error('the key set holds no keys')
  const keys: IssuerKey[] = []
  for (const each of found.slice(0, keysMax) as unknown[]) {
    if (!isRecord(each) || (each['kty'] !== 'RSA' && each['kty'] !== 'EC')) continue
    const { kid, use, kty, crv } = each
    if (use !== undefined && use !== 'sig') continue
    const key = each as JWK
    const algorithm = kty === 'RSA' ? 'RS256' : curves[String(crv)]
    if (algorithm === undefined || !(await isReadable(key, algorithm))) continue
    keys.push({ id: typeof kid === 'string' ? kid : '', key })
  }
  return keys
}

async function isReadable(key: JWK, algorithm: string): Promise<boolean> {
  const { importJWK } = await import('jose')
  try {
    await importJWK(key, algorithm)
    return true
  } catch {
    return false
  }
}

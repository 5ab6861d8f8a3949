import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'
import type { Clock } from '../../base/index.ts'

/** Gets a document of an issuer; rejects when there is none. */
export type FetchDocument = (url: string, signal?: AbortSignal) => Promise<{ status: number; body: Uint8Array }>

export interface IssuerKey {
  readonly id: string
  readonly key: KeyObject
}

/** The keys of one issuer, as its documents have them. */
export interface IssuerKeys {
  /** Keys of this id, or all when the token names none. Looks again when there is none of that id. Rejects when there are no keys. */
  find(id: string): Promise<readonly IssuerKey[]>
}

/** After a look, the next one waits this long: strangers may name any key. */
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
      keys = readKeys(found)
      failure = undefined
      onFetch(true)
    } catch (error) {
      failure = error
      onFetch(false)
    }
  }

  /** Calls at the same time share one look. */
  function look(): Promise<void> {
    if (looking === undefined && clock.monotonicMs() - lookedMs < pauseMs) return Promise.resolve()
    looking ??= load().finally(() => {
      lookedMs = clock.monotonicMs()
      looking = undefined
    })
    return looking
  }

  const select = (id: string): readonly IssuerKey[] =>
    id === '' ? (keys ?? []) : (keys ?? []).filter((each) => each.id === id || each.id === '')

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
  const value: unknown = JSON.parse(Buffer.from(body).toString())
  if (typeof value !== 'object' || value === null) throw new Error(`${url} answered no JSON object`)
  return value as Readonly<Record<string, unknown>>
}

/** Keys that sign and that node can read; others are of no use to us. */
function readKeys(found: unknown): IssuerKey[] {
  if (!Array.isArray(found)) throw new Error('the key set holds no keys')
  return found.slice(0, keysMax).flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return []
    const jwk = each as JsonWebKeyInput['key'] & { kid?: unknown; use?: unknown }
    if ((jwk.kty !== 'RSA' && jwk.kty !== 'EC') || (jwk.use !== undefined && jwk.use !== 'sig')) return []
    try {
      return [{ id: typeof jwk.kid === 'string' ? jwk.kid : '', key: createPublicKey({ key: jwk, format: 'jwk' }) }]
    } catch {
      return []
    }
  })
}

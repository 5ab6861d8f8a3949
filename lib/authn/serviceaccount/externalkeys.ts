import type { Clock, Closable, Logger } from '../../base/index.ts'
import { quote } from '../../object/index.ts'
import { readPublicKey } from '../../pki/index.ts'
import { algorithmOf } from '../jws.ts'
import type { TokenKey } from './keys.ts'
import type { TokenKeySource } from './keysource.ts'

/** A public key of a signer in another program. */
export interface ExternalKey {
  readonly keyId: string
  /** SubjectPublicKeyInfo, DER. */
  readonly key: Uint8Array
  /** The key only verifies tokens that were signed with it before. */
  readonly excludeFromDiscovery: boolean
}

export interface ExternalKeys {
  readonly keys: readonly ExternalKey[]
  /** When the signer read them; undefined: it names no time. */
  readonly dataTimestampMs: number | undefined
  /** Seconds after which they are asked for again. */
  readonly refreshHintSeconds: number
}

interface ExternalKeyOptions {
  /** The signer's present keys. */
  fetch(): Promise<ExternalKeys>
  /** Called after each attempt to fetch keys. */
  readonly onFetch?: (keys: ExternalKeys | undefined, error: unknown) => void
}

export interface ExternalKeySource extends TokenKeySource {
  /** Whether tokens may be signed with the key: those that are excluded from discovery can't be verified by others. */
  isForSigning(keyId: string): Promise<boolean>
  close(): void
}

interface KnownKeys {
  readonly keys: readonly (TokenKey & { readonly excluded: boolean })[]
  readonly refreshAtMs: number
}

const keyIdBytesMax = 1024
const keysMax = 1000
/** After a failed fetch; the known keys stay valid meanwhile. */
const fallbackRefreshMs = 10_000
/** A timer's longest delay. */
const delayMsMax = 2 ** 31 - 1

/**
 * Keeps the keys of an external signer: fetches them again when the signer says so, and when a token names an unknown
 * one, once for all tokens that wait. Rejects where the first fetch fails.
 */
export async function followExternalKeys(
  { clock, log }: { clock: Clock; log: Logger },
  { fetch, onFetch }: ExternalKeyOptions,
): Promise<ExternalKeySource> {
  let known: KnownKeys = { keys: [], refreshAtMs: 0 }
  let fetching: Promise<void> | undefined
  let timer: Closable | undefined
  let isClosed = false

  async function refresh(): Promise<void> {
    try {
      const fetched = await fetch()
      known = readKeys(fetched, clock.now())
      onFetch?.(fetched, undefined)
    } catch (error) {
      onFetch?.(undefined, error)
      throw new Error(`while fetching token verification keys: ${messageOf(error)}`, { cause: error })
    }
  }
  const shared = (): Promise<void> => (fetching ??= refresh().finally(() => (fetching = undefined)))

  function schedule(delayMs: number): void {
    if (isClosed) return
    timer = clock.after(Math.min(Math.max(0, delayMs), delayMsMax), () => {
      shared().then(
        () => schedule(known.refreshAtMs - clock.now()),
        (error: unknown) => {
          log.error('the external signer did not name its keys: the known ones stay valid', { error })
          schedule(fallbackRefreshMs)
        },
      )
    })
  }

  const matching = (keyId: string): readonly KnownKeys['keys'][number][] =>
    keyId === '' ? known.keys : known.keys.filter((key) => key.keyId === keyId)
  async function find(keyId: string): Promise<KnownKeys['keys']> {
    const keys = matching(keyId)
    if (keys.length > 0) return keys
    try {
      await shared()
    } catch (error) {
      log.error('the external signer did not name its keys', { error })
      return []
    }
    return matching(keyId)
  }

  await shared()
  schedule(known.refreshAtMs - clock.now())
  return {
    find: (keyId) => (matching(keyId).length > 0 ? matching(keyId) : find(keyId)),
    published: () => known.keys.filter(({ excluded }) => !excluded),
    publishedSeconds: () => Math.max(0, Math.floor((known.refreshAtMs - clock.now()) / 1000)),
    isForSigning: async (keyId) => (await find(keyId)).every(({ excluded }) => !excluded),
    close() {
      isClosed = true
      void timer?.close()
    },
  }
}

function readKeys({ keys, dataTimestampMs, refreshHintSeconds }: ExternalKeys, nowMs: number): KnownKeys {
  if (refreshHintSeconds <= 0) throw new Error(`found invalid refresh hint (${refreshHintSeconds}s)`)
  if (keys.length === 0) throw new Error('found no keys')
  if (keys.length > keysMax) throw new Error(`found more than ${keysMax} keys`)
  if (dataTimestampMs === undefined) throw new Error('invalid data timestamp: proto: invalid nil Timestamp')
  return { keys: keys.map(readKey), refreshAtMs: nowMs + refreshHintSeconds * 1000 }
}

function readKey({ keyId, key, excludeFromDiscovery }: ExternalKey): KnownKeys['keys'][number] {
  if (keyId === '' || Buffer.byteLength(keyId) > keyIdBytesMax)
    throw new Error(`found invalid public key id ${quote(keyId)}`)
  if (key.length === 0) throw new Error('found empty public key')
  const read = readPublicKey(key)
  const algorithm = read && algorithmOf(read)
  if (read === undefined || algorithm === undefined)
    throw new Error('while parsing external public keys: a key is neither RSA nor ECDSA on a curve for tokens')
  return { keyId, key: read, algorithm, excluded: excludeFromDiscovery }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

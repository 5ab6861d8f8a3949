import { type ExternalKeySource, type ExternalKeys, followExternalKeys, signExternally } from '../../authn/index.ts'
import type { Clock, Logger, Metrics } from '../../base/index.ts'
import {
  connectUnixGrpc,
  type EtcdMessageReader,
  EtcdMessageWriter,
  fieldSize,
  GrpcCallError,
} from '../../storage/index.ts'
import { StartError } from '../process/failure.ts'

/** A program that signs tokens of service accounts (KEP-740; the service `v1.ExternalJWTSigner`). */
export interface ExternalSigner {
  readonly keys: ExternalKeySource
  /** Seconds; no token lives longer. */
  readonly expirationSecondsMax: number
  /** Rejects with an Error. */
  sign(claims: object): Promise<string>
  close(): void
}

const service = '/v1.ExternalJWTSigner'
const fetchTimeoutMs = 60_000
const metadataTimeoutMs = 10_000
const signTimeoutMs = 60_000
const expirationSecondsMin = 600

/**
 * Connects to the signer on a unix socket, a path or the name of an abstract socket after `@`, and waits for its keys.
 * Rejects with a StartError.
 */
export async function openExternalSigner(
  { clock, log, metrics }: { clock: Clock; log: Logger; metrics: Metrics },
  endpoint: string,
): Promise<ExternalSigner> {
  const link = connectUnixGrpc(clock, endpoint.startsWith('@') ? `unix:///${endpoint}` : `unix://${endpoint}`)
  const record = createRecorder(metrics)
  const call = async <Reply>(
    method: string,
    message: Buffer,
    decode: (reader: EtcdMessageReader) => Reply,
    timeoutMs: number,
  ): Promise<Reply> => {
    const startedMs = clock.monotonicMs()
    let code = 'OK'
    try {
      return await link.call(`${service}/${method}`, message, decode, timeoutMs)
    } catch (error) {
      code = codeOf(error)
      throw error
    } finally {
      record.called(`${service}/${method}`, code, clock.monotonicMs() - startedMs)
    }
  }
  let keys: ExternalKeySource | undefined
  try {
    keys = await followExternalKeys(
      { clock, log },
      {
        fetch: () => call('FetchKeys', noMessage, decodeKeys, fetchTimeoutMs),
        onFetch: (fetched, error) => record.fetched(fetched, error, clock.now()),
      },
    )
    const followed = keys
    const expirationSecondsMax = await call('Metadata', noMessage, decodeMetadata, metadataTimeoutMs)
    if (expirationSecondsMax < expirationSecondsMin) {
      const least = `is less than acceptable (min ${expirationSecondsMin}s)`
      throw new TooShort(`max token life supported by external-jwt-signer (${expirationSecondsMax}s) ${least}`)
    }
    return {
      keys: followed,
      expirationSecondsMax,
      async sign(claims) {
        let error: unknown
        try {
          return await signExternally(claims, {
            sign: (payload) => call('Sign', encodeSign(payload), decodeSignature, signTimeoutMs),
            isForSigning: (keyId) => followed.isForSigning(keyId),
          })
        } catch (failure) {
          error = failure
          throw failure
        } finally {
          record.signed(error)
        }
      },
      close() {
        followed.close()
        link.close()
      },
    }
  } catch (error) {
    keys?.close()
    link.close()
    const message = error instanceof Error ? error.message : String(error)
    throw new StartError(error instanceof TooShort ? message : `while setting up external-jwt-signer: ${message}`, {
      cause: error,
    })
  }
}

class TooShort extends Error {}

const noMessage = Buffer.alloc(0)

function encodeSign(payload: string): Buffer {
  const length = Buffer.byteLength(payload)
  const writer = new EtcdMessageWriter(fieldSize(length))
  writer.text(1, payload, length)
  return writer.finish()
}

function decodeSignature(reader: EtcdMessageReader): { header: string; signature: string } {
  const reply = { header: '', signature: '' }
  while (reader.next())
    if (reader.field === 1) reply.header = reader.text()
    else if (reader.field === 2) reply.signature = reader.text()
  return reply
}

function decodeKeys(reader: EtcdMessageReader): ExternalKeys {
  const keys: ExternalKeys['keys'][number][] = []
  let dataTimestampMs: number | undefined
  let refreshHintSeconds = 0
  while (reader.next())
    if (reader.field === 1) keys.push(decodeKey(reader.message()))
    else if (reader.field === 2) dataTimestampMs = decodeTimestamp(reader.message())
    else if (reader.field === 3) refreshHintSeconds = Number(BigInt.asIntN(64, reader.id()))
  return { keys, dataTimestampMs, refreshHintSeconds }
}

function decodeKey(reader: EtcdMessageReader): ExternalKeys['keys'][number] {
  let keyId = ''
  let key: Uint8Array = new Uint8Array(0)
  let excludeFromDiscovery = false
  while (reader.next())
    if (reader.field === 1) keyId = reader.text()
    else if (reader.field === 2) key = Uint8Array.from(reader.bytes())
    else if (reader.field === 3) excludeFromDiscovery = reader.bool()
  return { keyId, key, excludeFromDiscovery }
}

function decodeTimestamp(reader: EtcdMessageReader): number {
  let ms = 0
  while (reader.next())
    if (reader.field === 1) ms += Number(BigInt.asIntN(64, reader.id())) * 1000
    else if (reader.field === 2) ms += reader.number() / 1e6
  return ms
}

function decodeMetadata(reader: EtcdMessageReader): number {
  let seconds = 0
  while (reader.next()) if (reader.field === 1) seconds = Number(BigInt.asIntN(64, reader.id()))
  return seconds
}

/** The status of the failed call beneath an error; `Unknown` for errors of this side. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof GrpcCallError) return at.status
  return error === undefined ? 'OK' : 'Unknown'
}

const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

function createRecorder(metrics: Metrics): {
  called(method: string, code: string, tookMs: number): void
  fetched(keys: ExternalKeys | undefined, error: unknown, nowMs: number): void
  signed(error: unknown): void
} {
  const name = (suffix: string): string => `apiserver_externaljwt_${suffix}`
  const counter = (suffix: string, help: string) =>
    metrics.counter({ name: name(suffix), help, labels: ['code'], stability: 'ALPHA' })
  const gauge = (suffix: string, help: string) => metrics.gauge({ name: name(suffix), help, stability: 'ALPHA' })
  const fetches = counter('fetch_keys_request_total', 'Attempts to fetch the keys of the external signer.')
  const signs = counter('sign_request_total', 'Attempts to have a token signed by the external signer.')
  const succeeded = gauge(
    'fetch_keys_success_timestamp',
    'Seconds since 1970 of the last fetch of keys that succeeded.',
  )
  const data = gauge('fetch_keys_data_timestamp', 'Seconds since 1970 at which the signer read the keys it named last.')
  const duration = metrics.histogram({
    name: name('request_duration_seconds'),
    help: 'Duration of calls to the external signer, in seconds.',
    labels: ['method', 'code'],
    stability: 'ALPHA',
    buckets,
  })
  return {
    called: (method, code, tookMs) => duration.observe([method, code], tookMs / 1000),
    fetched(keys, error, nowMs) {
      fetches.add([codeOf(error)])
      if (!keys) return
      succeeded.set([], nowMs / 1000)
      data.set([], (keys.dataTimestampMs ?? 0) / 1000)
    },
    signed: (error) => signs.add([codeOf(error)]),
  }
}

import type { IncomingMessage } from 'node:http'
import { isRecord, networkErrorText } from '../../base/index.ts'
import { type Status, StatusError, type StatusReason } from '../../object/index.ts'
import { refusalText } from '../refusal.ts'
import { RequestError } from '../request.ts'

/** Reads the whole body. Rejects with RequestError beyond `bytesMax`, or when the connection is lost. */
export function readWhole(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) response.destroy(new Error(`the answer has more than ${bytesMax} bytes`))
      else chunks.push(chunk)
    })
    response.on('error', (cause) => reject(new RequestError(networkErrorText(cause), { cause })))
    response.on('close', () => {
      if (response.complete) resolve(Buffer.concat(chunks))
      else reject(new RequestError('the connection was lost'))
    })
    response.resume()
  })
}

export function statusErrorOf({ code, reason, message, details, metadata }: Status): StatusError {
  return new StatusError(code, reason ?? '', message ?? '', {
    details,
    metadata,
  })
}

const reasons: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/**
 * The Status of the answer; for one without, as other servers send them, a Status made from its code, without details.
 */
export function failureOf(response: IncomingMessage, decoded: unknown, text: string): StatusError {
  const code = response.statusCode ?? 500
  const retryAfterSeconds = Number(response.headers['retry-after'] ?? 0) || 0
  const isStatus = isRecord(decoded) && decoded['kind'] === 'Status'
  const status: Status = isStatus
    ? (decoded as Status)
    : {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: refusalText(code, text.slice(0, messageCharactersMax), response.headers['content-type']),
        reason: reasons[code] ?? 'InternalError',
        code,
      }
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds, ...status.details } : status.details
  return statusErrorOf({ ...status, code: status.code || code, details })
}

const messageCharactersMax = 1024

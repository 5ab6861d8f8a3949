import { type Status, StatusError, statusErrors } from '../object/index.ts'
import type { RequestInfo } from '../request/index.ts'
import { StoreError, UnreadableObject } from '../storage/index.ts'

/** The client has gone: no answer can reach it. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
  constructor() {
    super('the client went away')
  }
}

/** The server is stopping: long-running requests must end. */
export class ServerStopping extends Error {
  override readonly name = 'ServerStopping'
  constructor() {
    super('the server is shutting down')
  }
}

/** Seconds after which a client may try again when the store can't be reached. */
const unreachableRetrySeconds = 2

/**
 * Turns any error into the client's Status; nothing else does. `expected` is false for an unforeseen error, which the
 * caller logs: its client learns only `reference`.
 */
export function toStatusError(
  error: unknown,
  info: RequestInfo,
  reference: string,
): { answer: StatusError; expected: boolean } {
  if (error instanceof StatusError) return { answer: error, expected: true }
  if (error instanceof StoreError) return fromStore(error, info, reference)
  if (error instanceof UnreadableObject) {
    return { answer: statusErrors.internal(error.message, error), expected: false }
  }
  if (error instanceof ServerStopping) {
    return { answer: statusErrors.unavailable('apiserver is shutting down', 1), expected: true }
  }
  return { answer: internal(error, reference), expected: false }
}

function internal(cause: unknown, reference: string): StatusError {
  return statusErrors.internal(`unexpected error, see the server's log for request ${reference}`, cause)
}

function fromStore(
  error: StoreError,
  info: RequestInfo,
  reference: string,
): { answer: StatusError; expected: boolean } {
  switch (error.code) {
    case 'unavailable':
      return { answer: statusErrors.serverTimeout(info, storeVerb(info), unreachableRetrySeconds), expected: false }
    case 'compacted':
      return {
        answer: statusErrors.expired(`The resourceVersion for the provided ${info.verb} is too old.`),
        expected: true,
      }
    case 'future-revision':
      return { answer: statusErrors.timeout('Too large resource version', 1), expected: true }
    // etcd's own messages, which clients match; without a reason, as the stock server returns them.
    case 'too-large':
      return { answer: new StatusError(500, '', 'etcdserver: request is too large', { cause: error }), expected: true }
    case 'no-space':
      return {
        answer: new StatusError(500, '', 'etcdserver: mvcc: database space exceeded', { cause: error }),
        expected: false,
      }
    case 'aborted':
      return {
        answer: statusErrors.timeout('request did not complete within requested timeout - context deadline exceeded'),
        expected: true,
      }
    case 'closed':
      return { answer: statusErrors.unavailable('apiserver is shutting down', 1), expected: true }
    case 'not-encrypted':
      return { answer: statusErrors.internal(error.message, error), expected: false }
    case 'internal':
      return { answer: internal(error, reference), expected: false }
  }
}

function storeVerb(info: RequestInfo): string {
  return info.verb === 'patch' ? 'update' : info.verb === 'deletecollection' ? 'delete' : info.verb
}

export interface EncodedStatus {
  readonly contentType: string
  readonly body: Uint8Array
}

/** Encodes in a media type that the client accepts, or in JSON where it accepts none of ours. `pretty` indents JSON. */
export type EncodeStatus = (status: Status, accept: string | undefined, pretty: boolean) => EncodedStatus

/** JSON as Go's encoder writes it: <, > and & escaped, with a newline at its end unless it is pretty. */
export const encodeStatusAsJson: EncodeStatus = (status, _accept, pretty) => {
  const text = pretty ? JSON.stringify(status, undefined, 2) : `${JSON.stringify(status)}\n`
  return { contentType: 'application/json', body: Buffer.from(text.replace(markup, (sign) => escapes[sign] ?? sign)) }
}

const markup = /[<>&\u2028\u2029]/g
const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

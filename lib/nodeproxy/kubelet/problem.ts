import type { Readable } from 'node:stream'
import { StatusError, type StatusReason, statusErrors } from '../../object/index.ts'
import type { BackendResponse } from '../../proxy/index.ts'

/** Maximum size of a kubelet's explanation. */
const explanationBytesMax = 50_000

const problems: ReadonlyMap<number, { readonly reason: StatusReason; readonly text: string }> = new Map([
  [401, { reason: 'Unauthorized', text: 'the server has asked for the client to provide credentials' }],
  [404, { reason: 'NotFound', text: 'the server could not find the requested resource' }],
  [405, { reason: 'MethodNotAllowed', text: 'the server does not allow this method on the requested resource' }],
  [409, { reason: 'Conflict', text: 'the server reported a conflict' }],
  [410, { reason: 'Gone', text: 'the server reported a conflict' }],
  [
    429,
    {
      reason: 'TooManyRequests',
      text: 'the server has received too many requests and has asked us to try again later',
    },
  ],
  [503, { reason: 'ServiceUnavailable', text: 'the server is currently unable to handle the request' }],
  [
    504,
    {
      reason: 'Timeout',
      text: 'the server was unable to return a response in the time allotted, but may still be processing the request',
    },
  ],
])

/** The client's error for a log that a kubelet refused, with the kubelet's status and words. */
export async function kubeletProblem({ status, body }: BackendResponse, podName: string): Promise<StatusError> {
  const words = await beginningOf(body)
  if (status === 500) return statusErrors.internal(words)
  if (status === 400) return statusErrors.badRequest(words)
  const known = problems.get(status)
  const text =
    known?.text ??
    (status === 403 && words !== ''
      ? words
      : `an error on the server (${JSON.stringify(words)}) has prevented the request from succeeding`)
  const reason = known?.reason ?? (status === 403 ? 'Forbidden' : status > 500 ? 'InternalError' : '')
  return new StatusError(status, reason, `${text} ( pods/log ${podName})`, {
    details: { name: podName, kind: 'pods/log' },
  })
}

async function beginningOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= explanationBytesMax) break
  }
  return Buffer.concat(chunks).subarray(0, explanationBytesMax).toString()
}

import type { Agent, IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Address } from '../client/index.ts'
import type { BackendExchange, BackendRequest, BackendResponse } from './backend.ts'

export function beginOverHttp1(
  agent: Agent,
  { host, port }: Address,
  { method, path, headers, signal }: BackendRequest,
  over: () => void,
): BackendExchange {
  const request = https.request({ agent, host, port, method, path, headers, signal, setHost: false })
  request.on('close', over)
  const answer = new Promise<BackendResponse>((done, failed) => {
    const answered = (response: IncomingMessage, upgraded?: BackendResponse['upgraded']): void => {
      const { statusCode: status = 502, headers: given } = response
      done({ status, headers: given, body: response, ...(upgraded ? { upgraded } : {}) })
    }
    request.on('error', failed)
    request.on('response', (response) => answered(response))
    request.on('upgrade', (response, socket, head) => answered(response, { socket, head }))
  })
  // The caller waits for the answer, if not at once.
  answer.catch(() => {})
  return { body: request, answer }
}

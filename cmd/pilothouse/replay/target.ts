import type { IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { createEndpointConnections, type ServerEndpoint } from '../../../lib/client/index.ts'

export interface TargetAnswer {
  readonly status: number
  readonly type: string
  /** Absent where it is larger than what is read. */
  readonly body?: Buffer
}

export interface Target {
  /**
   * Resolves with the answer; of a stream, with its head, and the stream ends. Rejects with an Error of one line. Redirects are not
   * followed.
   */
  ask(request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: Uint8Array
    readonly isStream: boolean
  }): Promise<TargetAnswer>
  /** Begins a watch, whose bytes go to `chunk` until it is closed. Never throws. */
  watch(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    chunk(bytes: Uint8Array): void
  }): TargetWatch
  close(): void
}

export interface TargetWatch {
  /** The head of the answer. Rejects with an Error of one line. */
  readonly head: Promise<TargetAnswer>
  close(): void
}

const socketsMax = 64
const bodyBytesMax = 64 * 1024 * 1024

/** The server that a recording is played to. */
export function createTarget(endpoint: ServerEndpoint, timeoutMs: number): Target {
  const connections = createEndpointConnections(endpoint, socketsMax)
  const root = endpoint.url.replace(/\/+$/, '')
  return {
    async ask({ method, url, headers, body, isStream }) {
      const shown = endpoint.credentials ? await endpoint.credentials.current() : endpoint
      const { agent, release } = connections.take(shown)
      const { authorization } = shown
      return await new Promise((resolve, reject) => {
        const sent = (root.startsWith('http:') ? http : https).request(root + url, {
          method,
          agent,
          timeout: timeoutMs,
          headers: {
            ...headers,
            ...(authorization === undefined ? {} : { authorization }),
            ...(body === undefined ? {} : { 'content-length': body.length }),
          },
        })
        sent.once('close', release)
        sent.once('error', reject)
        sent.once('timeout', () => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
        sent.once('response', (answer) => {
          const head = { status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '' }
          if (!isStream) return void readBody(answer).then((read) => resolve({ ...head, ...read }), reject)
          resolve(head)
          sent.destroy()
        })
        sent.end(body)
      })
    },
    watch({ url, headers, chunk }) {
      const over = new AbortController()
      const begin = async (): Promise<TargetAnswer> => {
        const shown = endpoint.credentials ? await endpoint.credentials.current() : endpoint
        over.signal.throwIfAborted()
        const { agent, release } = connections.take(shown)
        const { authorization } = shown
        return await new Promise((resolve, reject) => {
          const sent = (root.startsWith('http:') ? http : https).request(root + url, {
            agent,
            signal: over.signal,
            headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
          })
          sent.once('close', release)
          // Its end is no fault.
          sent.on('error', reject)
          sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
          sent.once('response', (answer) => {
            sent.setTimeout(0)
            answer.on('data', chunk).on('error', () => {})
            resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '' })
          })
          sent.end()
        })
      }
      const head = begin()
      head.catch(() => {})
      return { head, close: () => over.abort(new Error('the watch is over')) }
    },
    close: () => connections.close(),
  }
}

async function readBody(answer: IncomingMessage): Promise<{ body?: Buffer }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  }
  return bytes <= bodyBytesMax ? { body: Buffer.concat(chunks) } : {}
}

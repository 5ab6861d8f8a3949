import https from 'node:https'
import type { Identity } from '../support/identity.ts'

export interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of any shape
  readonly body: any
}

/** The request was not sent: nothing can have been done. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

const timeoutMs = 10_000

/** A client with a connection of its own that it keeps. Requests that fail are not sent again. */
export class Client {
  readonly #url: URL
  readonly #agent: https.Agent

  constructor(url: string, identity: Identity) {
    this.#url = new URL(url)
    this.#agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false, ...identity })
  }

  /** Rejects when no whole answer came; with NotSent when no connection could be opened. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const { hostname, port } = this.#url
    return await new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      // Node does not frame the body of a DELETE.
      const framing = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const headers = body === undefined ? {} : framing
      const request = https.request({ hostname, port, method, path, agent: this.#agent, headers }, (answer) => {
        let received = ''
        answer.on('data', (chunk) => (received += String(chunk)))
        answer.on('end', () => {
          clearTimeout(timer)
          if (!answer.complete) return reject(new Error('the answer broke off'))
          resolve({ status: answer.statusCode ?? 0, body: parse(received) })
        })
        answer.on('error', reject)
      })
      const timer = setTimeout(() => request.destroy(new Error('no answer')), timeoutMs)
      request.on('error', (error) => {
        clearTimeout(timer)
        reject('code' in error && error.code === 'ECONNREFUSED' ? new NotSent(error.message) : error)
      })
      request.end(text)
    })
  }

  /** A stream of lines; the answer is the status at once. `end` is called once. */
  stream(path: string, on: { line(text: string): void; end(status: number): void }, silentMsMax: number): () => void {
    const { hostname, port } = this.#url
    let status = 0
    let rest = ''
    const request = https.get({ hostname, port, path, agent: this.#agent }, (answer) => {
      status = answer.statusCode ?? 0
      answer.on('data', (chunk) => {
        const lines = (rest + String(chunk)).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) on.line(line)
      })
      answer.on('error', () => {})
    })
    // A server that is stopped says nothing, and its connection stays.
    request.setTimeout(silentMsMax, () => request.destroy())
    request.on('error', () => {})
    request.on('close', () => on.end(status))
    return () => void request.destroy()
  }

  close(): void {
    this.#agent.destroy()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

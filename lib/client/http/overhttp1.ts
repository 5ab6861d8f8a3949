import type { Agent, IncomingMessage } from 'node:http'
import https from 'node:https'
import { type Closable, nodeHttp } from '../../base/index.ts'
import type { AnswerSink, HttpRequest } from './exchange.ts'

/** Sends a request on a connection of its own. `root`: what the URL begins with; `headers`: beside those of the request. */
export function sendOverHttp1(
  { agent, root }: { readonly agent: Agent; readonly root: string },
  { method, url, headers: own, body }: HttpRequest,
  headers: Readonly<Record<string, string>>,
  sink: AnswerSink,
): Closable {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const client = root.startsWith('http:') ? nodeHttp() : https
  const sent = client.request(root + url, { method, agent, headers: { ...headers, ...own, ...length } })
  let over = false
  const end = (error?: Error): void => {
    if (over) return
    over = true
    sink.onEnd(error)
  }
  sent.on('error', end)
  let hasHead = false
  // The connection may end in a way for which Node has no other event.
  sent.on('close', () => {
    if (!hasHead) end(new Error('EOF'))
  })
  // The server changes protocols without a request for it: Node emits only this event.
  sent.on('upgrade', (_response, socket) => {
    socket.destroy()
    end(new Error('unexpected change of protocols'))
  })
  sent.on('response', (response) => {
    hasHead = true
    sink.onHead({ status: response.statusCode ?? 0, header: (name) => headerOf(response, name) })
    response.on('data', (chunk: Buffer) => {
      if (!over) sink.onData(chunk)
    })
    response.on('error', end)
    response.on('close', () => end(response.complete ? undefined : new Error('the connection was lost')))
  })
  sent.end(body)
  return {
    close() {
      over = true
      sent.destroy()
    },
  }
}

function headerOf(response: IncomingMessage, name: string): string {
  const value = response.headers[name]
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}

import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import nodeHttp from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createEndpointConnections, type ServerEndpoint } from '../../../lib/client/index.ts'
import type { KeyPair } from '../../../lib/pki/index.ts'
import type { createObserver } from './observer.ts'

interface ProxyOptions {
  readonly endpoint: ServerEndpoint
  /** Token that clients of the proxy must send: they act with the rights of the endpoint's user. */
  readonly token: string
  readonly serving: KeyPair
  readonly observe: ReturnType<typeof createObserver>
}

export interface RecordingProxy {
  readonly port: number
  close(): Promise<void>
}

/** Headers of one connection, and credentials: the endpoint's own are sent. */
const notForwarded =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|authorization|cookie|accept-encoding|x-remote-.*|expect)$/
const socketsMax = 256
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/** Listens on loopback, and passes requests on with the endpoint's credentials. */
export async function startProxy(
  { host, port }: { readonly host: string; readonly port: number },
  { endpoint, token, serving, observe }: ProxyOptions,
): Promise<RecordingProxy> {
  const connections = createEndpointConnections(endpoint, socketsMax)
  const root = endpoint.url.replace(/\/+$/, '')
  const expected = Buffer.from(`Bearer ${token}`)

  const isKnown = ({ headers }: IncomingMessage): boolean => {
    const shown = Buffer.from(headers.authorization ?? '')
    return shown.length === expected.length && timingSafeEqual(shown, expected)
  }

  async function forward(request: IncomingMessage, more: Record<string, string> = {}): Promise<nodeHttp.ClientRequest> {
    const shown = endpoint.credentials ? await endpoint.credentials.current() : endpoint
    const { agent, release } = connections.take(shown)
    const { authorization } = shown
    const sent = (root.startsWith('http:') ? nodeHttp : https).request(root + (request.url ?? '/'), {
      method: request.method,
      agent,
      headers: {
        ...forwardedHeaders(request),
        // Bodies are read on their way.
        'accept-encoding': 'identity',
        ...(authorization === undefined ? {} : { authorization }),
        ...more,
      },
    })
    sent.once('close', release)
    return sent
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isKnown(request)) return refuse(response, 401, 'Unauthorized', 'the token of the recorder is missing or wrong')
    const observed = observe(request.method ?? '', request.url ?? '', request.headers)
    const sent = await forward(request)
    let isOver = false
    const over = (by: 'client' | 'server'): void => {
      if (isOver) return
      isOver = true
      void observed.ended(by)
    }
    response.once('close', () => {
      over('client')
      sent.destroy()
    })
    sent.on('error', (error) => {
      over('server')
      if (response.headersSent) response.destroy()
      else refuse(response, 502, 'BadGateway', `the server can't be reached: ${error.message}`)
    })
    sent.on('response', (answer) => {
      observed.answered(answer.statusCode ?? 0, answer.headers)
      response.writeHead(answer.statusCode ?? 502, answerHeaders(answer))
      answer.on('data', (chunk: Buffer) => observed.chunk(chunk))
      answer.once('end', () => over('server'))
      answer.once('error', () => response.destroy())
      answer.pipe(response)
      response.flushHeaders()
    })
    request.on('data', (chunk: Buffer) => observed.body(chunk))
    request.once('end', () => void observed.sent())
    request.pipe(sent)
  }

  async function upgrade(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy())
    if (!isKnown(request)) return void client.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
    const observed = observe(request.method ?? '', request.url ?? '', request.headers, true)
    await observed.sent()
    const { upgrade: protocol = '' } = request.headers
    const sent = await forward(request, { connection: 'Upgrade', upgrade: protocol })
    client.once('close', () => {
      void observed.ended('client')
      sent.destroy()
    })
    sent.on('error', () => client.destroy())
    sent.on('upgrade', (answer, server, first) => {
      observed.answered(answer.statusCode ?? 101, answer.headers)
      client.write(headText(answer))
      client.write(first)
      server.write(head)
      server.on('error', () => client.destroy())
      server.once('close', () => client.destroy())
      client.once('close', () => server.destroy())
      server.pipe(client).pipe(server)
    })
    sent.on('response', (answer) => {
      observed.answered(answer.statusCode ?? 0, answer.headers)
      client.write(headText(answer, 'connection: close\r\n'))
      answer.pipe(client)
    })
    sent.end()
  }

  const server = https.createServer({ key: serving.key, cert: serving.certificate, ALPNProtocols: ['http/1.1'] })
  // A refusal has been answered; what fails here is the credentials of the endpoint.
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) =>
      refuse(response, 502, 'BadGateway', `the credentials of the server can't be had: ${messageOf(error)}`),
    )
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(request, socket, head).catch(() => socket.destroy())
  })
  server.listen({ host, port })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      connections.close()
      await closed
    },
  }
}

function forwardedHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const dropped = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notForwarded.test(name) && !dropped.includes(name)) kept[name] = value
  const protocols = String(headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/)
  if (protocols.some((name) => name.startsWith(tokenProtocol)))
    kept['sec-websocket-protocol'] = protocols.filter((name) => !name.startsWith(tokenProtocol)).join(', ')
  return kept
}

function answerHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !/^(connection|keep-alive|transfer-encoding)$/.test(name))
  return Object.fromEntries(kept) as Record<string, string | string[]>
}

function headText({ statusCode, statusMessage, rawHeaders }: IncomingMessage, more = ''): string {
  let lines = ''
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    if (more === '' || !/^(connection|transfer-encoding)$/i.test(rawHeaders[index] ?? ''))
      lines += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines}${more}\r\n`
}

function refuse(response: ServerResponse, code: number, reason: string, message: string): void {
  if (response.headersSent) return void response.destroy()
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
  response.writeHead(code, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(status))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

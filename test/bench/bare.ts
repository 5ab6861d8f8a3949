// A bare TLS server in Node for the same bytes: the yardstick of every read, and of every delivery to watchers: a GET
// of /watch stays open, and a POSTed body goes to all open ones as it is. Prints its ports: for HTTP/1.1 and HTTP/2.
import { readFileSync } from 'node:fs'
import http2 from 'node:http2'
import https from 'node:https'
import type { Readable, Writable } from 'node:stream'

const [certificateFile = '', keyFile = '', bytes = '1400'] = process.argv.slice(2)
const body = Buffer.alloc(Number(bytes), 'x')
const pair = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) }
const watchers = new Set<Writable>()

function watch(answer: Writable): void {
  watchers.add(answer)
  answer.on('error', () => {})
  answer.on('close', () => watchers.delete(answer))
}

async function deliver(request: Readable): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const frame = Buffer.concat(chunks)
  for (const watcher of watchers) watcher.write(frame)
}

const overHttp1 = https.createServer(pair, (request, response) => {
  if (request.url === '/watch') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    return watch(response)
  }
  if (request.method === 'POST') void deliver(request)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})

/** Events for the watches of one server are POSTed to the other. */
const overHttp2 = http2.createSecureServer(pair)
overHttp2.on('stream', (opened, headers) => {
  const stream = opened as http2.ServerHttp2Stream // a server's streams are of this kind
  if (headers[':path'] === '/watch') {
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    return watch(stream)
  }
  stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length })
  stream.end(body)
})

for (const server of [overHttp1, overHttp2]) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
}

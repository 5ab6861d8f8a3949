// What a bare TLS server in Node costs for the same bytes: the yardstick of every read, and of every delivery to watchers:
// a GET of /watch stays open, and what is POSTed goes to all of those as it is. Prints its port.
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'

const [certificateFile = '', keyFile = '', bytes = '1400'] = process.argv.slice(2)
const body = Buffer.alloc(Number(bytes), 'x')
const watchers = new Set<ServerResponse>()

async function deliver(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const frame = Buffer.concat(chunks)
  for (const watcher of watchers) watcher.write(frame)
}

const server = https.createServer(
  { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
  (request, response) => {
    if (request.url === '/watch') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.flushHeaders()
      watchers.add(response)
      response.on('close', () => watchers.delete(response))
      return
    }
    if (request.method === 'POST') void deliver(request)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  },
)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})

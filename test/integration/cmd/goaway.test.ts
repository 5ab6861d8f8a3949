import assert from 'node:assert/strict'
import http2 from 'node:http2'
import { adminToken, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'

const requests = 1500
const atOnce = 20

describe('apiserver: --goaway-chance', () => {
  const folder = scratchFolder('goaway')
  let server: ServerProcess
  before(async () => {
    const flags = ['--storage-backend=memory', '--goaway-chance=0.02']
    server = await startServer('cmd/apiserver/main.ts', flags, folder.path)
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  /** As Go's client does: a session is used until it is sent away; requests that crossed with that are sent again. */
  class Client {
    sentAway = 0
    #session: http2.ClientHttp2Session | undefined

    async get(path: string): Promise<number> {
      for (;;) {
        const { status, rstCode } = await this.#try(path)
        // Refused means that the server has not looked at it.
        if (rstCode !== http2.constants.NGHTTP2_REFUSED_STREAM) return status
      }
    }
    close(): void {
      this.#session?.destroy()
    }
    async #try(path: string): Promise<{ status: number; rstCode: number | undefined }> {
      const stream = this.#usable().request({ ':path': path, authorization: `Bearer ${adminToken}` })
      let status = 0
      stream.on('response', (answer) => (status = Number(answer[':status'])))
      stream.on('error', () => undefined)
      stream.resume()
      return await new Promise((resolve) => stream.on('close', () => resolve({ status, rstCode: stream.rstCode })))
    }
    #usable(): http2.ClientHttp2Session {
      if (this.#session && !this.#session.closed) return this.#session
      const session = http2.connect(server.url, { rejectUnauthorized: false })
      this.#session = session
      session.on('error', () => undefined)
      session.on('goaway', () => {
        this.sentAway++
        // Node closes the session itself, but only once this event is over.
        if (this.#session === session) this.#session = undefined
      })
      return session
    }
  }

  it('sends GOAWAY to HTTP/2 clients now and then, and fails none of their requests', async () => {
    const client = new Client()
    const statuses = new Map<number, number>()
    let left = requests
    const workers = Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const status = await client.get('/api/v1/namespaces/default')
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    await Promise.all(workers)
    client.close()
    assert.deepEqual([...statuses], [[200, requests]])
    // Thirty on average, fewer where two requests of one session both send it away.
    assert(client.sentAway >= 5 && client.sentAway <= 80, `sent away ${client.sentAway} times`)
  })
})

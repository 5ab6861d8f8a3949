import assert from 'node:assert/strict'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../../lib/base/index.ts'
import { createEndpointClient, type EndpointAnswer } from '../../../lib/client/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { dependencies } from '../storage/kit.ts'

const authority = createAuthority(dependencies, { commonName: 'hooks' })
const pair = authority.issue({ commonName: 'hook', usage: 'server', names: ['127.0.0.1', 'localhost'] })

describe('redirects of another server', () => {
  let server: http2.Http2SecureServer
  let port: number
  /** The requests that came, with their bodies. */
  let seen: string[]
  let place: (url: string) => readonly [status: number, location?: string]

  beforeEach(async () => {
    seen = []
    server = http2.createSecureServer({ cert: pair.certificate, key: pair.key, allowHTTP1: true })
    server.on('request', (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${body}`)
        const [status, location] = place(request.url)
        response.writeHead(status, location === undefined ? {} : { location })
        response.end('{}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterEach(() => void server.close())

  async function post(): Promise<EndpointAnswer> {
    const endpoint = { url: `https://127.0.0.1:${port}/a?timeout=1s`, ca: authority.certificate }
    const client = createEndpointClient({ clock: systemClock }, endpoint)
    try {
      return await client.post('body')
    } finally {
      client.close()
    }
  }

  for (const [status, location] of [
    [307, () => '/b'],
    [308, () => `https://127.0.0.1:${port}/b`],
  ] as const)
    it(`are followed with method and body: ${status}`, async () => {
      place = (url) => (url.startsWith('/a') ? [status, location()] : [200])
      assert.equal((await post()).status, 200)
      assert.deepEqual(seen, ['POST /a?timeout=1s body', 'POST /b body'])
    })

  it('are not followed to another host, which no configuration names', async () => {
    place = (url) => (url.startsWith('/a') ? [307, `https://localhost:${port}/b`] : [200])
    assert.equal((await post()).status, 307)
    assert.equal(seen.length, 1)
  })

  it('are not followed where the method would change', async () => {
    place = (url) => (url.startsWith('/a') ? [302, '/b'] : [200])
    assert.equal((await post()).status, 302)
    assert.equal(seen.length, 1)
  })

  it('are followed a limited number of times', async () => {
    place = (url) => [307, url]
    await assert.rejects(post(), { message: `Post "https://127.0.0.1:${port}/a": stopped after 10 redirects` })
    assert.equal(seen.length, 10)
  })
})

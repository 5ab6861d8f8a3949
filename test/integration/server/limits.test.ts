import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:https'
import type { Call } from '../../../lib/request/index.ts'
import { get1, get2, protocols, raw, received, serving, session2 } from './support.ts'

const pod = '/api/v1/namespaces/default/pods/web'
const bodyBytesMax = 3 * 1024 * 1024
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function readAll(call: Call): Promise<void> {
  const body = await call.body()
  await call.responder.send(200, {}, Buffer.from(String(body.byteLength)))
}

describe('limits of requests', () => {
  const listen = serving()

  for (const { protocol, get } of protocols) {
    it(`${protocol}: a watch has to begin within the time limit of a request, and may then last longer`, async () => {
      const path = '/api/v1/namespaces/default/pods?watch=1'
      const never = await listen(() => new Promise(() => {}), { requestTimeoutMs: 200 })
      const late = await get(never, path)
      assert.equal(late.status, 504)
      assert.match(late.body, /"Timeout: request did not complete within the allotted timeout"/)
      const lasting = async (call: Call): Promise<void> => {
        const stream = call.responder.stream(200, {})
        stream.write(Buffer.from('begun '))
        await wait(700)
        stream.write(Buffer.from('and ended'))
        stream.end()
      }
      const long = await get(await listen(lasting, { requestTimeoutMs: 200 }), path)
      assert.deepEqual([long.status, long.body], [200, 'begun and ended'])
    })

    it(`${protocol}: accepts a body of exactly 3 MiB and answers 413 to one byte more, announced or not`, async () => {
      const port = await listen(readAll)
      const ask = { method: 'POST', body: Buffer.alloc(bodyBytesMax) }
      assert.equal((await get(port, pod, ask)).body, String(bodyBytesMax))
      const announced: Record<string, string> = { 'content-length': String(bodyBytesMax + 1) }
      for (const headers of [announced, {}]) {
        const chunked = protocol === 'HTTP/1.1' && !('content-length' in headers)
        const answer = await get(port, pod, {
          method: 'POST',
          body: Buffer.alloc(bodyBytesMax + 1),
          headers: chunked ? { 'transfer-encoding': 'chunked' } : headers,
        })
        assert.equal(answer.status, 413)
        assert.match(answer.body, /"Request entity too large: limit is 3145728"/)
      }
      assert.equal((await get(port, pod, { method: 'POST', body: 'abc' })).body, '3')
    })

    it(`${protocol}: answers 414 to a URL that is too long and 400 to malformed escapes`, async () => {
      const port = await listen(undefined, { urlBytesMax: 1000 })
      assert.equal((await get(port, `/api/v1/pods?x=${'y'.repeat(1000)}`)).status, 414)
      for (const path of ['/api/v1/%zz', '/api/v1/pods/%ff', '/%']) {
        assert.equal((await get(port, path)).status, 400, path)
      }
      assert.equal((await get(port, '/api/v1/pods?labelSelector=%zz')).status, 200)
    })

    it(`${protocol}: gives up on a body that does not arrive`, async () => {
      const port = await listen(readAll, { requestTimeoutMs: 200 })
      const started = Date.now()
      const status = await new Promise<number>((resolve, reject) => {
        if (protocol === 'HTTP/2') {
          const session = session2(port)
          const stream = session.request({ ':path': pod, ':method': 'POST' })
          stream.write('{')
          stream.on('response', (headers) => {
            resolve(Number(headers[':status']))
            session.destroy()
          })
          stream.on('error', reject)
          return
        }
        const outgoing = request(
          { host: '127.0.0.1', port, path: pod, method: 'POST', rejectUnauthorized: false, agent: false },
          (incoming) => {
            resolve(incoming.statusCode ?? 0)
            outgoing.destroy()
          },
        )
        outgoing.on('error', reject)
        outgoing.write('{')
      })
      assert.equal(status, 504)
      assert.ok(Date.now() - started < 30_000)
    })
  }

  it('HTTP/1.1: an early refusal reaches a client that keeps sending, and the connection is closed', async () => {
    const port = await listen(readAll)
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`POST ${pod} HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999\r\n\r\n`)
    const answer = received(socket)
    const sending = setInterval(() => socket.write(Buffer.alloc(64 * 1024)), 5)
    const text = await answer.finally(() => clearInterval(sending))
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.match(text, /connection: close/i)
  })

  it('HTTP/1.1: answers 431 to headers that are too large or too many', async () => {
    const port = await listen(undefined, { headerBytesMax: 16 * 1024, headerCountMax: 50 })
    assert.equal((await get1(port, pod, { headers: { 'x-large': 'y'.repeat(20_000) } })).status, 431)
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, '1']))
    assert.equal((await get1(port, pod, { headers: many })).status, 431)
    assert.equal((await get1(port, pod, { headers: { 'x-large': 'y'.repeat(8000) } })).status, 200)
  })

  it('HTTP/2: refuses headers that are too large or too many, and keeps serving', async () => {
    const port = await listen(undefined, { headerBytesMax: 16 * 1024, headerCountMax: 50 })
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, '1']))
    const outcomes = await Promise.allSettled([
      get2(port, pod, { headers: many }),
      get2(port, pod, { headers: { 'x-large': 'y'.repeat(20_000) } }),
    ])
    const statuses = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.status : 0))
    assert.ok(!statuses.includes(200), `answered ${statuses.join(', ')}`)
    assert.equal((await get2(port, pod)).status, 200)
  })
})

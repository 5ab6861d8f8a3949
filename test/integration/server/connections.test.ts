import assert from 'node:assert/strict'
import { once } from 'node:events'
import { eventually } from '../../support/eventually.ts'
import { turns } from '../../support/turns.ts'
import { get1, on2, raw, received, serving, session2, small } from './support.ts'

const pod = '/api/v1/namespaces/default/pods/web'

describe('connections', () => {
  const listen = serving()

  it('HTTP/2: allows the limit of concurrent streams and no more', async () => {
    let open = 0
    let most = 0
    const full = Promise.withResolvers<void>()
    const seen = Promise.withResolvers<void>()
    const port = await listen(
      async (call) => {
        most = Math.max(most, ++open)
        if (open === 5) full.resolve()
        await seen.promise
        open--
        await call.responder.send(200, {}, small)
      },
      { http2StreamsMax: 5 },
    )
    const session = session2(port)
    await once(session, 'remoteSettings')
    assert.equal(session.remoteSettings.maxConcurrentStreams, 5)
    const asked = Promise.all(Array.from({ length: 20 }, () => on2(session, pod)))
    await full.promise
    // Its answer comes behind the requests that were sent before it.
    await new Promise<void>((resolve) => void session.ping(() => resolve()))
    assert.equal(open, 5)
    seen.resolve()
    const answers = await asked
    session.destroy()
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(most, 5)
  })

  it('accepts no more connections than allowed', async () => {
    const port = await listen(undefined, { connectionsMax: 2 })
    const sockets = [raw(port), raw(port)]
    await Promise.all(sockets.map((socket) => once(socket, 'secureConnect')))
    await assert.rejects(get1(port, pod))
    sockets[0]?.destroy()
    const isServed = async (): Promise<boolean> =>
      await get1(port, pod).then(
        ({ status }) => status === 200,
        () => false,
      )
    await eventually(isServed, 'a place for another connection')
    sockets[1]?.destroy()
  })

  it('HTTP/1.1: keeps a connection for the next request, and closes it after the idle time', async () => {
    const idleTimeoutMs = 1000
    const port = await listen(undefined, { idleTimeoutMs })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    const text = received(socket)
    socket.write(`GET ${pod}?n=1 HTTP/1.1\r\nhost: x\r\n\r\n`)
    await once(socket, 'data')
    const secondMs = performance.now()
    socket.write(`GET ${pod}?n=2 HTTP/1.1\r\nhost: x\r\n\r\n`)
    assert.equal((await text).match(/HTTP\/1\.1 200[^]*?connection: keep-alive/gi)?.length, 2)
    assert.ok(performance.now() - secondMs >= idleTimeoutMs - 50)
  })

  it('keeps idle connections for three minutes by default', async () => {
    const { defaultServerOptions } = await import('../../../lib/server/index.ts')
    assert.ok(defaultServerOptions.idleTimeoutMs >= 180_000)
  })

  it('HTTP/1.1: answers pipelined requests in order', async () => {
    let running = 0
    const port = await listen(async (call) => {
      assert.equal(++running, 1, 'one at a time')
      if (call.query.has('slow')) await turns()
      running--
      await call.responder.send(200, {}, Buffer.from(call.query.get('n') ?? ''))
    })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`GET ${pod}?slow&n=first HTTP/1.1\r\nhost: x\r\n\r\n`)
    socket.write(`GET ${pod}?n=second HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    assert.match(await received(socket), /first[^]*second/)
  })

  it('HTTP/1.1: a stream behind another answer on one connection keeps its framing', async () => {
    const port = await listen(async (call) => {
      if (call.info.verb === 'watch') {
        const stream = call.responder.stream(200, {})
        stream.write(Buffer.from('event\n'))
        return stream.end()
      }
      await turns()
      await call.responder.send(200, {}, small)
    })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`GET ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`)
    socket.write('GET /api/v1/pods?watch=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const text = await received(socket)
    assert.match(text, /ConfigMap[^]*\r\n\r\n6\r\nevent\n\r\n0\r\n\r\n$/)
  })
})

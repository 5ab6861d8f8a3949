import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants } from 'node:http2'
import { connect } from 'node:tls'
import type { Authenticator } from '../../../lib/authn/index.ts'
import { turns } from '../../support/turns.ts'
import { frame, preface } from './http2/frames.ts'
import { alice, closed, get1, get2, protocols, raw, received, run, serving, session2, small } from './support.ts'

const pod = '/api/v1/namespaces/default/pods/web'

/** Authenticates every request as alice; calls `report` with the values of some headers. */
function createAuthenticatorSpy(report: (values: unknown) => void, names: readonly string[]): Authenticator {
  return {
    name: 'test',
    authenticate({ headers }) {
      report(names.map((name) => headers[name]))
      return { outcome: 'authenticated', user: alice }
    },
  }
}

describe('clients that hold out or overwhelm', () => {
  const listen = serving()

  it('HTTP/1.1: cuts off a client whose headers trickle in', async () => {
    const port = await listen(undefined, { headersTimeoutMs: 1000 })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`GET ${pod} HTTP/1.1\r\n`)
    const trickle = setInterval(() => socket.write('x: y\r\n'), 20)
    const text = await received(socket).finally(() => clearInterval(trickle))
    assert.match(text, /^HTTP\/1\.1 408 |^$/)
  })

  const refusal =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server does not allow this method on the requested resource","reason":"MethodNotAllowed","details":{},"code":405}\n'
  for (const [what, request, expected] of [
    ['a method that nobody knows', `BREW ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`, ['405 Method Not Allowed', refusal]],
    ['a method in small letters', `get ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`, ['405 Method Not Allowed', refusal]],
    ['what is no request', '\u0001\u0002 hello\r\n\r\n', ['400 Bad Request', '']],
    ['a header that is none', `GET ${pod} HTTP/1.1\r\nno header\r\n\r\n`, ['400 Bad Request', '']],
    ['two hosts', `GET ${pod} HTTP/1.1\r\nHost: a\r\nhOst: b\r\n\r\n`, ['400 Bad Request', '']],
    ['the same host twice', `GET ${pod} HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n`, ['400 Bad Request', '']],
    [
      'two hosts that ask to upgrade',
      `GET ${pod} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`,
      ['400 Bad Request', ''],
    ],
    ['no host', `GET ${pod} HTTP/1.1\r\nAccept: a\r\n\r\n`, ['400 Bad Request', '']],
    ['version 2.0 in a line of HTTP/1', `GET ${pod} HTTP/2.0\r\nhost: x\r\n\r\n`, ['400 Bad Request', '']],
    ['version 3.0', `GET ${pod} HTTP/3.0\r\nhost: x\r\n\r\n`, ['400 Bad Request', '']],
    ['version 0.9', `GET ${pod} HTTP/0.9\r\nhost: x\r\n\r\n`, ['400 Bad Request', '']],
    ['a line without a version', `GET ${pod}\r\n\r\n`, ['400 Bad Request', '']],
    ['CONNECT, as every method', `CONNECT ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`, ['200 OK', `CONNECT of pods`]],
  ] as const)
    it(`HTTP/1.1: answers ${what} and closes`, async () => {
      const port = await listen((call) =>
        call.responder.send(200, {}, Buffer.from(`${call.method} of ${call.info.resource}`)),
      )
      const socket = raw(port)
      await once(socket, 'secureConnect')
      socket.write(request)
      const [head = '', body] = (await received(socket)).split('\r\n\r\n')
      assert.deepEqual([head.split('\r\n')[0], body], [`HTTP/1.1 ${expected[0]}`, expected[1]])
      assert.match(head, /connection: close/i)
    })

  for (const [what, behind] of [
    ['bytes that are no request', '{"preconditions":{}}'],
    ['another method', `BREW ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`],
    [
      'a request whose body is framed wrongly',
      `POST ${pod} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ] as const)
    it(`HTTP/1.1: answers a request independent of the bytes behind it: ${what}`, async () => {
      const port = await listen(async (call) => {
        if (call.method === 'POST') return void (await call.body())
        // What is behind the request has been read before it is answered.
        await turns()
        await call.responder.send(200, {}, Buffer.from('deleted'))
      })
      const socket = raw(port)
      await once(socket, 'secureConnect')
      socket.write(`DELETE ${pod} HTTP/1.1\r\nhost: x\r\n\r\n${behind}`)
      const text = await received(socket)
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*deleted$/i)
    })

  const singles = ['authorization', 'content-type', 'user-agent']
  it('HTTP/1.1: uses the first of a repeated header that has one value, and never joins them', async () => {
    const seen = Promise.withResolvers<unknown>()
    const headers = createAuthenticatorSpy(seen.resolve, singles)
    const { server, port } = await run(undefined, {}, { authenticator: headers })
    const socket = raw(port)
    const twice = singles.map((name) => `${name}: first\r\n${name}: second\r\n`).join('')
    socket.end(`GET ${pod} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${twice}\r\n`)
    await received(socket)
    assert.deepEqual(await seen.promise, ['first', 'first', 'first'])
    await server.close()
  })

  it('HTTP/1.1: uses the first of two audit ids and origins', async () => {
    const port = await listen(undefined, { corsAllowedOrigins: ['//ui.example$'] })
    const socket = raw(port)
    const ids = 'audit-id: a\r\naudit-id: b\r\norigin: https://ui.example\r\norigin: https://other.example\r\n'
    socket.end(`GET ${pod} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${ids}\r\n`)
    const text = await received(socket)
    assert.match(text, /audit-id: a\r\n/)
    assert.match(text, /access-control-allow-origin: https:\/\/ui\.example\r\n/)
  })

  it('cuts off a client without a handshake', async () => {
    const { createConnection } = await import('node:net')
    const port = await listen(undefined, { handshakeTimeoutMs: 500 })
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.on('error', () => {})
    await closed(socket)
  })

  for (const { protocol } of protocols) {
    it(`${protocol}: cuts off a client that reads nothing, and others are served meanwhile`, async () => {
      const closed = Promise.withResolvers<void>()
      const port = await listen(
        async (call) => {
          if (call.info.verb !== 'list') return call.responder.send(200, {}, small)
          call.signal.addEventListener('abort', () => closed.resolve())
          await call.responder.send(200, {}, Buffer.alloc(64 * 1024 * 1024))
        },
        { stallTimeoutMs: 300 },
      )
      let stop: () => void
      if (protocol === 'HTTP/2') {
        const session = session2(port)
        const stream = session.request({ ':path': '/api/v1/pods' })
        stream.on('error', () => {})
        stream.pause()
        stop = () => session.destroy()
      } else {
        const socket = raw(port)
        await once(socket, 'secureConnect')
        socket.write('GET /api/v1/pods HTTP/1.1\r\nhost: x\r\n\r\n')
        socket.pause()
        stop = () => socket.destroy()
      }
      assert.equal((await get1(port, pod)).status, 200)
      await closed.promise
      stop()
    })
  }

  it('HTTP/2: a rapid reset ends the session, bounds the work, and others are served', async () => {
    let handled = 0
    const port = await listen(
      async (call) => {
        handled++
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
      },
      { http2ResetBurst: 50, http2ResetsPerSecond: 10 },
    )
    const session = session2(port)
    const ended = new Promise((resolve) => session.on('close', resolve))
    await once(session, 'connect')
    const attack = setInterval(() => {
      for (let at = 0; at < 50 && !session.destroyed && !session.closed; at++) {
        const stream = session.request({ ':path': pod })
        stream.on('error', () => {})
        stream.close(constants.NGHTTP2_CANCEL)
      }
    }, 5)
    await ended.finally(() => clearInterval(attack))
    assert.ok(handled < 1000, `${handled} handled`)
    assert.equal((await get1(port, '/version')).status, 200)
  })

  for (const { protocol } of protocols) {
    it(`${protocol}: cuts off a watch with too much unread data`, async () => {
      const cut = Promise.withResolvers<void>()
      const port = await listen(
        (call) => {
          const stream = call.responder.stream(200, {})
          const more = setInterval(() => stream.write(Buffer.alloc(1024 * 1024)), 1)
          stream.onClose(() => {
            clearInterval(more)
            cut.resolve()
          })
        },
        { pendingBytesMax: 8 * 1024 * 1024, stallTimeoutMs: 10_000 },
      )
      if (protocol === 'HTTP/2') {
        const session = session2(port)
        const stream = session.request({ ':path': '/api/v1/pods?watch=1' })
        stream.on('error', () => {})
        await cut.promise
        session.destroy()
      } else {
        const socket = raw(port)
        await once(socket, 'secureConnect')
        socket.pause()
        socket.write('GET /api/v1/pods?watch=1 HTTP/1.1\r\nhost: x\r\n\r\n')
        await cut.promise
        socket.destroy()
      }
    })
  }

  const settings = frame(4, 0, 0, Buffer.alloc(0))
  const floods: { name: string; begin: Buffer; again: Buffer }[] = [
    {
      name: 'CONTINUATION frames',
      begin: frame(1, 0, 1, Buffer.from([0x82])),
      again: frame(9, 0, 1, Buffer.from([0x40, 1, 97, 1, 98])),
    },
    { name: 'SETTINGS frames', begin: Buffer.alloc(0), again: frame(4, 0, 0, Buffer.from([0, 3, 0, 0, 0, 9])) },
    { name: 'PING frames', begin: Buffer.alloc(0), again: frame(6, 0, 0, Buffer.alloc(8)) },
    { name: 'empty DATA frames on a closed stream', begin: Buffer.alloc(0), again: frame(0, 0, 1, Buffer.alloc(0)) },
  ]
  for (const { name, begin, again } of floods) {
    it(`HTTP/2: ends a session that floods it with ${name} and does not read`, async () => {
      const port = await listen()
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
      socket.on('error', () => {})
      await once(socket, 'secureConnect')
      socket.pause()
      socket.write(Buffer.concat([preface, settings, begin]))
      const burst = Buffer.concat(Array<Buffer>(2000).fill(again))
      const flood = setInterval(() => socket.write(burst), 1)
      const closed = new Promise((resolve) => socket.on('close', resolve))
      // A closed connection shows only to who reads: a look now and then.
      const look = setInterval(() => {
        socket.resume()
        setTimeout(() => socket.pause(), 10)
      }, 1000)
      await closed
      clearInterval(flood)
      clearInterval(look)
      assert.equal((await get2(port, pod)).status, 200)
    })
  }
})

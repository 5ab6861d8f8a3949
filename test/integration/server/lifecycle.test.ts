import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import tls from 'node:tls'
import { type Clock, systemClock } from '../../../lib/base/index.ts'
import type { Call } from '../../../lib/request/index.ts'
import type { Server, Siblings } from '../../../lib/server/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type Answer, get1, get2, on2, protocols, run, session2, small } from './support.ts'

const pod = '/api/v1/namespaces/default/pods/web'
const watch = '/api/v1/pods?watch=1'
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const repeatable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION'])

/** A watch as endpoints serve it: open until its signal aborts. */
function serveWatch(call: Call, ended: () => void): void {
  const stream = call.responder.stream(200, { 'content-type': 'application/json' })
  stream.write(Buffer.from('{}\n'))
  call.signal.addEventListener('abort', () => {
    ended()
    stream.end()
  })
}

describe('a graceful stop', () => {
  const servers: Server[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  it('loses no request that was accepted, under load over both protocols', async () => {
    const shutdownDelayMs = 1000
    // The delay lasts until the test has seen what it wants to see of it.
    const delayOver = Promise.withResolvers<void>()
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, signal) => (ms === shutdownDelayMs ? delayOver.promise : systemClock.sleep(ms, signal)),
    }
    const { server, port } = await run(
      async (call) => {
        await wait(5)
        await call.responder.send(200, {}, small)
      },
      { shutdownDelayMs },
      { clock },
    )
    servers.push(server)
    const outcomes: Answer[] = []
    const broken: unknown[] = []
    let going = true
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const session = session2(port)
    const worker = async (ask: () => Promise<Answer>): Promise<void> => {
      while (going) {
        try {
          outcomes.push(await ask())
        } catch (error) {
          const { code } = error as { code?: string }
          // None of these was accepted: clients may repeat it, and do.
          if (!repeatable.has(code ?? '') && !String(error).includes('NGHTTP2_REFUSED_STREAM')) {
            broken.push(error)
          }
          if (code !== 'ECONNRESET') return
        }
      }
    }
    const workers = [
      ...Array.from({ length: 8 }, () => worker(() => get1(port, pod, { agent }))),
      ...Array.from({ length: 8 }, () => worker(() => on2(session, pod))),
    ]
    await eventually(() => outcomes.length > 50, 'answers')
    const before = outcomes.length
    const stopped = server.stop()
    assert.equal((await get1(port, '/readyz')).status, 500)
    assert.equal((await get1(port, '/livez')).status, 200)
    await eventually(() => outcomes.length > before, 'an answer after the signal')
    delayOver.resolve()
    await stopped
    going = false
    await Promise.all(workers)
    agent.destroy()
    session.destroy()
    assert.ok(outcomes.length > before)
    assert.deepEqual(broken, [])
    for (const { status, body } of outcomes) {
      assert.ok((status === 200 && body === small.toString()) || status === 503, `${status} ${body}`)
    }
    await assert.rejects(get1(port, pod), { code: 'ECONNREFUSED' })
  })

  it('sends a client elsewhere whose connection was opened just before, and refuses none of its requests', async () => {
    const { server, port } = await run(async (call) => call.responder.send(200, {}, small))
    servers.push(server)
    // The server waits for the first message of this connection.
    const socket = connect({ host: '127.0.0.1', port })
    await once(socket, 'connect')
    await get2(port, pod)
    const stopped = server.stop()
    const secured = tls.connect({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    const session = http2.connect(`https://127.0.0.1:${port}`, { createConnection: () => secured })
    session.on('error', () => {})
    const stream = session.request({ ':path': pod })
    let status: number | undefined
    stream.on('response', (headers) => (status = headers[':status']))
    await once(stream, 'close').catch(() => {})
    assert.equal(status, undefined, 'it gets no answer, and may be sent again')
    session.destroy()
    await stopped
  })

  it('waits for the whole of a large answer that is on its way', async () => {
    const size = 24 * 1024 * 1024
    const started = Promise.withResolvers<void>()
    let arrived = 0
    const { server, port } = await run(async (call) => {
      if (++arrived === protocols.length) started.resolve()
      await call.responder.send(200, {}, Buffer.alloc(size))
    })
    servers.push(server)
    const answers = protocols.map(({ get }) => get(port, pod))
    await started.promise
    await server.stop()
    for (const answer of await Promise.all(answers)) assert.equal(answer.body.length, size)
  })

  for (const { protocol, get } of protocols) {
    it(`${protocol}: closes watches cleanly, spread over their grace period`, async () => {
      const ends: number[] = []
      let open = 0
      // Time passes where somebody waits for it, and nowhere else.
      let nowMs = 0
      const clock: Clock = {
        ...systemClock,
        monotonicMs: () => nowMs,
        async sleep(ms) {
          await systemClock.sleep(1)
          nowMs += ms
        },
      }
      const handle = (call: Call): void => {
        open++
        serveWatch(call, () => ends.push(nowMs))
      }
      const { server, port } = await run(handle, { shutdownWatchGracePeriodMs: 400 }, { clock })
      servers.push(server)
      const watches = Array.from({ length: 20 }, () => get(port, watch))
      await eventuallyEquals(() => open, watches.length, 'open watches')
      await server.stop()
      assert.ok((await Promise.all(watches)).every(({ body }) => body === '{}\n'))
      assert.equal(ends.length, 20)
      const halfway = ends.filter((atMs) => atMs < 200).length
      assert.ok(halfway >= 5 && halfway <= 15, `${halfway} of 20 after half the time`)
    })
  }

  it('answers 429 with Retry-After while it drains, where configured', async () => {
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const { server, port } = await run(
      async (call) => {
        begun.resolve()
        await goOn.promise
        await call.responder.send(200, {}, small)
      },
      { shutdownSendRetryAfter: true },
    )
    servers.push(server)
    const under = get1(port, pod)
    await begun.promise
    const stopped = server.stop()
    const refused = await get1(port, pod)
    assert.equal(refused.status, 429)
    assert.equal(refused.body, 'The apiserver is shutting down, please try again later.\n')
    assert.equal(refused.headers['retry-after'], '5')
    assert.equal(refused.headers['connection'], 'close')
    assert.equal((await get1(port, '/livez')).status, 200)
    goOn.resolve()
    assert.equal((await under).status, 200)
    await stopped
  })

  it('aborts requests that exceed the limit', async () => {
    let open = 0
    const hang = (): Promise<void> => {
      open++
      return new Promise(() => {})
    }
    const { server, port } = await run(hang, { shutdownLimitMs: 150 })
    servers.push(server)
    const hanging = assert.rejects(get1(port, pod))
    const hanging2 = assert.rejects(get2(port, pod))
    await eventuallyEquals(() => open, 2, 'open watches')
    await server.stop()
    await Promise.all([hanging, hanging2])
  })

  it('close ends at once, and a stop after it changes nothing', async () => {
    const { server, port } = await run((call) => serveWatch(call, () => {}))
    const session = session2(port)
    const stream = session.request({ ':path': watch })
    stream.on('error', () => {})
    await once(stream, 'response')
    await server.close()
    await server.stop()
  })
})

describe('a graceful stop of one of several processes', () => {
  it('waits for its turn while it serves, closes its port first, and serves what is on its way', async () => {
    const turn = Promise.withResolvers<void>()
    const siblings: Siblings = { areServing: false, check: async () => {}, drainTurn: () => turn.promise }
    const { server, port } = await run(undefined, { portSharing: true }, { siblings })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const session = session2(port)
    assert.equal((await on2(session, pod)).status, 200)
    const stopped = server.stop()
    const ready = await get1(port, '/readyz')
    assert.equal(ready.status, 500)
    assert.match(ready.body, /\[-\]shutdown failed/)
    assert.equal((await get1(port, pod, { agent })).status, 200)
    // A connection that is accepted before the turn, whose first request comes after it.
    const early = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(early, 'secureConnect')
    turn.resolve()
    await eventually(
      async () =>
        await get1(port, pod).then(
          () => false,
          () => true,
        ),
      'the port is closed',
    )
    early.write(`GET ${pod} HTTP/1.1\r\nhost: a\r\n\r\n`)
    const [answer] = (await once(early, 'data')) as [Buffer]
    assert.match(String(answer), /^HTTP\/1\.1 200 /)
    early.destroy()
    agent.destroy()
    session.destroy()
    await stopped
  })
})

describe('the start', () => {
  it('reports a port that is in use', async () => {
    const first = await run()
    await assert.rejects(run(undefined, { port: first.port }), { code: 'EADDRINUSE' })
    await first.server.close()
  })

  it('shares a port with others that want to, so that one may follow the other without a gap', async () => {
    const first = await run(undefined, { portSharing: true })
    await assert.rejects(run(undefined, { port: first.port }), { code: 'EADDRINUSE' })
    const second = await run(undefined, { port: first.port, portSharing: true })
    await first.server.stop()
    assert.equal((await get1(first.port, '/api/v1/configmaps')).status, 200)
    await second.server.close()
  })

  const siblings: Siblings = { areServing: true, check: async () => {}, drainTurn: async () => {} }

  it('of a process whose siblings serve ends with the listening: its hooks are done, and it is ready', async () => {
    const order: string[] = []
    let isReady = false
    const { server, port } = await run(
      undefined,
      { portSharing: true },
      {
        siblings,
        postStartHooks: [{ name: 'roles', run: async () => void order.push('hook') }],
        healthChecks: [
          {
            name: 'store',
            check() {
              order.push(isReady ? 'ready' : 'not ready')
              if (isReady) return
              isReady = true
              throw new Error('not yet')
            },
          },
        ],
      },
    )
    assert.deepEqual(order, ['hook', 'not ready', 'ready'])
    assert.equal((await get1(port, '/readyz')).status, 200)
    await server.close()
  })

  it('of a process whose siblings serve fails where a hook fails', async () => {
    const postStartHooks = [{ name: 'bad', run: async () => Promise.reject(new Error('no bootstrap roles')) }]
    await assert.rejects(run(undefined, { portSharing: true }, { siblings, postStartHooks }), /no bootstrap roles/)
  })

  it('answers Retry-After on paths that may not be served yet', async () => {
    const hook = Promise.withResolvers<void>()
    const { server, port } = await run(undefined, {}, { postStartHooks: [{ name: 'slow', run: () => hook.promise }] })
    const early = await get1(port, '/apis/late')
    assert.equal(early.status, 503)
    assert.equal(early.headers['retry-after'], '5')
    hook.resolve()
    await server.started
    assert.equal((await get1(port, '/apis/late')).status, 404)
    await server.close()
  })

  it('rejects `started` when a hook fails', async () => {
    const { server } = await run(
      undefined,
      {},
      { postStartHooks: [{ name: 'bad', run: async () => Promise.reject(new Error('no bootstrap roles')) }] },
    )
    await assert.rejects(server.started, /no bootstrap roles/)
    await server.close()
  })
})

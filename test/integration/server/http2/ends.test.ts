import assert from 'node:assert/strict'
import { systemRandom } from '../../../../lib/base/index.ts'
import type { Call } from '../../../../lib/request/index.ts'
import type { Server, ServerDependencies, ServerOptions } from '../../../../lib/server/index.ts'
import { eventuallyEquals } from '../../../support/eventually.ts'
import { run, small } from '../support.ts'
import { assertOneOf, connecting, connectionError } from './frameclient.ts'
import * as f from './frames.ts'
import { pod } from './headerblock.ts'

const body = Buffer.alloc(300_000, 'b')

describe('HTTP/2: ends', () => {
  const open = connecting()
  const servers: Server[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  async function start(
    handle: (call: Call) => void | Promise<void>,
    options: Partial<ServerOptions> = {},
    dependencies: Partial<ServerDependencies> = {},
  ): Promise<{ server: Server; port: number }> {
    const running = await run(handle, options, dependencies)
    servers.push(running.server)
    return running
  }

  /** Handlers by what they wait for when the client goes away. */
  const waits: { what: string; wait: (call: Call) => Promise<unknown> }[] = [
    { what: 'for the rest of a body', wait: (call) => call.body().catch(() => undefined) },
    {
      what: 'for something else',
      wait: (call) => new Promise((resolve) => call.signal.addEventListener('abort', resolve)),
    },
    {
      what: 'for room for a large answer',
      wait: async (call) => call.responder.send(200, {}, Buffer.alloc(10_000_000)),
    },
    {
      what: 'in the middle of a stream',
      async wait(call) {
        const stream = call.responder.stream(200, {})
        stream.write(small)
        await new Promise<void>((resolve) => stream.onClose(resolve))
      },
    },
  ]
  const leaves = {
    'closes the connection': (client) => client.socket.end(),
    'breaks the connection off': (client) => client.destroy(),
    'resets the stream': (client) => client.reset(1),
    'sends GOAWAY with an error and closes': (client) => {
      client.send(f.goaway, 0, 0, Buffer.concat([f.uint32(0), f.uint32(2)]))
      client.socket.end()
    },
  } satisfies Record<string, (client: Awaited<ReturnType<typeof open>>) => void>
  for (const { what, wait } of waits)
    for (const [how, leave] of Object.entries(leaves))
      it(`a client that ${how} aborts the call that waits ${what}`, async () => {
        const begun = Promise.withResolvers<void>()
        const aborted = Promise.withResolvers<void>()
        const ended = Promise.withResolvers<void>()
        const { port } = await start(async (call) => {
          call.signal.addEventListener('abort', () => aborted.resolve())
          begun.resolve()
          await wait(call)
          ended.resolve()
        })
        const client = await open(port, { connectionWindow: 0 })
        client.request(1, { method: 'POST' }, false)
        client.data(1, Buffer.from('the first part'))
        await begun.promise
        await client.settled()
        leave(client)
        await Promise.all([aborted.promise, ended.promise])
      })

  for (const [how, leave] of Object.entries(leaves))
    it(`the body of a client that ${how} fails, and is not empty, for a handler that reads it then`, async () => {
      const left = Promise.withResolvers<void>()
      const outcome = Promise.withResolvers<string>()
      const { port } = await start(async (call) => {
        call.signal.addEventListener('abort', () => left.resolve())
        await left.promise
        await call.body().then(
          (whole) => outcome.resolve(`${whole.byteLength} bytes`),
          (error: unknown) => outcome.resolve(error instanceof Error ? error.name : String(error)),
        )
      })
      const client = await open(port)
      client.request(1, { method: 'DELETE' }, false)
      client.data(1, Buffer.from('{"dryRun":["All"]}'), true)
      await client.settled()
      leave(client)
      assert.equal(await outcome.promise, 'ClientGone')
    })

  it('a client that disconnects aborts all its calls', async () => {
    let aborted = 0
    let begun = 0
    const { port } = await start((call) => {
      begun++
      return new Promise((resolve) =>
        call.signal.addEventListener('abort', () => {
          aborted++
          resolve()
        }),
      )
    })
    const client = await open(port)
    for (let id = 1; id < 200; id += 2) client.request(id, {}, id % 4 === 1)
    await eventuallyEquals(() => begun, 100, 'all calls')
    client.destroy()
    await eventuallyEquals(() => aborted, 100, 'an end of all calls')
  })

  it('a reset aborts the call of its stream, and no other', async () => {
    const aborted: string[] = []
    const goOn = Promise.withResolvers<void>()
    const { port } = await start(async (call) => {
      const n = call.query.get('n') ?? ''
      call.signal.addEventListener('abort', () => aborted.push(n))
      await goOn.promise
      await call.responder.send(200, {}, body)
    })
    const client = await open(port)
    for (const id of [1, 3, 5]) client.request(id, { path: `${pod}?n=${id}` })
    await client.settled()
    client.reset(3)
    await client.settled()
    assert.deepEqual(aborted, ['3'])
    goOn.resolve()
    for (const id of [1, 5]) assert.deepEqual((await client.answer(id)).body, body)
    await client.settled()
    assert.deepEqual(aborted, ['3'])
    assert.deepEqual([client.incoming(3).status, client.incoming(3).reset], [0, undefined])
  })

  it('a stop sends GOAWAY, lets open streams finish, begins no others, and closes', async () => {
    const goOn = Promise.withResolvers<void>()
    let handled = 0
    const { server, port } = await start(async (call) => {
      handled++
      const read = await call.body()
      await goOn.promise
      await call.responder.send(200, {}, [read, body])
    })
    const client = await open(port)
    client.request(1)
    client.request(3, { method: 'POST' }, false)
    await client.settled()
    const stopped = server.stop()
    await client.until(() => client.goaway, 'GOAWAY')
    assert.equal(client.goaway?.code, 'NO_ERROR')
    // The client learns of it while more is on its way: nothing of that happens unless the GOAWAY promises it.
    client.request(5)
    client.data(3, Buffer.from('late'), true)
    const pongs = [client.ping(), client.ping()]
    await client.until(() => pongs.every((pong) => pong()), 'answers to PING')
    const promised = (client.goaway?.lastId ?? 0) >= 5
    goOn.resolve()
    assert.deepEqual((await client.answer(1)).body, body)
    assert.deepEqual((await client.answer(3)).body, Buffer.concat([Buffer.from('late'), body]))
    await client.ended()
    await stopped
    if (!promised) assert.deepEqual([handled, client.incoming(5).status], [2, 0])
    assert.equal(client.goaway?.code, 'NO_ERROR')
    assert.ok(client.goaway.lastId >= 3)
  })

  it('a stop ends idle connections', async () => {
    const { server, port } = await start((call) => call.responder.send(200, {}, small))
    const clients = await Promise.all([open(port), open(port)])
    clients[0].request(1)
    assert.equal(await clients[0].verdict(1), 'answer 200')
    await server.stop()
    for (const client of clients) {
      await client.ended()
      assert.equal(client.goaway?.code, 'NO_ERROR')
    }
  })

  it('a close cuts off open streams, and no client mistakes that for an end', async () => {
    let aborted = 0
    const { server, port } = await start(async (call) => {
      call.signal.addEventListener('abort', () => aborted++)
      const stream = call.responder.stream(200, {})
      stream.write(small)
      await new Promise<void>((resolve) => stream.onClose(resolve))
    })
    const client = await open(port)
    for (const id of [1, 3]) client.request(id)
    await client.until(() => client.incoming(1).bodyBytes > 0 && client.incoming(3).bodyBytes > 0, 'two streams')
    await server.close()
    await client.ended()
    for (const id of [1, 3]) {
      assert.equal(client.incoming(id).ended, false)
      const codes = ['CANCEL', 'INTERNAL_ERROR', 'REFUSED_STREAM', 'NO_ERROR']
      assertOneOf(await client.verdict(id), [
        'closed',
        ...codes.map((code) => `stream ${code}`),
        ...connectionError(...codes),
      ])
    }
    await eventuallyEquals(() => aborted, 2, 'the end of both calls')
  })

  it('a stream that the handler aborts is reset, not ended', async () => {
    const { port } = await start((call) => {
      const stream = call.responder.stream(200, {})
      stream.write(small)
      stream.abort()
    })
    const client = await open(port)
    client.request(1)
    assert.match(await client.verdict(1), /^stream (INTERNAL_ERROR|CANCEL)$/)
    client.request(3)
    assert.match(await client.verdict(3), /^stream (INTERNAL_ERROR|CANCEL)$/)
  })

  it('a connection that is sent GOAWAY by chance (goawayChance) still gets its answer, and then closes', async () => {
    const random = { ...systemRandom, fraction: () => 0.01 }
    const { port } = await start((call) => call.responder.send(200, {}, body), { goawayChance: 0.02 }, { random })
    const client = await open(port)
    client.request(1)
    assert.deepEqual((await client.answer(1)).body, body)
    await client.ended()
    assert.equal(client.goaway?.code, 'NO_ERROR')
    assert.ok(client.goaway.lastId >= 1)
  })
})

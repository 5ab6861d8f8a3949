import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { createSeededRandom, type Random } from '../../../../lib/base/index.ts'
import { eventuallyEquals } from '../../../support/eventually.ts'
import { serving, small } from '../support.ts'
import { connecting } from './frameclient.ts'
import * as f from './frames.ts'
import { indexed, literal, newest, remembered, requestBlock, tableSize } from './headerblock.ts'

function bytesOf(random: Random, length: number): Buffer {
  return Buffer.from(random.bytes(length))
}

/** A session as a client may have it: what there is of frames and of header compression. */
function validSession(): Buffer[] {
  const { headers, data } = f
  const more = [remembered('x-a', '1'), remembered('accept', 'application/json'), literal('x-b', '2')]
  return [
    f.frame(
      f.settings,
      0,
      0,
      f.settingsPayload([
        [f.initialWindowSize, 100_000],
        [f.headerTableSize, 1000],
      ]),
    ),
    f.frame(f.windowUpdate, 0, 0, f.uint32(1_000_000)),
    f.frame(f.settings, f.ack, 0),
    f.frame(headers, 5, 1, requestBlock({ more })),
    f.frame(headers, 4, 3, requestBlock({ method: 'POST', more: [indexed(newest), indexed(newest + 1)] })),
    f.frame(data, 0, 3, Buffer.alloc(3000, 'b')),
    f.frame(f.ping, 0, 0, Buffer.alloc(8, 1)),
    f.frame(headers, 1, 5, requestBlock()),
    f.frame(f.continuation, 4, 5, literal('x-late', 'b')),
    f.frame(data, f.padded, 3, f.padding(Buffer.from('more'), 30)),
    f.frame(
      headers,
      4 | f.prioritized,
      7,
      Buffer.concat([f.uint32(3), Buffer.from([1]), requestBlock({ method: 'POST' })]),
    ),
    f.frame(f.rstStream, 0, 7, f.uint32(8)),
    f.frame(f.windowUpdate, 0, 3, f.uint32(10)),
    f.frame(headers, 5, 3, literal('x-trailer', 'b')),
    f.frame(headers, 5, 9, Buffer.concat([tableSize(0), tableSize(100), requestBlock({ more })])),
    f.frame(f.priority, 0, 11, Buffer.alloc(5)),
    f.frame(0x77, 0, 0, Buffer.alloc(20)),
    f.frame(headers, 5, 11, requestBlock({ method: 'HEAD' })),
    f.frame(f.goaway, 0, 0, Buffer.alloc(8)),
  ]
}

const noise: Record<string, (random: Random) => Buffer> = {
  'random bytes': (random) => bytesOf(random, 1 + random.below(3000)),
  'frames of random bytes'(random) {
    const frames = Array.from({ length: 1 + random.below(30) }, () =>
      f.frame(
        random.below(12),
        random.below(256) & random.below(256),
        random.below(12),
        bytesOf(random, random.below(3) === 0 ? random.below(200) : random.below(12)),
      ),
    )
    return Buffer.concat([f.frame(f.settings, 0, 0), ...frames])
  },
  'header blocks of random bytes'(random) {
    const blocks = Array.from({ length: 1 + random.below(10) }, (_, at) =>
      f.frame(f.headers, 5, 2 * at + 1, Buffer.concat([requestBlock(), bytesOf(random, random.below(30))])),
    )
    return Buffer.concat([f.frame(f.settings, 0, 0), ...blocks])
  },
  'a session with bytes changed, left out and put in'(random) {
    let bytes = Buffer.concat(validSession())
    for (let left = 1 + random.below(6); left > 0; left--) {
      const at = random.below(bytes.length)
      const way = random.below(3)
      if (way === 0) bytes[at] = random.below(256)
      const [keep, insert] = way === 1 ? [1 + random.below(8), f.nothing] : [0, bytesOf(random, 1 + random.below(8))]
      if (way > 0) bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + keep)])
    }
    return bytes
  },
  'a session with frames repeated, left out and out of order'(random) {
    const frames = validSession()
    for (let left = 1 + random.below(6); left > 0; left--) {
      const at = random.below(frames.length)
      const frame = frames[at] ?? f.nothing
      if (random.below(2) === 0) frames.splice(at, 1)
      frames.splice(random.below(frames.length), 0, frame)
    }
    return Buffer.concat(frames)
  },
}

describe('HTTP/2: noise', () => {
  const listen = serving()
  const open = connecting()

  for (const [what, make] of Object.entries(noise))
    it(`${what} end a connection, or don't; the server keeps serving, and leaks nothing of them`, async () => {
      let running = 0
      const port = await listen(
        async (call) => {
          running++
          try {
            await call.body()
            await call.responder.send(200, {}, Buffer.alloc(call.url.length > 40 ? 100_000 : 10))
          } finally {
            running--
          }
        },
        { headersTimeoutMs: 500 },
      )
      const one = async (seed: number): Promise<void> => {
        const random = createSeededRandom(seed)
        const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
        socket.on('error', () => {}).resume()
        const closed = once(socket, 'close')
        await once(socket, 'secureConnect')
        const bytes = Buffer.concat([f.preface, make(random)])
        for (let at = 0; at < bytes.length; ) {
          const piece = random.below(2) === 0 ? bytes.length : 1 + random.below(100)
          socket.write(bytes.subarray(at, at + piece))
          at += piece
        }
        socket.end()
        await Promise.race([closed, sleep(2000, undefined, { ref: false }).then(() => socket.destroy())])
      }
      const seeds = Array.from({ length: 60 }, (_, at) => at * 7919 + what.length)
      for (let at = 0; at < seeds.length; at += 10) await Promise.all(seeds.slice(at, at + 10).map(one))
      await eventuallyEquals(() => running, 0, 'the end of all that was begun')
      const client = await open(port)
      client.request(1)
      assert.equal((await client.answer(1)).status, 200)
    })

  it('the session that noise is made of is valid', async () => {
    const port = await listen(async (call) => {
      await call.body()
      await call.responder.send(200, {}, small)
    })
    const client = await open(port, { bare: true })
    client.write(Buffer.concat([f.preface, ...validSession()]))
    for (const id of [1, 3, 5, 9, 11]) assert.equal(await client.verdict(id), 'answer 200')
  })
})

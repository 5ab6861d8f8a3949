import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Duplex, PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { createFakeClock } from '../../../lib/base/index.ts'
import { throttle } from '../../../lib/proxy/throttle.ts'

describe('a throttled connection', () => {
  /** A socket whose other side is two streams. */
  const pair = () => {
    const [incoming, outgoing] = [new PassThrough(), new PassThrough()]
    const socket = new Duplex({
      read: () => void incoming.resume(),
      write: (chunk: Buffer, _encoding, done) => void outgoing.write(chunk, done),
      final: (done) => void outgoing.end(done),
    })
    incoming.pause()
    incoming.on('data', (chunk: Buffer) => {
      if (!socket.push(chunk)) incoming.pause()
    })
    incoming.on('end', () => socket.push(null))
    return { socket, incoming, outgoing }
  }

  it('is the connection itself without a limit', () => {
    const { socket } = pair()
    assert.equal(throttle(createFakeClock(), socket, 0), socket)
  })

  it('passes bytes each way at its rate, and then the ends', async () => {
    const clock = createFakeClock()
    const { socket, incoming, outgoing } = pair()
    const throttled = throttle(clock, socket, 1000)
    let [read, written] = ['', '']
    throttled.on('data', (chunk: Buffer) => (read += chunk.toString()))
    outgoing.on('data', (chunk: Buffer) => (written += chunk.toString()))
    incoming.end('r'.repeat(950))
    throttled.end('w'.repeat(1050))
    const ended = Promise.all([once(throttled, 'end'), once(outgoing, 'end')])
    for (let tenths = 1; tenths <= 10; tenths++) {
      for (let turns = 0; turns < 10; turns++) await turn()
      assert.ok(read.length <= tenths * 100 && written.length <= tenths * 100, `${read.length} ${written.length}`)
      clock.advance(100)
    }
    for (let turns = 0; turns < 10; turns++) await turn()
    clock.advance(100)
    await ended
    assert.deepEqual([read.length, written.length], [950, 1050])
  })

  it('reads no further ahead than its buffers', async () => {
    const clock = createFakeClock()
    let produced = 0
    const socket = new Duplex({
      read() {
        produced += 16_384
        this.push(Buffer.alloc(16_384))
      },
      write: (_chunk, _encoding, done) => done(),
    })
    const throttled = throttle(clock, socket, 1_000_000_000)
    for (let step = 0; step < 1000; step++) {
      await turn()
      clock.advance(1000)
    }
    assert.ok(produced < 1_000_000, `${produced} bytes`)
    throttled.destroy()
    assert.ok(socket.destroyed)
  })

  it('closes with the other side', async () => {
    const { socket } = pair()
    const throttled = throttle(createFakeClock(), socket, 1)
    throttled.on('error', () => {})
    const closed = new Promise((done) => throttled.once('close', done))
    socket.destroy(new Error('broken'))
    await closed
    assert.match(String(throttled.errored), /broken/)
  })
})

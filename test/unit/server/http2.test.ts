import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createFakeClock } from '../../../lib/base/index.ts'
import { BufferPool, pieceBytes } from '../../../lib/server/bufferpool.ts'
import { HeadCollector } from '../../../lib/server/http2/requesthead.ts'
import { SendQueue } from '../../../lib/server/http2/sendqueue.ts'
import { TokenBucket } from '../../../lib/server/http2/tokenbucket.ts'

describe('a token bucket', () => {
  it('lets through a burst, and after that so many a second', () => {
    const clock = createFakeClock()
    const bucket = new TokenBucket(clock, 3, 2)
    const taken = (): number => {
      let count = 0
      while (bucket.take()) count++
      return count
    }
    assert.equal(taken(), 3)
    clock.advance(1000)
    assert.equal(taken(), 2)
    clock.advance(60_000)
    assert.equal(taken(), 3, 'never more than the burst')
  })
})

describe('a send queue', () => {
  it('returns the bytes in order, however they were put in and are taken', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }),
        fc.array(fc.nat(70), { minLength: 1 }),
        (chunks, takes) => {
          const queue = new SendQueue()
          const whole = Buffer.concat(chunks)
          const got: Buffer[] = []
          const takeSome = (wanted: number): void => {
            const length = Math.min(wanted, queue.bytes)
            const target = Buffer.alloc(length + 2, 1)
            queue.take(target, 1, length)
            assert.equal(target[length + 1], 1, 'nothing beyond')
            got.push(target.subarray(1, length + 1))
          }
          for (const [index, chunk] of chunks.entries()) {
            queue.put(chunk)
            takeSome(takes[index % takes.length] ?? 0)
          }
          takeSome(queue.bytes)
          assert.deepEqual(Buffer.concat(got), whole)
          assert.equal(queue.bytes, 0)
        },
      ),
    )
  })

  it('holds thousands of small pieces', () => {
    const queue = new SendQueue()
    const crumbs = Array.from({ length: 5000 }, (_, index) => Uint8Array.of(index & 0xff))
    for (const crumb of crumbs) queue.put(crumb)
    const target = Buffer.alloc(5000)
    for (let at = 0; at < 5000; at += 625) queue.take(target, at, 625)
    assert.deepEqual(target, Buffer.concat(crumbs))
  })
})

describe('a pool of buffers', () => {
  it('are reused, by size, and hold the requested size', () => {
    const buffers = new BufferPool()
    for (const bytes of [1, 4096, 4097, 16_384, 16_385, pieceBytes]) {
      const first = buffers.take(bytes)
      assert.ok(first.length >= bytes)
      buffers.give(first)
      assert.equal(buffers.take(bytes), first)
    }
    assert.equal(buffers.take(pieceBytes + 1).length, pieceBytes + 1)
  })
})

describe('request heads', () => {
  const get = [':method', 'GET', ':scheme', 'https', ':path', '/api']
  function collected(...fields: string[]): HeadCollector {
    const head = new HeadCollector({ headerBytesMax: 1000, headerCountMax: 10 })
    head.begin()
    for (let at = 0; at < fields.length; at += 2) head.onHeader(fields[at] ?? '', fields[at + 1] ?? '')
    return head
  }

  it('join repeated headers as HTTP/1.1 of node does', () => {
    const fields = [
      'accept',
      'a',
      'accept',
      'b',
      'cookie',
      'a=1',
      'cookie',
      'b=2',
      'user-agent',
      'x',
      'user-agent',
      'y',
    ]
    const head = collected(...get, ':authority', 'here', ...fields).head()
    assert.deepEqual({ ...head?.headers }, { accept: 'a, b', cookie: 'a=1; b=2', 'user-agent': 'x', host: 'here' })
    assert.deepEqual(head?.raw, fields)
  })

  const connect = [':method', 'CONNECT', ':scheme', 'https', ':path', '/a', ':authority', 'x'] as const
  it('request heads of an extended CONNECT look like the GET that asks for the same upgrade', () => {
    const head = collected(...connect, ':protocol', 'websocket').head()
    assert.deepEqual([head?.method, head?.path, head?.protocol], ['GET', '/a', 'websocket'])
    assert.equal(head?.headers['upgrade'], 'websocket')
  })

  it('take names of prototypes for names', () => {
    const head = collected(...get, '__proto__', 'a', 'constructor', 'b').head()
    assert.equal(head?.headers['__proto__'], 'a')
    assert.equal(head?.headers['constructor'], 'b')
    assert.equal(collected(...get).head()?.headers['constructor'], undefined)
  })

  for (const [why, ...fields] of [
    ['no method', ':scheme', 'https', ':path', '/'],
    ['no path', ':method', 'GET', ':scheme', 'https'],
    ['two paths', ...get, ':path', '/'],
    ['a pseudo-header behind others', ':method', 'GET', 'accept', 'a', ':scheme', 'https', ':path', '/'],
    ['an unknown pseudo-header', ...get, ':status', '200'],
    ['a relative path', ':method', 'GET', ':scheme', 'https', ':path', 'api'],
    ['a protocol without CONNECT', ...get, ':protocol', 'websocket'],
    ['an empty protocol', ...connect, ':protocol', ''],
    ['a protocol twice', ...connect, ':protocol', 'a', ':protocol', 'b'],
    ['an extended CONNECT without authority', ':method', 'CONNECT', ':scheme', 'https', ':path', '/', ':protocol', 'a'],
    ['an extended CONNECT without path', ':method', 'CONNECT', ':scheme', 'https', ':authority', 'x', ':protocol', 'a'],
    ['a path with CONNECT', ':method', 'CONNECT', ':authority', 'x', ':path', '/'],
  ] as const)
    it(`are none with ${why}`, () => assert.equal(collected(...fields).head(), undefined))

  for (const [why, ...fields] of [
    ['capitals', ...get, 'Accept', 'a'],
    ['connection', ...get, 'connection', 'close'],
    ['te', ...get, 'te', 'gzip'],
    ['two lengths', ...get, 'content-length', '1', 'content-length', '1'],
    ['a length that is none', ...get, 'content-length', '-1'],
    ['a line break', ...get, 'accept', 'a\nb'],
    ['a control character', ...get, 'accept', 'a\u0001b'],
  ] as const)
    it(`are refused with ${why}`, () => assert.equal(collected(...fields).refusal, 400))

  it('have no blanks around values, however many the client sent', () => {
    const head = collected(...get, 'accept', ' \ta b\t ', 'x-none', ' '.repeat(500)).head()
    assert.deepEqual({ ...head?.headers }, { accept: 'a b', 'x-none': '' })
  })

  it('are too large by bytes, or by their number', () => {
    assert.equal(collected(...get, 'a', 'x'.repeat(700)).refusal, 0)
    assert.equal(collected(...get, 'a', 'x'.repeat(1000)).refusal, 431)
    const count = (length: number): string[] => Array.from({ length }, () => ['a', '']).flat()
    assert.equal(collected(...get, ...count(10)).refusal, 0)
    assert.equal(collected(...get, ...count(11)).refusal, 431)
  })
})

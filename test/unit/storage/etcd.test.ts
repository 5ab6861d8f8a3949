import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createFakeClock, silentLogger, silentMetrics, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { Assembler, messageBytesMax } from '../../../lib/storage/etcd/assembler.ts'
import type { Channel } from '../../../lib/storage/etcd/channel.ts'
import { fromStatus, isTransient, toStoreError } from '../../../lib/storage/etcd/failure.ts'
import { decodeRange, decodeWatch, decodeWrite } from '../../../lib/storage/etcd/messages.ts'
import { EtcdMessageReader, EtcdMessageWriter, varintSize } from '../../../lib/storage/etcd/protobuf.ts'
import { hasSoundProgress, readStatus } from '../../../lib/storage/etcd/status.ts'
import { createEtcdStore, StoreError } from '../../../lib/storage/index.ts'

describe('etcd messages', () => {
  it('keep integers up to 2^53 and any text and bytes', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array({ maxLength: 300 }),
        (number, text, bytes) => {
          const textLength = Buffer.byteLength(text)
          const size =
            1 +
            varintSize(number) +
            2 +
            varintSize(textLength) -
            1 +
            textLength +
            1 +
            varintSize(bytes.length) +
            bytes.length
          const writer = new EtcdMessageWriter(size)
          writer.number(1, number)
          writer.text(2, text, textLength)
          writer.bytes(3, bytes)
          const reader = new EtcdMessageReader(writer.finish())
          const seen: unknown[] = []
          while (reader.next())
            if (reader.field === 1) seen.push(reader.number())
            else if (reader.field === 2) seen.push(reader.text())
            else if (reader.field === 3) seen.push([...reader.bytes()])
          assert.deepEqual(seen, [number, text.toWellFormed(), [...bytes]])
        },
      ),
    )
  })

  it('are refused or understood, whatever the bytes, but never loop or throw anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const decode of [decodeRange, decodeWrite, decodeWatch])
          try {
            decode(new EtcdMessageReader(Buffer.from(bytes)))
          } catch (error) {
            assert.ok(error instanceof RangeError, String(error))
          }
      }),
      { numRuns: 500 },
    )
  })

  it('come out whole however their stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        (messages, cuts) => {
          const stream = Buffer.concat(
            messages.map((message) => {
              const frame = Buffer.alloc(5 + message.length)
              frame.writeUInt32BE(message.length, 1)
              frame.set(message, 5)
              return frame
            }),
          )
          const seen: number[][] = []
          const assembler = new Assembler()
          for (let at = 0, i = 0; at < stream.length; i++) {
            const size = cuts[i % cuts.length] ?? 1
            assembler.push(stream.subarray(at, at + size), (message) => void seen.push([...message]))
            at += size
          }
          assert.deepEqual(
            seen,
            messages.map((message) => [...message]),
          )
        },
      ),
    )
  })

  it('messages beyond the maximum are refused before they are collected', () => {
    const head = Buffer.alloc(5)
    head.writeUInt32BE(messageBytesMax + 1, 1)
    assert.throws(() => new Assembler().push(head, () => {}), { code: 'too-large' })
  })
})

describe('etcd endpoints', () => {
  const dependencies = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics }
  it('are refused when they are malformed', () => {
    for (const endpoints of [[], ['unix://'], ['http://'], ['ftp://a:1'], ['http://a:99999']])
      assert.throws(() => createEtcdStore(dependencies, { endpoints }), { name: 'StoreError', code: 'internal' })
  })

  it('are accepted with and without a scheme', async () => {
    for (const endpoint of [
      '127.0.0.1:1',
      'http://[::1]:1',
      'https://etcd.example:2379/',
      'unix:///run/etcd.sock',
      'unix:/run/etcd.sock',
      'unixs://localhost:1',
    ])
      await createEtcdStore(dependencies, { endpoints: [endpoint] }).close()
  })
})

describe('etcd failures', () => {
  const cases: [number, string, string, 'refused' | 'unknown', boolean][] = [
    [11, 'etcdserver: mvcc: required revision has been compacted', 'compacted', 'refused', false],
    [11, 'etcdserver: mvcc: required revision is a future revision', 'future-revision', 'refused', false],
    [8, 'etcdserver: mvcc: database space exceeded', 'no-space', 'refused', false],
    [8, 'etcdserver: too many requests', 'unavailable', 'refused', true],
    [8, 'grpc: received message larger than max (3000033 vs. 2097152)', 'too-large', 'refused', false],
    [3, 'etcdserver: request is too large', 'too-large', 'refused', false],
    [14, 'etcdserver: leader changed', 'unavailable', 'unknown', true],
    [14, 'etcdserver: request timed out', 'unavailable', 'unknown', true],
    [14, 'etcdserver: no leader', 'unavailable', 'refused', true],
    [4, 'context deadline exceeded', 'unavailable', 'unknown', false],
    [5, 'etcdserver: requested lease not found', 'internal', 'refused', false],
    [7, 'etcdserver: permission denied', 'internal', 'refused', false],
    [2, 'raft proposal dropped', 'unavailable', 'refused', true],
    [2, 'raft: stopped', 'unavailable', 'unknown', true],
  ]
  for (const [code, message, expected, effect, transient] of cases)
    it(`map ${code} "${message}" to ${expected}, effect ${effect}`, () => {
      const failure = fromStatus(code, message)
      assert.deepEqual(
        [toStoreError(failure).code, failure.effect, isTransient(failure)],
        [expected, effect, transient],
      )
      assert.ok(toStoreError(failure) instanceof StoreError)
    })

  it('leave nothing behind of a status that could not be asked for', async () => {
    const clock = createFakeClock()
    const channel = { open: () => assert.fail('the connection broke') } as unknown as Channel
    await assert.rejects(readStatus(clock, channel, 1000), /the connection broke/)
    clock.advance(1000)
  })

  it('progress is trusted from the releases on that corrected it', () => {
    const sound = ['3.4.25', '3.4.37', '3.5.8', '3.5.16', '3.6.0', '3.6.0-rc.2', '4.0.0']
    const unsound = ['3.4.24', '3.4.0', '3.5.7', '3.5.0', '3.3.27', '2.3.8', '', 'garbage']
    for (const version of sound) assert.ok(hasSoundProgress(version), version)
    for (const version of unsound) assert.ok(!hasSoundProgress(version), version)
  })
})

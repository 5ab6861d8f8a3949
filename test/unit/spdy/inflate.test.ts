import assert from 'node:assert/strict'
import { constants, createDeflate, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { dictionary } from '../../../lib/spdy/dictionary.ts'
import { HeaderEncoder, SpdyHeaderDecoder } from '../../../lib/spdy/headerblock.ts'
import { Inflater } from '../../../lib/spdy/inflate.ts'

/** What zlib makes of each message, flushed after each. */
async function deflated(messages: readonly Buffer[], level: number, strategy: number): Promise<Buffer[]> {
  const deflate = createDeflate({ dictionary, level, strategy })
  const results: Buffer[] = []
  for (const message of messages) {
    deflate.write(message)
    await new Promise<void>((done) => deflate.flush(constants.Z_SYNC_FLUSH, done))
    const parts: Buffer[] = []
    for (let part = deflate.read() as Buffer | null; part !== null; part = deflate.read() as Buffer | null)
      parts.push(part)
    results.push(Buffer.concat(parts))
  }
  deflate.close()
  return results
}

describe('SPDY’s compressed headers', () => {
  it('are read as zlib writes them, over messages of any content', async () => {
    const word = fc.constantFrom(
      'streamtype',
      'stdin',
      'port',
      '\0\0\0\x04',
      'content-length',
      'aaaaaaaaaaaaaaaaaaaa',
      '\xff',
    )
    const message = fc
      .array(fc.oneof(word, fc.string({ maxLength: 40 })), { maxLength: 60 })
      .map((parts) => Buffer.from(parts.join(''), 'latin1'))
    const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE]
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(...strategies),
        async (messages, level, strategy) => {
          const inflater = new Inflater(dictionary)
          for (const [index, bytes] of (await deflated(messages, level, strategy)).entries())
            assert.deepEqual(inflater.inflate(bytes, 100_000), messages[index])
        },
      ),
      { numRuns: 150 },
    )
  })

  it('reach back over more than the window of zlib', async () => {
    const messages = Array.from({ length: 6 }, (_, index) =>
      Buffer.from(Array.from({ length: 20_000 }, (_each, at) => (at * at * (index + 7)) >> 5)),
    )
    const inflater = new Inflater(dictionary)
    for (const [index, bytes] of (await deflated(messages, 9, constants.Z_DEFAULT_STRATEGY)).entries())
      assert.deepEqual(inflater.inflate(bytes, 100_000), messages[index])
  })

  it('are refused where they are too long, or malformed', async () => {
    const [bomb] = await deflated([Buffer.alloc(1_000_000)], 9, constants.Z_DEFAULT_STRATEGY)
    assert.ok(bomb && bomb.length < 5000)
    assert.throws(() => new Inflater(dictionary).inflate(bomb, 32_768), /too long/)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          new Inflater(dictionary).inflate(Buffer.concat([bomb.subarray(0, 6), bytes]), 1000)
        } catch (error) {
          assert.ok(error instanceof Error && !(error instanceof TypeError), String(error))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('are written so that zlib reads them', () => {
    const encoder = new HeaderEncoder()
    const parts = [
      encoder.encode({ streamtype: 'error' }),
      encoder.encode({}),
      encoder.encode({ streamtype: 'ü', port: '80' }),
    ]
    const plain = inflateSync(Buffer.concat(parts), { dictionary, finishFlush: constants.Z_SYNC_FLUSH })
    assert.equal(plain.toString('hex').startsWith('000000010000000a73747265616d74797065'), true)
    const decoder = new SpdyHeaderDecoder()
    assert.deepEqual(
      parts.map((part) => ({ ...decoder.decode(part) })),
      [{ streamtype: 'error' }, {}, { streamtype: 'ü', port: '80' }],
    )
  })
})

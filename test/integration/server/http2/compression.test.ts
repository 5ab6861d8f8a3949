import assert from 'node:assert/strict'
import { HeaderDecoder } from '../../../../lib/http2/index.ts'
import { serving, small } from '../support.ts'
import { assertOneOf, connecting, errorOf, malformed } from './frameclient.ts'
import * as f from './frames.ts'
import { indexed, integer, literal, neverIndexed, newest, remembered, requestBlock, tableSize } from './headerblock.ts'

/** The default size of a table (RFC 9113, 6.5.2); an entry takes 32 bytes more than its name and value. */
const tableBytes = 4096

/** An entry of exactly `bytes`. */
function entry(name: string, bytes: number): Buffer {
  return remembered(name, 'v'.repeat(bytes - 32 - name.length))
}

/** Headers sent in one request after the other; what the handler sees of `x-` ones, joined by blanks. */
interface Script {
  readonly what: string
  readonly requests: readonly { readonly front?: Buffer; readonly more?: readonly Buffer[]; readonly seen: string }[]
}

const scripts: Script[] = [
  {
    what: 'an entry is remembered until newer ones push it out of sight',
    requests: [
      { more: [remembered('x-a', '1')], seen: 'x-a=1' },
      { more: [indexed(newest)], seen: 'x-a=1' },
      { more: [remembered('x-b', '2'), indexed(newest), indexed(newest + 1)], seen: 'x-b=2, 2 x-a=1' },
      { more: [indexed(newest + 1)], seen: 'x-a=1' },
    ],
  },
  {
    what: 'names come from the table',
    requests: [
      { more: [remembered('x-a', '1'), literal(newest, '2'), neverIndexed(newest, '3')], seen: 'x-a=1, 2, 3' },
      { more: [remembered(newest, '4'), indexed(newest), indexed(newest + 1)], seen: 'x-a=4, 4, 1' },
    ],
  },
  {
    what: 'literals that are not to be remembered are not',
    requests: [
      { more: [remembered('x-a', '1'), literal('x-b', '2'), neverIndexed('x-c', '3')], seen: 'x-a=1 x-b=2 x-c=3' },
      { more: [indexed(newest)], seen: 'x-a=1' },
    ],
  },
  {
    what: 'a full table holds what fits, and the oldest go first',
    requests: [
      { more: [entry('x-a', 2048), entry('x-b', 2048)], seen: `x-a=${'v'.repeat(2013)} x-b=${'v'.repeat(2013)}` },
      { more: [remembered('x-c', '3'), literal(newest + 1, '2')], seen: 'x-c=3 x-b=2' },
      { more: [indexed(newest)], seen: 'x-c=3' },
    ],
  },
  {
    what: 'a name may be that of the entry that its own literal pushes out',
    requests: [
      { more: [entry('x-a', tableBytes)], seen: `x-a=${'v'.repeat(tableBytes - 35)}` },
      { more: [remembered(newest, 'new')], seen: 'x-a=new' },
      { more: [indexed(newest)], seen: 'x-a=new' },
    ],
  },
  {
    what: 'an entry that is larger than the table empties it',
    requests: [
      {
        more: [remembered('x-a', '1'), entry('x-b', tableBytes + 1)],
        seen: `x-a=1 x-b=${'v'.repeat(tableBytes - 34)}`,
      },
      { more: [remembered('x-c', '3')], seen: 'x-c=3' },
      { more: [indexed(newest)], seen: 'x-c=3' },
    ],
  },
  {
    what: 'the size of the table changes at the beginning of a block',
    requests: [
      { more: [remembered('x-a', '1')], seen: 'x-a=1' },
      { front: tableSize(tableBytes), more: [indexed(newest)], seen: 'x-a=1' },
      { front: Buffer.concat([tableSize(0), tableSize(tableBytes)]), more: [remembered('x-b', '2')], seen: 'x-b=2' },
      { front: tableSize(36), more: [indexed(newest), remembered('x-c', '3')], seen: 'x-b=2 x-c=3' },
      { more: [indexed(newest)], seen: 'x-c=3' },
      { front: tableSize(0), more: [remembered('x-d', '4')], seen: 'x-d=4' },
    ],
  },
  {
    // RFC 7541, C.4 and C.6.
    what: 'strings are coded by Huffman',
    requests: [
      {
        more: [
          literal('x-plain', 'custom-value'),
          Buffer.concat([Buffer.from([0, 3]), Buffer.from('x-h'), Buffer.from('8925a849e95bb8e8b4bf', 'hex')]),
          Buffer.concat([
            Buffer.from([0, 3]),
            Buffer.from('x-d'),
            Buffer.from('96d07abe941054d444a8200595040b8166e082a62d1bff', 'hex'),
          ]),
          Buffer.concat([Buffer.from([0, 3]), Buffer.from('x-e'), Buffer.from('80', 'hex')]),
        ],
        seen: 'x-plain=custom-value x-h=custom-value x-d=Mon, 21 Oct 2013 20:13:21 GMT x-e=',
      },
    ],
  },
  {
    what: 'numbers take more bytes than they need',
    requests: [
      {
        more: [
          remembered('x-a', '1'),
          // 200 = 127 + 73, and a last byte that adds nothing.
          Buffer.concat([
            Buffer.from([0, 3]),
            Buffer.from('x-b'),
            Buffer.from([0x7f, 0xc9, 0x00]),
            Buffer.alloc(200, 'v'),
          ]),
        ],
        seen: `x-a=1 x-b=${'v'.repeat(200)}`,
      },
    ],
  },
]

const wrong: { what: string; earlier?: Buffer; more: Buffer }[] = [
  { what: 'index 0', more: Buffer.from([0x80]) },
  { what: 'an index of an empty table', more: indexed(newest) },
  { what: 'an index behind the last entry', earlier: remembered('x-a', '1'), more: indexed(newest + 1) },
  { what: 'an index far beyond all', more: indexed(1_000_000) },
  { what: 'an index beyond 32 bits', more: integer(0x80, 7, 2 ** 32 + 2) },
  { what: 'an index beyond 53 bits', more: Buffer.from([0xff, ...Array<number>(8).fill(0xff), 0x7f]) },
  { what: 'an index of endless bytes', more: Buffer.from([0xff, ...Array<number>(100).fill(0x80), 0x00]) },
  { what: 'an index without its end', more: Buffer.from([0xff, 0x80]) },
  { what: 'a name of an index behind the last', more: literal(newest, 'a') },
  {
    what: 'an entry that was pushed out',
    earlier: entry('x-a', tableBytes),
    more: Buffer.concat([remembered('x-b', '2'), indexed(newest + 1)]),
  },
  { what: 'an entry that never fitted', earlier: entry('x-a', tableBytes + 1), more: indexed(newest) },
  { what: 'a literal without its value', more: Buffer.from([0x00, 1, 0x61]) },
  { what: 'a literal without its name', more: Buffer.from([0x40]) },
  { what: 'a string longer than the block', more: Buffer.from([0x00, 1, 0x61, 100, 0x61]) },
  {
    what: 'a string of 4 GiB',
    more: Buffer.concat([Buffer.from([0x00, 1, 0x61]), integer(0, 7, 2 ** 32), Buffer.from('a')]),
  },
  {
    what: 'a string of endless length',
    more: Buffer.from([0x00, 1, 0x61, 0x7f, ...Array<number>(20).fill(0xff), 0x7f]),
  },
  // 'a' is 00011 in Huffman's code, and the rest of the byte has to be ones.
  { what: 'padding of zeros', more: Buffer.from([0x00, 1, 0x61, 0x81, 0x18]) },
  { what: 'padding of a whole byte', more: Buffer.from([0x00, 1, 0x61, 0x82, 0x1f, 0xff]) },
  { what: 'padding and nothing else', more: Buffer.from([0x00, 1, 0x61, 0x81, 0xff]) },
  { what: 'the end of strings within a string', more: Buffer.from([0x00, 1, 0x61, 0x84, 0xff, 0xff, 0xff, 0xff]) },
  { what: 'the end of strings behind a sign', more: Buffer.from([0x00, 1, 0x61, 0x85, 0x1f, 0xff, 0xff, 0xff, 0xff]) },
  { what: 'a code that is cut off', more: Buffer.from([0x00, 1, 0x61, 0x82, 0xff, 0xf0]) },
  { what: 'a size of the table behind a header', more: tableSize(0) },
]

describe('HTTP/2: the compression of headers', () => {
  const listen = serving()
  const open = connecting()

  for (const { what, requests } of scripts)
    it(what, async () => {
      let seen = ''
      const port = await listen((call) => {
        const own = Object.entries(call.headers).filter(([name]) => name.startsWith('x-'))
        seen = own.map(([name, value]) => `${name}=${value}`).join(' ')
        return call.responder.send(200, {}, small)
      })
      const client = await open(port)
      for (const [at, { front = f.nothing, more = [], seen: expected }] of requests.entries()) {
        client.headers(2 * at + 1, Buffer.concat([front, requestBlock({ more })]))
        assert.equal(await client.verdict(2 * at + 1), 'answer 200')
        assert.equal(seen, expected)
      }
    })

  for (const { what, earlier, more } of wrong)
    it(`an error of the connection: ${what}`, async () => {
      const client = await open(await listen())
      if (earlier) {
        client.request(1, { more: [earlier] })
        assert.equal(await client.verdict(1), 'answer 200')
      }
      client.request(3, { more: [more] })
      assert.equal(await client.verdict(3), 'connection COMPRESSION_ERROR')
    })

  it('an error of the connection: a table larger than the server allows', async () => {
    const client = await open(await listen())
    const allowed = client.serverSettings.get(f.headerTableSize) ?? tableBytes
    client.headers(1, Buffer.concat([tableSize(allowed), requestBlock()]))
    assert.equal(await client.verdict(1), 'answer 200')
    client.headers(3, Buffer.concat([tableSize(allowed + 1), requestBlock()]))
    assert.equal(await client.verdict(3), 'connection COMPRESSION_ERROR')
  })

  it('an error of the connection: an entry that a smaller table has dropped', async () => {
    const client = await open(await listen())
    client.request(1, { more: [remembered('x-a', '1')] })
    client.headers(3, Buffer.concat([tableSize(0), requestBlock({ more: [indexed(newest)] })]))
    assert.equal(await client.verdict(3), 'connection COMPRESSION_ERROR')
  })

  it('trailers share the table, and so do requests that were refused or cancelled', async () => {
    let seen: unknown
    const port = await listen(async (call) => {
      seen = [call.headers['x-bad'], call.headers['x-gone'], call.headers['x-trailer']]
      await call.body()
      await call.responder.send(200, {}, small)
    })
    const client = await open(port)
    client.request(1, { more: [remembered('x-bad', '1'), literal('Upper', 'case')] })
    assertOneOf(await client.outcome(1), malformed)
    // An error of the connection would be allowed, and would leave nothing to see here.
    if (client.goaway) return
    client.request(3, { method: 'POST', more: [remembered('x-gone', '2')] }, false)
    client.reset(3)
    client.request(5, { method: 'POST' }, false)
    client.headers(5, remembered('x-trailer', '3'))
    assert.equal(await client.verdict(5), 'answer 200')
    client.request(7, { more: [indexed(newest), indexed(newest + 1), indexed(newest + 2)] })
    assert.equal(await client.verdict(7), 'answer 200')
    assert.deepEqual(seen, ['1', '2', '3'])
  })

  it('a table of zero bytes is allowed: answers then refer to no entry', async () => {
    const port = await listen((call) => call.responder.send(200, { 'x-same': 'in every answer' }, small))
    const client = await open(port)
    client.request(1)
    assert.equal(await client.verdict(1), 'answer 200')
    client.sendSettings([[f.headerTableSize, 0]])
    await client.settled()
    const before = client.blocks.length
    for (const id of [3, 5, 7]) {
      client.request(id)
      assert.equal((await client.answer(id)).headers['x-same'], 'in every answer')
    }
    for (const block of client.blocks.slice(before)) {
      const names: string[] = []
      new HeaderDecoder().decode(block, { onHeader: (name) => void names.push(name) })
      assert.ok(names.includes('x-same'))
    }
    // RFC 7541, 4.2: an encoder that used more before says so, in the next block at the latest.
    const isSize = (block: Buffer | undefined): boolean => block !== undefined && (block.readUInt8() & 0xe0) === 0x20
    assert.ok(client.blocks.slice(0, before + 1).some(isSize))
  })

  it('a table that shrinks and grows again forgets in between', async () => {
    const port = await listen((call) => call.responder.send(200, { 'x-same': 'in every answer' }, small))
    const client = await open(port)
    client.request(1)
    assert.equal(await client.verdict(1), 'answer 200')
    client.sendSettings([
      [f.headerTableSize, 0],
      [f.headerTableSize, tableBytes],
    ])
    await client.settled()
    const decoder = new HeaderDecoder()
    for (const id of [3, 5]) {
      client.request(id)
      assert.equal((await client.answer(id)).headers['x-same'], 'in every answer')
      const values = new Map<string, string>()
      decoder.decode(client.blocks.at(-1) ?? f.nothing, { onHeader: (name, value) => void values.set(name, value) })
      assert.equal(values.get('x-same'), 'in every answer')
    }
  })

  it('a header bomb is refused, whatever it refers to', async () => {
    let handled = 0
    const port = await listen(async (call) => {
      if (call.headers['x-small'] !== undefined) handled++
      await call.responder.send(200, {}, small)
    })
    const client = await open(port)
    client.request(1, { more: [remembered('x-a', 'v'.repeat(4000))] })
    assert.equal(await client.verdict(1), 'answer 200')
    const before = process.memoryUsage().rss
    for (let id = 3; id < 23 && !client.closed; id += 2) {
      client.send(f.headers, f.endStream, id, requestBlock({ more: [literal('x-small', '1')] }))
      // Five times ten thousand references: 200 MB of headers.
      const references = Buffer.alloc(10_000, 0x80 | newest)
      for (let at = 0; at < 5; at++) client.send(f.continuation, at === 4 ? f.endHeaders : 0, id, references)
      assertOneOf(await client.verdict(id), [
        'answer 431',
        'closed',
        ...errorOf('ENHANCE_YOUR_CALM', 'PROTOCOL_ERROR', 'COMPRESSION_ERROR', 'REFUSED_STREAM', 'CANCEL'),
      ])
    }
    const grownMiB = (process.memoryUsage().rss - before) / 1024 / 1024
    assert.ok(grownMiB < 100, `${grownMiB} MiB`)
    assert.equal(handled, 0)
  })
})

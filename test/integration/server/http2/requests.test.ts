import assert from 'node:assert/strict'
import type { Call } from '../../../../lib/request/index.ts'
import { serving, small } from '../support.ts'
import { assertOneOf, connecting, connectionError, errorOf, malformed } from './frameclient.ts'
import * as f from './frames.ts'
import { indexed, literal, newest, pod, type Request, remembered, requestBlock } from './headerblock.ts'

const get = indexed(2)
const https = indexed(7)
const path = literal(4, pod)
const authority = literal(1, 'x')

/** Blocks that are no request (RFC 9113, 8.2 and 8.3). */
const wrongBlocks: { what: string; block: Buffer }[] = [
  { what: 'no :method', block: Buffer.concat([https, path, authority]) },
  { what: 'no :scheme', block: Buffer.concat([get, path, authority]) },
  { what: 'no :path', block: Buffer.concat([get, https, authority]) },
  { what: 'no pseudo-header at all', block: literal('host', 'x') },
  { what: 'nothing', block: f.nothing },
  { what: ':method twice', block: Buffer.concat([get, get, https, path, authority]) },
  { what: 'two methods', block: Buffer.concat([get, indexed(3), https, path, authority]) },
  { what: ':scheme twice', block: Buffer.concat([get, https, https, path, authority]) },
  { what: ':path twice', block: Buffer.concat([get, https, path, path, authority]) },
  { what: ':authority twice', block: Buffer.concat([get, https, path, authority, authority]) },
  { what: 'an empty :path', block: Buffer.concat([get, https, literal(4, ''), authority]) },
  { what: 'a :path beyond ASCII', block: Buffer.concat([get, https, literal(4, '/api/v1/\xc3\xbc'), authority]) },
  { what: 'an empty :method', block: Buffer.concat([literal(2, ''), https, path, authority]) },
  { what: 'an unknown pseudo-header', block: Buffer.concat([get, https, path, authority, literal(':foo', 'bar')]) },
  { what: 'a pseudo-header of answers', block: Buffer.concat([get, https, path, authority, indexed(8)]) },
  { what: 'a pseudo-header behind a header', block: Buffer.concat([get, https, literal('a', 'b'), path, authority]) },
  {
    what: ':authority behind a header',
    block: Buffer.concat([get, https, path, literal('a', 'b'), authority]),
  },
  ...[
    ['a name in upper case', 'X-Upper', 'a'],
    ['one letter of a name in upper case', 'x-uppeR', 'a'],
    ['an empty name', '', 'a'],
    ['a space in a name', 'x a', 'a'],
    ['a colon in a name', 'x:a', 'a'],
    ['a line feed in a name', 'x\na', 'a'],
    ['a carriage return in a name', 'x\ra', 'a'],
    ['NUL in a name', 'x\0a', 'a'],
    ['DEL in a name', 'x\x7fa', 'a'],
    ['a letter beyond ASCII in a name', 'x\xe9a', 'a'],
    ['a line feed in a value', 'x-a', 'a\nb: c'],
    ['a carriage return in a value', 'x-a', 'a\rb'],
    ['the end of a header in a value', 'x-a', 'a\r\nb: c'],
    ['NUL in a value', 'x-a', 'a\0b'],
    ['a line feed at the end of a value', 'x-a', 'a\n'],
    ['another control character in a value', 'x-a', 'a\x01b'],
    ['DEL in a value', 'x-a', 'a\x7fb'],
    // Answers repeat this one.
    ['a control character in an audit id', 'audit-id', 'a\x1bb'],
    ['connection', 'connection', 'close'],
    ['connection: keep-alive', 'connection', 'keep-alive'],
    ['keep-alive', 'keep-alive', 'timeout=5'],
    ['proxy-connection', 'proxy-connection', 'keep-alive'],
    ['transfer-encoding', 'transfer-encoding', 'chunked'],
    ['upgrade', 'upgrade', 'websocket'],
    ['te: gzip', 'te', 'gzip'],
    ['te: trailers, gzip', 'te', 'trailers, gzip'],
    ['a content-length of letters', 'content-length', 'abc'],
    ['a negative content-length', 'content-length', '-1'],
    ['a content-length with a sign', 'content-length', '+0'],
    ['an empty content-length', 'content-length', ''],
    ['a hexadecimal content-length', 'content-length', '0x0'],
    ['a content-length beyond all numbers', 'content-length', '9'.repeat(400)],
    ['a content-length and no body', 'content-length', '5'],
  ].map(([what = '', name = '', value = '']) => ({ what, block: requestBlock({ more: [literal(name, value)] }) })),
  {
    what: 'two lengths',
    block: requestBlock({ more: [literal('content-length', '0'), literal('content-length', '5')] }),
  },
  ...['\n', '\r', '\0', ' '].map((sign) => ({
    what: `${JSON.stringify(sign)} in :path`,
    block: requestBlock({ path: `${pod}?a=${sign}b` }),
  })),
  { what: 'a space in :method', block: requestBlock({ method: 'GET /' }) },
  { what: 'a line feed in :authority', block: requestBlock({ authority: 'x\ny' }) },
  { what: 'CONNECT with a path', block: requestBlock({ method: 'CONNECT' }) },
]

const oddRequests: { what: string; request: Request; verdict: readonly string[] }[] = [
  { what: 'te: trailers', request: { more: [literal('te', 'trailers')] }, verdict: ['answer 200'] },
  { what: 'a content-length of 0', request: { more: [literal('content-length', '0')] }, verdict: ['answer 200'] },
  { what: 'an empty value', request: { more: [literal('x-a', '')] }, verdict: ['answer 200'] },
  { what: 'a tab in a value', request: { more: [literal('x-a', 'a\tb')] }, verdict: ['answer 200'] },
  { what: 'letters beyond ASCII in a value', request: { more: [literal('x-a', 'caf\xe9')] }, verdict: ['answer 200'] },
  { what: 'a name of signs', request: { more: [literal("x!#$%&'*+-.^_`|~9", 'a')] }, verdict: ['answer 200'] },
  {
    what: 'no authority, and a host',
    request: { authority: '', more: [literal('host', 'x')] },
    verdict: ['answer 200'],
  },
  { what: 'a path without a slash', request: { path: 'api/v1/pods' }, verdict: malformed },
  { what: '* as the path of GET', request: { path: '*' }, verdict: [...malformed, 'answer 404'] },
  {
    what: '* as the path of OPTIONS',
    request: { path: '*', method: 'OPTIONS' },
    verdict: ['answer 200', 'answer 204', 'answer 404', 'answer 405', ...malformed],
  },
]

/** `announced` content-length, DATA frames, and whether the last of them ends the stream. */
const wrongLengths: { what: string; announced: string; bodies: string[]; trailers?: boolean }[] = [
  { what: 'more than announced', announced: '3', bodies: ['abcd'] },
  { what: 'more than announced in the second frame', announced: '3', bodies: ['abc', 'd'] },
  { what: 'less than announced', announced: '3', bodies: ['ab'] },
  { what: 'nothing where something was announced', announced: '3', bodies: [''] },
  { what: 'something where nothing was announced', announced: '0', bodies: ['a'] },
  { what: 'less than announced, and trailers', announced: '3', bodies: ['ab'], trailers: true },
]

describe('HTTP/2: requests', () => {
  const listen = serving()
  const open = connecting()

  // RFC 9113 would have them refused (section 8.2.1), but Go's client takes a reset for the connection's fault and tries for
  // ever, as with a token from a file that ends in a space. The stock server takes them.
  for (const value of [' a', 'a ', '\ta \t', '  '])
    it(`${JSON.stringify(value)} as a value loses its blanks, as over HTTP/1.1`, async () => {
      let seen: string | undefined
      const port = await listen((call) => {
        seen = call.headers['x-a']
        return call.responder.send(200, {}, small)
      })
      const client = await open(port)
      client.headers(1, requestBlock({ more: [literal('x-a', value)] }))
      assert.equal(await client.verdict(1), 'answer 200')
      assert.equal(seen, value.trim())
    })

  for (const [name, value] of [
    ['te', 'gzip'],
    ['connection', 'close'],
  ] as const)
    it(`${name}: ${value} is answered, since clients retry resets forever`, async () => {
      const client = await open(await listen())
      client.headers(1, requestBlock({ more: [literal(name, value)] }))
      assert.equal(await client.verdict(1), 'answer 400')
    })

  for (const { what, block } of wrongBlocks)
    it(`a request is refused: ${what}`, async () => {
      let handled = 0
      const port = await listen((call) => {
        handled++
        return call.responder.send(200, {}, small)
      })
      const client = await open(port)
      client.headers(1, block)
      assertOneOf(await client.verdict(1), malformed)
      assert.equal(handled, 0)
      if (client.goaway !== undefined) return
      client.request(3)
      assert.equal(await client.verdict(3), 'answer 200')
    })

  for (const { what, request, verdict } of oddRequests)
    it(`${what}: ${verdict[0]}`, async () => {
      const client = await open(await listen())
      client.request(1, request)
      assertOneOf(await client.verdict(1), verdict)
    })

  it('CONNECT to another host opens no tunnel', async () => {
    const client = await open(await listen())
    client.headers(1, Buffer.concat([literal(2, 'CONNECT'), literal(1, 'example.com:443')]))
    const refusals = ['answer 400', 'answer 404', 'answer 405', 'answer 501']
    assertOneOf(await client.verdict(1), [...refusals, ...errorOf('PROTOCOL_ERROR', 'CONNECT_ERROR', 'REFUSED_STREAM')])
  })

  for (const { what, announced, bodies, trailers } of wrongLengths)
    it(`a request is refused: a body of ${what}`, async () => {
      const read: number[] = []
      const port = await listen(async (call) => {
        read.push((await call.body()).byteLength)
        await call.responder.send(200, {}, small)
      })
      const client = await open(port)
      client.request(1, { method: 'POST', more: [literal('content-length', announced)] }, false)
      bodies.forEach((body, at) => client.data(1, Buffer.from(body), !trailers && at === bodies.length - 1))
      if (trailers) client.headers(1, literal('a', 'b'))
      assertOneOf(await client.verdict(1), malformed)
      assert.deepEqual(read, [])
    })

  it('a body comes in frames of any size', async () => {
    const port = await listen(async (call) => call.responder.send(200, {}, await call.body()))
    const client = await open(port)
    const text = 'a body of some length, in pieces'
    const ways: Buffer[][] = [
      [Buffer.from(text)],
      text.split('').map((sign) => Buffer.from(sign)),
      [f.nothing, Buffer.from(text.slice(0, 5)), f.nothing, f.nothing, Buffer.from(text.slice(5))],
    ]
    let id = 1
    for (const way of ways) {
      for (const endsEmpty of [true, false]) {
        client.request(id, { method: 'POST', more: [literal('content-length', String(text.length))] }, false)
        way.forEach((piece, at) => client.data(id, piece, !endsEmpty && at === way.length - 1))
        if (endsEmpty) client.data(id, f.nothing, true)
        assert.equal((await client.answer(id)).body.toString(), text)
        id += 2
      }
    }
  })

  it('bodies of several streams arrive interleaved and are not mixed up', async () => {
    const port = await listen(async (call) => call.responder.send(200, {}, await call.body()))
    const client = await open(port)
    const ids = Array.from({ length: 20 }, (_, at) => 2 * at + 1)
    for (const id of ids) client.request(id, { method: 'POST' }, false)
    for (let round = 0; round < 10; round++) {
      for (const id of ids) client.data(id, Buffer.from(`${id},`), round === 9)
    }
    for (const id of ids) assert.equal((await client.answer(id)).body.toString(), `${id},`.repeat(10))
  })

  it('headers that repeat are one list, in their order, and cookies one cookie', async () => {
    let seen: unknown
    const port = await listen((call) => {
      seen = [call.headers['x-list'], call.headerValues?.('x-list'), call.headers['cookie'], call.headers['te']]
      return call.responder.send(200, {}, small)
    })
    const client = await open(port)
    const more = [
      literal('x-list', 'one'),
      literal('cookie', 'a=1'),
      literal('te', 'trailers'),
      literal('cookie', 'b=2'),
      literal('x-list', 'two, three'),
      literal('cookie', 'c=3'),
    ]
    client.request(1, { more })
    assert.equal(await client.verdict(1), 'answer 200')
    assert.deepEqual(seen, ['one, two, three', ['one', 'two, three'], 'a=1; b=2; c=3', 'trailers'])
  })

  it('headers with names of object properties are headers', async () => {
    let seen: unknown
    const port = await listen((call) => {
      seen = [Object.keys(call.headers).includes('__proto__'), call.headers['x-a'], call.headers['polluted']]
      return call.responder.send(200, {}, small)
    })
    const client = await open(port)
    const names = ['__proto__', 'constructor', 'tostring', 'hasownproperty', '__proto__']
    client.request(1, { more: [...names.map((name) => literal(name, 'polluted')), literal('x-a', 'a')] })
    assert.equal(await client.verdict(1), 'answer 200')
    assert.deepEqual(seen, [true, 'a', undefined])
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })

  // RFC 9113, 8.3.1: a Host header must not be used where there is an authority.
  it('the authority is the host, whatever the Host header is', async () => {
    const hosts: (string | undefined)[] = []
    const port = await listen((call) => {
      hosts.push(call.headers['host'])
      return call.responder.send(200, {}, small)
    })
    const client = await open(port)
    client.request(1, { authority: 'one:443' })
    client.request(3, { authority: '', more: [literal('host', 'two:443')] })
    client.request(5, { authority: 'three', more: [literal('host', 'three')] })
    for (const id of [1, 3, 5]) assert.equal(await client.verdict(id), 'answer 200')
    assert.deepEqual(hosts.splice(0), ['one:443', 'two:443', 'three'])
    client.request(7, { authority: 'four', more: [literal('host', 'five')] })
    assertOneOf(await client.verdict(7), ['answer 200', ...malformed])
    assert.ok(
      hosts.every((host) => host === 'four'),
      hosts.join(),
    )
  })

  for (const expect of ['100-continue', '100-Continue'])
    it(`expect: ${expect} is answered with 100 when the body is wanted`, async () => {
      const port = await listen(async (call) => call.responder.send(200, {}, await call.body()))
      const client = await open(port)
      client.request(1, { method: 'POST', more: [literal('expect', expect)] }, false)
      await client.until(() => client.incoming(1).interim.length > 0, 'an answer in between')
      client.data(1, Buffer.from('wanted'), true)
      assert.equal((await client.answer(1)).body.toString(), 'wanted')
      assert.deepEqual(client.incoming(1).interim, [100])
    })

  it('expect: 100-continue is answered at once when the body is not wanted', async () => {
    const port = await listen((call) => call.responder.send(403, {}, small))
    const client = await open(port)
    client.request(1, { method: 'POST', more: [literal('expect', '100-continue')] }, false)
    assert.equal((await client.answer(1)).status, 403)
    assert.deepEqual(client.incoming(1).interim, [])
  })

  it('an answer to HEAD has the length of a body, and none', async () => {
    const client = await open(await listen((call) => call.responder.send(200, {}, Buffer.alloc(200_000))))
    client.request(1, { method: 'HEAD' })
    const { status, headers, body } = await client.answer(1)
    assert.deepEqual([status, headers['content-length'], body.length], [200, '200000', 0])
  })

  it('an answer with invalid headers is an error, and affects no other', async () => {
    const port = await listen((call) => {
      const wrong = call.query.get('name')
      return call.responder.send(200, wrong === null ? {} : { [wrong]: call.query.get('value') ?? '' }, small)
    })
    const client = await open(port)
    const wrong = ['name=x-a&value=a%0d%0ab', 'name=x-a&value=a%00b', 'name=x%20a&value=a', 'name=x%0aa&value=a']
    wrong.forEach((query, at) => client.request(2 * at + 1, { path: `${pod}?${query}` }))
    for (const at of wrong.keys()) {
      assertOneOf(await client.verdict(2 * at + 1), ['answer 500', 'stream INTERNAL_ERROR'])
    }
    client.request(101)
    assert.deepEqual((await client.answer(101)).body, small)
  })

  it('answers without a body have none', async () => {
    const port = await listen((call) => call.responder.send(Number(call.query.get('status')), { 'x-a': 'b' }))
    const client = await open(port)
    const statuses = [200, 204, 304, 404]
    statuses.forEach((status, at) => client.request(2 * at + 1, { path: `${pod}?status=${status}` }))
    for (const [at, status] of statuses.entries()) {
      const answer = await client.answer(2 * at + 1)
      assert.deepEqual([answer.status, answer.headers['x-a'], answer.body.length], [status, 'b', 0])
    }
  })

  it('headers of an answer that take several frames arrive whole', async () => {
    const values = Array.from({ length: 25 }, (_, at) => [`x-${at}`, `${at}`.padEnd(2000, 'ü~!'.slice((at % 2) + 1))])
    const given = Object.fromEntries(values) as Record<string, string>
    const client = await open(await listen((call) => call.responder.send(200, given, small)))
    client.request(1)
    client.request(3, { method: 'HEAD' })
    for (const id of [1, 3]) {
      const { headers } = await client.answer(id)
      for (const [name = '', value] of values) assert.equal(headers[name], value)
    }
  })
})

describe('HTTP/2: limits of headers', () => {
  const listen = serving()
  const open = connecting()
  const refused = ['answer 431', ...errorOf('ENHANCE_YOUR_CALM', 'PROTOCOL_ERROR', 'REFUSED_STREAM', 'CANCEL')]
  const limits = { headerBytesMax: 16 * 1024, headerCountMax: 50 }
  const many = Array.from({ length: 60 }, (_, at) => literal(`x-${at}`, '1'))

  const cases: { what: string; more: Buffer[] }[] = [
    { what: 'one large header', more: [literal('x-large', 'y'.repeat(17_000))] },
    {
      what: 'headers that are large together',
      more: Array.from({ length: 20 }, (_, at) => literal(`x-${at}`, 'y'.repeat(1000))),
    },
    { what: 'a large name', more: [literal('x'.repeat(17_000), 'y')] },
    { what: 'many headers', more: many },
    { what: 'many times the same header', more: Array<Buffer>(60).fill(literal('x-a', '1')) },
    { what: 'many cookies', more: Array<Buffer>(60).fill(literal('cookie', 'a=1')) },
    // What is large is not on the wire, but in the table.
    {
      what: 'one header of the table, many times',
      more: [remembered('x-large', 'y'.repeat(3000)), ...Array<Buffer>(30).fill(indexed(newest))],
    },
  ]
  for (const { what, more } of cases)
    it(`a request is refused: ${what}; other streams continue, with the entries that the headers left in the table`, async () => {
      const handled: unknown[] = []
      const goOn = Promise.withResolvers<void>()
      const port = await listen(async (call) => {
        handled.push(call.headers['x-after'])
        await goOn.promise
        await call.responder.send(200, {}, small)
      }, limits)
      const client = await open(port)
      client.request(1)
      const block = requestBlock({ more: [...more, remembered('x-after', 'the flood')] })
      client.send(f.headers, f.endStream, 3, block.subarray(0, 16_384))
      const pieces = Math.ceil(block.length / 16_384) - 1
      for (let at = 1; at <= pieces; at++) {
        const piece = block.subarray(at * 16_384, (at + 1) * 16_384)
        client.send(f.continuation, at === pieces ? f.endHeaders : 0, 3, piece)
      }
      if (pieces === 0) client.send(f.continuation, f.endHeaders, 3)
      assertOneOf(await client.verdict(3), refused)
      if (client.goaway !== undefined) return
      client.request(5, { more: [indexed(newest)] })
      goOn.resolve()
      assert.deepEqual([await client.verdict(1), await client.verdict(5)], ['answer 200', 'answer 200'])
      assert.deepEqual(handled, [undefined, 'the flood'])
    })

  it('a request within the limits is accepted', async () => {
    const client = await open(await listen(undefined, limits))
    client.request(1, { more: [literal('x-large', 'y'.repeat(14_000))] })
    client.request(3, { more: many.slice(0, 40) })
    assert.deepEqual([await client.verdict(1), await client.verdict(3)], ['answer 200', 'answer 200'])
  })

  it('a URL that is too long is answered with 414', async () => {
    const client = await open(await listen(undefined, { urlBytesMax: 1000 }))
    client.request(1, { path: `${pod}?a=${'b'.repeat(1000)}` })
    assert.equal(await client.verdict(1), 'answer 414')
  })

  // 128 KiB is the default: what comes without end is not collected.
  it('a header block without end ends the connection', async () => {
    let handled = 0
    const client = await open(await listen((call: Call) => void (handled++, call.responder.send(200, {}, small))))
    client.send(f.headers, f.endStream, 1, requestBlock())
    const piece = f.frame(f.continuation, 0, 1, literal('x-large', 'y'.repeat(16_000)))
    for (let at = 0; at < 1000 && !client.closed; at++) await client.writeAndDrain(piece)
    await client.ended()
    if (client.goaway)
      assertOneOf(
        await client.verdict(1),
        connectionError('ENHANCE_YOUR_CALM', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'COMPRESSION_ERROR'),
      )
    assert.equal(handled, 0)
  })
})

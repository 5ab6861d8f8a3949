import assert from 'node:assert/strict'
import { createSeededRandom, type Random } from '../../../../lib/base/index.ts'
import { Receiver } from '../../../../lib/server/http1/receiver.ts'
import { limits, type Reading, readByNode, readOurs } from './reading.ts'

const get = 'GET /x HTTP/1.1\r\nHost: x\r\n'
const post = 'POST /x HTTP/1.1\r\nHost: x\r\n'
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`

function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** Both readers understand these alike. */
const accepted: Readonly<Record<string, string>> = {
  'a get': `${get}\r\n`,
  'blanks around a value': `${get}A: \t b c\t \r\n\r\n`,
  'no blank before a value': `${get}A:b\r\n\r\n`,
  'an empty value': `${get}A:\r\n\r\n`,
  'bytes beyond ASCII in a value': `${get}A: \xe9\x80\xff\r\n\r\n`,
  'an empty host': 'GET / HTTP/1.1\r\nHost:\r\n\r\n',
  'one empty line before': `\r\n${get}\r\n`,
  'version 1.0 without a host': 'GET / HTTP/1.0\r\n\r\n',
  'an absolute target': 'GET https://a:6443/b?c HTTP/1.1\r\nHost: x\r\n\r\n',
  'an asterisk': 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'odd characters in a target': 'GET /x"<>\\^`{|}#b?%zz HTTP/1.1\r\nHost: x\r\n\r\n',
  'a method with a dash': 'M-SEARCH / HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT with an authority': 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'repeated headers': `${get}A: 1\r\na: 2\r\nCookie: a\r\ncookie: b\r\nAccept: x\r\nACCEPT: y\r\n\r\n`,
  'repeated headers with one value': `${get}Authorization: a\r\nauthorization: b\r\nContent-Type: c\r\ncontent-type: d\r\nUser-Agent: e\r\nuser-agent: f\r\n\r\n`,
  'a body with a length': `${post}Content-Length: 3\r\n\r\nabc`,
  'a length with zeros and blanks': `${post}Content-Length:  003 \r\n\r\nabc`,
  chunks: `${chunked}3\r\nabc\r\n00A\r\n0123456789\r\n0\r\n\r\n`,
  'chunks in capitals': `${post}transfer-encoding: CHUNKED\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  'chunk extensions': `${chunked}3;a=b;c;d="e\\"f; g"\r\nabc\r\n0;x=1\r\n\r\n`,
  trailers: `${chunked}3\r\nabc\r\n0\r\nA: b\r\nHost: y\r\nAuthorization: z\r\n\r\n`,
  'requests behind each other': `${post}Content-Length: 3\r\n\r\nabc${get}\r\n${chunked}0\r\n\r\n${get}\r\n`,
}

/** Both readers refuse these; ours with this status. */
const refused: Readonly<Record<string, readonly [number, string]>> = {
  'a length and chunks': [400, `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
  'chunks and a length': [400, `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
  'two lengths': [400, `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
  'the same length twice': [400, `${post}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`],
  'a list of lengths': [400, `${post}Content-Length: 3, 3\r\n\r\nabc`],
  'an empty length': [400, `${post}Content-Length:\r\n\r\n`],
  'a length with a plus': [400, `${post}Content-Length: +3\r\n\r\nabc`],
  'a negative length': [400, `${post}Content-Length: -3\r\n\r\nabc`],
  'a hexadecimal length': [400, `${post}Content-Length: 0x3\r\n\r\nabc`],
  'a length with a blank inside': [400, `${post}Content-Length: 1 2\r\n\r\nabc`],
  'a length with a fraction': [400, `${post}Content-Length: 3.0\r\n\r\nabc`],
  'a length too large for a number': [400, `${post}Content-Length: 99999999999999999999\r\n\r\nabc`],
  'two codings': [501, `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  'chunks that are not the last coding': [501, `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
  'the coding identity': [501, `${post}Transfer-Encoding: identity\r\n\r\nabc`],
  'an empty coding': [501, `${post}Transfer-Encoding:\r\n\r\nabc`],
  'a coding nearly chunked': [501, `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  'a coding with quotes': [501, `${post}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`],
  'a coding behind a control character': [400, `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
  'a folded header': [400, `${get}A: b\r\n c\r\n\r\n`],
  'a folded coding': [400, `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
  'a blank before a colon': [400, `${post}Content-Length : 3\r\n\r\nabc`],
  'a blank before a name': [400, `GET / HTTP/1.1\r\n Host: x\r\n\r\n`],
  'a header without a colon': [400, `${get}Ab\r\n\r\n`],
  'a header without a name': [400, `${get}: b\r\n\r\n`],
  'a name beyond ASCII': [400, `${get}A\xe9: b\r\n\r\n`],
  'a name with a slash': [400, `${get}A/b: c\r\n\r\n`],
  'NUL in a value': [400, `${get}A: b\0c\r\n\r\n`],
  'NUL in a name': [400, `${get}A\0: b\r\n\r\n`],
  'a control character in a value': [400, `${get}A: b\x01\r\n\r\n`],
  'DEL in a value': [400, `${get}A: b\x7f\r\n\r\n`],
  'a bare CR in a value': [400, `${get}A: b\rc\r\n\r\n`],
  'a bare LF behind a header': [400, `${get}A: b\nC: d\r\n\r\n`],
  'a bare LF behind the request line': [400, 'GET / HTTP/1.1\nHost: x\r\n\r\n'],
  'bare LFs only': [400, 'GET / HTTP/1.1\nHost: x\n\n'],
  'a bare LF at the end': [400, `${get}A: b\r\n\n`],
  'no host': [400, 'GET / HTTP/1.1\r\nA: b\r\n\r\n'],
  'a target without a slash': [400, 'GET x HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a target that is a query': [400, 'GET ?x HTTP/1.1\r\nHost: x\r\n\r\n'],
  'bytes beyond ASCII in a target': [400, 'GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a tab in a target': [400, 'GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a blank in a target': [400, 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
  'no target': [400, 'GET HTTP/1.1\r\nHost: x\r\n\r\n'],
  'version 1.2': [400, 'GET / HTTP/1.2\r\nHost: x\r\n\r\n'],
  'version 1.10': [400, 'GET / HTTP/1.10\r\nHost: x\r\n\r\n'],
  'a version in small letters': [400, 'GET / http/1.1\r\nHost: x\r\n\r\n'],
  'the preface of HTTP/2': [400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'an unknown method': [405, 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a method that is too long': [400, `${'X'.repeat(32)} / HTTP/1.1\r\nHost: x\r\n\r\n`],
  'a method that is no token': [400, 'G{T / HTTP/1.1\r\nHost: x\r\n\r\n'],
  'an unknown expectation': [417, `${get}Expect: miracles\r\n\r\n`],
  'a chunk size with 0x': [400, `${chunked}0x3\r\nabc\r\n0\r\n\r\n`],
  'a chunk size with a plus': [400, `${chunked}+3\r\nabc\r\n0\r\n\r\n`],
  'a negative chunk size': [400, `${chunked}-3\r\nabc\r\n0\r\n\r\n`],
  'a chunk size behind a blank': [400, `${chunked} 3\r\nabc\r\n0\r\n\r\n`],
  'a chunk size with a blank behind it': [400, `${chunked}3 \r\nabc\r\n0\r\n\r\n`],
  'a chunk size that wraps around': [400, `${chunked}10000000000000003\r\nabc\r\n0\r\n\r\n`],
  'an empty chunk size': [400, `${chunked}\r\nabc\r\n0\r\n\r\n`],
  'a chunk longer than its size': [400, `${chunked}2\r\nabc\r\n0\r\n\r\n`],
  'a chunk shorter than its size': [400, `${chunked}4\r\nabc\r\n0\r\n\r\n`],
  'a bare LF behind a chunk size': [400, `${chunked}3\nabc\r\n0\r\n\r\n`],
  'a bare LF behind a chunk': [400, `${chunked}3\r\nabc\n0\r\n\r\n`],
  'a bare LF in a chunk extension': [400, `${chunked}3;a\nb\r\nabc\r\n0\r\n\r\n`],
  'a bare CR in a chunk extension': [400, `${chunked}3;a\rb\r\nabc\r\n0\r\n\r\n`],
  'a chunk extension without a name': [400, `${chunked}3;\r\nabc\r\n0\r\n\r\n`],
  'a blank in a chunk extension': [400, `${chunked}3; a\r\nabc\r\n0\r\n\r\n`],
  'a length behind the body': [400, `${chunked}0\r\nContent-Length: 3\r\n\r\n`],
  'a coding behind the body': [400, `${chunked}0\r\nTransfer-Encoding: chunked\r\n\r\n`],
  'a trailer that is none': [400, `${chunked}0\r\nA b\r\n\r\n`],
  'a bare LF behind a trailer': [400, `${chunked}0\r\nA: b\n\r\n`],
}

/** Node's parser accepts these, and ours refuses them: another server may understand them differently. */
const stricter: Readonly<Record<string, readonly [number, string]>> = {
  'several hosts': [400, `${get}Host: y\r\n\r\n`],
  'a coding before chunked': [501, `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  'chunks over version 1.0': [400, `POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  'version 0.9': [400, 'GET / HTTP/0.9\r\nHost: x\r\n\r\n'],
  'version 2.0': [400, 'GET / HTTP/2.0\r\nHost: x\r\n\r\n'],
  'blanks before a target': [400, 'GET  / HTTP/1.1\r\nHost: x\r\n\r\n'],
  'blanks behind a target': [400, 'GET /  HTTP/1.1\r\nHost: x\r\n\r\n'],
  'several empty lines before': [400, `\r\n\r\n${get}\r\n`],
  'bare LFs before': [400, `\n\n${get}\r\n`],
  'an extension without its value': [400, `${chunked}3;a=\r\nabc\r\n0\r\n\r\n`],
  'more expectations than one': [417, `${get}Expect: a, 100-continue\r\n\r\n`],
  'a length of more than 15 digits': [400, `${post}Content-Length: 0000000000000003\r\n\r\nabc`],
}

/** Our reasons for refusing what Node's parser accepts, in random requests. */
const stricterReasons = [
  'several host',
  'a transfer coding that nobody knows',
  'the length of the body is ambiguous',
  'no version 1.1 or 1.0 of HTTP',
  'the target is none',
  'no request line',
  'the size of a chunk is none',
  'an unknown expectation',
  'Content-Length is no number',
  'control characters in a head',
]

describe('requests over HTTP/1.1', () => {
  for (const [what, text] of Object.entries(accepted))
    it(`${what}: are read as by Node's parser`, async () => {
      const [ours, theirs] = [readOurs([bytes(text)]), await readByNode(bytes(text))]
      assert.equal(ours.why, '')
      assert.ok(ours.requests.length > 0)
      assert.deepEqual(ours.requests, theirs.requests)
    })

  for (const [what, [status, text]] of Object.entries(refused))
    it(`${what}: are refused, as by Node's parser`, async () => {
      const [ours, theirs] = [readOurs([bytes(text)]), await readByNode(bytes(text))]
      assert.equal(ours.refusal, status, ours.why)
      assert.equal(ours.requests.length, 0)
      assert.notEqual(theirs.refusal, 0)
    })

  for (const [what, [status, text]] of Object.entries(stricter))
    it(`${what}: are refused, other than by Node's parser`, async () => {
      const [ours, theirs] = [readOurs([bytes(text)]), await readByNode(bytes(text))]
      assert.equal(ours.refusal, status, ours.why)
      assert.deepEqual([theirs.refusal, theirs.requests.length], [0, 1])
    })

  it('a request is read the same however its bytes are split', () => {
    const all = [
      ...Object.values(accepted),
      ...[...Object.values(refused), ...Object.values(stricter)].map(([, text]) => text),
    ]
    const of = ({ requests, refusal }: Reading): object => ({ requests, refusal })
    for (const text of all) {
      const whole = bytes(text)
      const expected = of(readOurs([whole]))
      for (let at = 1; at < whole.length; at++)
        assert.deepEqual(of(readOurs([whole.subarray(0, at), whole.subarray(at)])), expected, `${text} at ${at}`)
      const single = Array.from(whole, (_, at) => whole.subarray(at, at + 1))
      assert.deepEqual(of(readOurs(single)), expected, `${text} byte by byte`)
    }
  })

  it('the name __proto__ is a header like others, and the record has no prototype', () => {
    const { requests } = readOurs([bytes(`${get}__proto__: a\r\nconstructor: b\r\n\r\n`)])
    assert.deepEqual(Object.keys(requests[0]?.headers ?? {}), ['host', '__proto__', 'constructor'])
  })

  it('random requests are read as by Node, refused by both, or refused for a named reason', async () => {
    const random = createSeededRandom(34)
    const seen = { alike: 0, refusedByBoth: 0, stricter: 0 }
    for (let round = 0; round < 700; round++) {
      const text = randomRequest(random)
      const about = JSON.stringify(text)
      const [ours, theirs] = [readOurs([bytes(text)]), await readByNode(bytes(text))]
      if (ours.refusal === 0 && theirs.refusal === 0) {
        assert.deepEqual(ours.requests, theirs.requests, about)
        seen.alike++
      } else if (ours.refusal === 0) {
        // Node refuses the beginning of a request earlier. Ours may not have accepted more than Node.
        assert.deepEqual(ours.requests, theirs.requests, about)
      } else if (theirs.refusal === 0) {
        assert.ok(stricterReasons.includes(ours.why), `${about} is refused: ${ours.why}`)
        seen.stricter++
      } else seen.refusedByBoth++
    }
    assert.ok(seen.alike > 100 && seen.refusedByBoth > 100 && seen.stricter > 10, JSON.stringify(seen))
  })

  it('limits apply to a head as a whole, the number of its headers, extensions and trailers', () => {
    const many = 'A: b\r\n'.repeat(limits.headerCountMax)
    const large = 'x'.repeat(limits.headerBytesMax)
    const cases: readonly [number, string][] = [
      [431, `${get}A: ${large}\r\n\r\n`],
      [431, `GET /${large} HTTP/1.1\r\n`],
      [431, `${get}${many}\r\n`],
      [431, `${chunked}0\r\nA: ${large}\r\n\r\n`],
      [431, `${chunked}0\r\nA: ${large.slice(1000)}\r\nA: ${large.slice(1000)}\r\n\r\n`],
      [431, `${chunked}0\r\n${many}A: b\r\n\r\n`],
      [413, `${chunked}1;a=${large}\r\n`],
      [413, `${chunked}${`1;a=${'x'.repeat(1000)}\r\na\r\n`.repeat(17)}0\r\n\r\n`],
      [0, `${get}A: ${large.slice(1000)}\r\n\r\n`],
      [0, `${get}${many.slice(6)}\r\n`],
    ]
    for (const [status, text] of cases) {
      assert.equal(readOurs([bytes(text)]).refusal, status, text.slice(0, 100))
      const pieces = Array.from({ length: Math.ceil(text.length / 7) }, (_, at) =>
        bytes(text.slice(at * 7, at * 7 + 7)),
      )
      assert.equal(readOurs(pieces).refusal, status, text.slice(0, 100))
    }
  })

  it('bytes that are no request are refused before their line ends', () => {
    for (const text of ['{"a":1}', '\x16\x03\x01\x02', ' GET /', '\0', 'x'.repeat(40), 'GET / HTTP/1.1\n'])
      assert.equal(readOurs([bytes(text)]).refusal, 400, text)
    for (const text of ['G', 'GET', 'GET ', '\r', '\r\n', '\r\nGE'])
      assert.equal(readOurs([bytes(text)]).refusal, 0, text)
  })

  it('a head in single bytes costs time in proportion to its length', () => {
    const parts = (length: number): Buffer[] =>
      Array.from(bytes(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(length)}\r\n\r\n`), (byte) => Buffer.from([byte]))
    const long = parts(limits.headerBytesMax - 100)
    const before = process.threadCpuUsage()
    assert.equal(readOurs(long).requests.length, 1)
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 400_000, `${user + system} µs`)
  })
})

function randomRequest(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T // it has entries
  const rarely = (of: number): boolean => random.below(of) === 0
  const valid = Object.values(accepted)
  let text = pick(valid)
  if (rarely(3)) {
    const lines = Array.from({ length: random.below(6) }, () => pick(headerLines))
    text = `${pick(requestLines)}\r\n${rarely(8) ? '' : 'Host: x\r\n'}${lines.map((line) => `${line}\r\n`).join('')}\r\n`
    if (/chunked/i.test(text)) text += pick(['3\r\nabc\r\n0\r\n\r\n', '0\r\n\r\n', '3;a=b\r\nabc\r\n0\r\nA: b\r\n\r\n'])
    else if (/content-length: 3/i.test(text)) text += 'abc'
  }
  for (let left = random.below(3); left > 0; left--) {
    const at = random.below(text.length)
    const way = random.below(3)
    const inserted = way === 0 ? '' : pick(crumbs)
    text = text.slice(0, at) + inserted + text.slice(at + (way === 1 ? 0 : 1 + random.below(2)))
  }
  return text
}

const requestLines = [
  'GET / HTTP/1.1',
  'POST /x HTTP/1.1',
  'PATCH /x?y=z HTTP/1.1',
  'DELETE http://h/x HTTP/1.1',
  'GET / HTTP/1.0',
  'LOCK /x HTTP/1.1',
]
const headerLines = [
  'Content-Length: 3',
  'content-length: 3',
  'Content-Length: 0',
  'Transfer-Encoding: chunked',
  'transfer-encoding: Chunked',
  'Connection: close',
  'Connection: keep-alive, x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Accept: a, b',
  'accept: c',
  'Cookie: a=b',
  'cookie: c',
  'Authorization: Bearer a',
  'AUTHORIZATION: Bearer b',
  'X-Remote-User: a',
  'x-remote-user: b',
  'Date: x',
  'date: y',
  'TE: trailers',
  'Trailer: a',
  'X: \t',
]
const crumbs = [
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  ':',
  '\0',
  ';',
  ',',
  '0',
  '1',
  'a',
  'F',
  '\x7f',
  '\xe9',
  '"',
  '\r\n\r\n',
  '/',
  '{',
  '\x0b',
]

describe('a receiver over HTTP/1.1', () => {
  function receiving(): { receiver: Receiver; heads: string[] } {
    const heads: string[] = []
    const host = { onHead: ({ target }: { target: string }) => void heads.push(target), onBody() {}, onEnd() {} }
    return { receiver: new Receiver(host, limits), heads }
  }

  it('reads nothing behind a request until it is asked to, and knows whether that can be requests', () => {
    const { receiver, heads } = receiving()
    receiver.push(bytes(`${get}\r\n${get.replace('/x', '/y')}\r\n${post}Content-Length: 2\r\n\r\nab`))
    assert.deepEqual([heads, receiver.holds, receiver.holdsMalformed], [['/x'], true, false])
    receiver.push(bytes('{'))
    assert.deepEqual([heads, receiver.holdsMalformed], [['/x'], true])
    receiver.next()
    assert.deepEqual([heads, receiver.holds, receiver.holdsMalformed], [['/x', '/y'], true, true])
  })

  it('an empty line behind a request is no beginning of another', () => {
    const { receiver, heads } = receiving()
    receiver.push(bytes(`${get}\r\n`))
    receiver.next()
    for (const [part, amid] of [
      ['\r\n', false],
      ['GE', true],
      [`T /y HTTP/1.1\r\nHost: x\r\n\r\n`, false],
    ] as const) {
      receiver.push(bytes(part))
      assert.equal(receiver.amidHead, amid, part)
    }
    assert.deepEqual(heads, ['/x', '/y'])
  })

  it('many waiting requests are checked in time proportional to their number', () => {
    const { receiver, heads } = receiving()
    receiver.push(bytes(`${get}\r\n`.repeat(5000)))
    const before = process.threadCpuUsage()
    while (receiver.holds) {
      assert.equal(receiver.holdsMalformed, false)
      receiver.next()
    }
    const { user, system } = process.threadCpuUsage(before)
    assert.equal(heads.length, 5000)
    assert.ok(user + system < 500_000, `${user + system} µs`)
  })
})

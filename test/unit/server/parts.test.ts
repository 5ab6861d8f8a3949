import assert from 'node:assert/strict'
import { createFakeClock } from '../../../lib/base/index.ts'
import { parseRequestInfo } from '../../../lib/request/index.ts'
import { pieceBytes } from '../../../lib/server/bufferpool.ts'
import { pathOf } from '../../../lib/server/filters/receive.ts'
import { isLongRunning } from '../../../lib/server/filters/resolverequestinfo.ts'
import { cipherList, cipherWarnings, curveList, tlsVersion, validateServerOptions } from '../../../lib/server/index.ts'
import { ChunkFrames } from '../../../lib/server/responder/chunks.ts'
import { acceptsGzip } from '../../../lib/server/responder/gzip.ts'
import { pieces } from '../../../lib/server/responder/pieces.ts'
import { createTimerWheel, type Expiring } from '../../../lib/server/timerwheel.ts'
import { createWarnings, warningCharactersMax, warningHeader } from '../../../lib/server/warnings.ts'

describe('a timer wheel', () => {
  const item = (expired: string[], name: string): Expiring => ({
    dueMs: 0,
    slot: undefined,
    place: -1,
    expire: () => void expired.push(name),
  })

  it('expire in time, once, late by at most one tick', () => {
    const clock = createFakeClock(123_456)
    const wheel = createTimerWheel(clock)
    const expired: string[] = []
    for (const ms of [1, 99, 100, 101, 5000, 60_000, 102_400, 300_000]) wheel.add(item(expired, String(ms)), ms)
    const seen = (): string => expired.splice(0).join(' ')
    clock.advance(100)
    assert.equal(seen(), '1 99 100')
    clock.advance(100)
    assert.equal(seen(), '101')
    clock.advance(4700)
    assert.equal(seen(), '')
    clock.advance(200)
    assert.equal(seen(), '5000')
    clock.advance(55_000)
    assert.equal(seen(), '60000')
    clock.advance(45_000)
    assert.equal(seen(), '102400')
    clock.advance(200_000)
    assert.equal(seen(), '300000')
    void wheel.close()
  })

  it('forget removed timers', () => {
    const clock = createFakeClock()
    const wheel = createTimerWheel(clock)
    const expired: string[] = []
    const one = item(expired, 'one')
    wheel.add(one, 500)
    wheel.remove(one)
    wheel.remove(one)
    clock.advance(10_000)
    assert.deepEqual(expired, [])
    void wheel.close()
  })
})

describe('warnings', () => {
  it('are cut when there are too many of them', () => {
    const warnings = createWarnings()
    for (let at = 0; at < 50; at++) warnings.add(`${at} ${'x'.repeat(1000)}`)
    const list = warnings.list()
    assert.ok(list.length > 10)
    assert.ok(list.join('').length <= warningCharactersMax)
    assert.ok(list.every((text) => text.length <= 256))
  })

  it('can not break the header', () => {
    assert.equal(warningHeader('a"b\\c\r\nSet-Cookie: x'), '299 - "a\\"b\\\\c  Set-Cookie: x"')
  })
})

describe('pieces', () => {
  for (const sizes of [
    [0],
    [1],
    [pieceBytes],
    [pieceBytes + 1],
    [10, 20],
    [1000, pieceBytes, 1],
    Array(500).fill(999),
  ]) {
    it(`pieces of ${sizes.length} chunks from ${sizes[0]} bytes keep every byte and are of even size`, () => {
      let next = 0
      const chunks = (sizes as number[]).map((size) => Uint8Array.from({ length: size }, () => next++ & 0xff))
      const total = (sizes as number[]).reduce((sum, size) => sum + size, 0)
      for (const bytes of [total, Infinity]) {
        const out = [...pieces(chunks, bytes, () => Buffer.alloc(pieceBytes))].map(({ buffer, from, length }) =>
          buffer.subarray(from, from + length),
        )
        assert.deepEqual(Buffer.concat(out), Buffer.concat(chunks))
        assert.ok(out.every((piece) => piece.byteLength <= pieceBytes && piece.byteLength > 0))
        assert.equal(out.length, Math.ceil(total / pieceBytes))
      }
    })
  }

  it('keep the bytes of a chunk whose memory another request writes over while a piece is sent', () => {
    const shared = Buffer.alloc(3 * pieceBytes)
    function* chunks(): Generator<Uint8Array> {
      for (const letter of 'abc') {
        shared.fill(letter)
        yield shared.subarray(0, pieceBytes + 1000)
      }
    }
    const sent: Buffer[] = []
    for (const { buffer, from, length } of pieces(chunks(), Infinity, () => Buffer.alloc(pieceBytes))) {
      sent.push(Buffer.from(buffer.subarray(from, from + length)))
      shared.fill('x')
    }
    const expected = Array.from('abc', (letter) => letter.repeat(pieceBytes + 1000)).join('')
    assert.equal(Buffer.concat(sent).toString() === expected, true)
  })
})

describe('frames of chunks', () => {
  it('are made once for chunks that are sent again and again', () => {
    const frames = new ChunkFrames()
    const [one, other] = [Buffer.alloc(300, 'a'), Buffer.from('b')]
    const frame = frames.of(one)
    assert.equal(Buffer.from(frame).toString(), `12c\r\n${'a'.repeat(300)}\r\n`)
    assert.equal(frames.of(one), frame)
    assert.equal(Buffer.from(frames.of(other)).toString(), '1\r\nb\r\n')
    assert.deepEqual(frames.of(one), frame)
  })
})

describe('request targets', () => {
  const cases: [string, string | undefined][] = [
    ['/api/v1', '/api/v1'],
    ['/api/v1?watch=1', '/api/v1'],
    ['https://host:6443/api?x', '/api'],
    ['http://host', '/'],
    ['*', undefined],
    ['', undefined],
    ['host:443', undefined],
    ['//x/y', '//x/y'],
  ]
  for (const [target, path] of cases) {
    it(`'${target}' has the path ${path}`, () => assert.equal(pathOf(target), path))
  }
})

describe('long-running requests', () => {
  const cases: [string, string, boolean][] = [
    ['GET', '/api/v1/pods?watch=1', true],
    ['GET', '/api/v1/pods', false],
    ['GET', '/api/v1/namespaces/a/pods/b/log', true],
    ['POST', '/api/v1/namespaces/a/pods/b/exec', true],
    ['POST', '/api/v1/namespaces/a/pods/b/eviction', false],
    ['GET', '/api/v1/namespaces/a/services/b/proxy/path', true],
    ['GET', '/debug/pprof/profile', true],
    ['GET', '/livez', false],
  ]
  for (const [method, url, expected] of cases) {
    it(`${method} ${url}: ${expected}`, () => {
      const [path = '', query = ''] = url.split('?')
      assert.equal(isLongRunning(parseRequestInfo(method, path, new URLSearchParams(query))), expected)
    })
  }
})

describe('flags of the secure port', () => {
  it('name ciphers as Go does', () => {
    assert.match(cipherList(['TLS_RSA_WITH_AES_128_CBC_SHA']), /:AES128-SHA$/)
    assert.match(cipherList(['TLS_RSA_WITH_AES_128_CBC_SHA'], 'TLSv1.1'), /:AES128-SHA:@SECLEVEL=0$/)
    assert.doesNotMatch(cipherList([]), /:AES|3DES|RC4|SECLEVEL/)
    assert.throws(() => cipherList(['NOPE']), /Cipher suite NOPE not supported or doesn't exist/)
    const broken = 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'
    const named = [broken, 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_RSA_WITH_AES_128_GCM_SHA256']
    assert.match(cipherList(named), /:ECDHE-RSA-AES128-GCM-SHA256:AES128-GCM-SHA256$/)
    assert.deepEqual(cipherWarnings(named), [
      `--tls-cipher-suites: ${broken} is broken and left out`,
      "Use of insecure cipher 'TLS_RSA_WITH_AES_128_GCM_SHA256' detected.",
    ])
    assert.throws(() => cipherList([broken]), /TLS_RSA_WITH_3DES_EDE_CBC_SHA: broken, and not spoken any more/)
  })
  it('name versions and curves as Go does', () => {
    assert.equal(tlsVersion('VersionTLS13'), 'TLSv1.3')
    assert.equal(tlsVersion(''), 'TLSv1.2')
    assert.throws(() => tlsVersion('1.2'), /unknown tls version/)
    assert.equal(curveList([29, 23]), 'X25519:P-256')
    assert.throws(() => curveList([1]), RangeError)
  })
  const wrong = [
    { goawayChance: 0.5 },
    { goawayChance: -1 },
    { requestTimeoutMs: 0 },
    { maxRequestsInFlight: -1 },
    { port: 70_000 },
    { http2StreamsMax: 0 },
  ]
  for (const options of wrong) {
    it(`refuse ${JSON.stringify(options)}`, () => {
      assert.throws(() => validateServerOptions(options), RangeError)
    })
  }
})

describe('Accept-Encoding', () => {
  for (const [header, expected] of [
    ['gzip', true],
    ['deflate, gzip;q=1.0, *;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip; q=0.0', false],
    ['identity', false],
    ['x-gzip', false],
    [undefined, false],
  ] as const) {
    it(`${header}: ${expected}`, () => assert.equal(acceptsGzip(header), expected))
  }
})

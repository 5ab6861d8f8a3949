import assert from 'node:assert/strict'
import { toValue, types } from '../../../../lib/cel/index.ts'
import { Duration } from '../../../../lib/cel/run/values.ts'
import { hasFormat, isKnownFormat } from '../../../../lib/crd/schema/formats.ts'

/** What the stock server (1.36) takes and refuses. */
const cases: Readonly<Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>> = {
  bsonobjectid: {
    valid: ['507f1f77bcf86cd799439011', 'abcdefabcdefabcdefABCDEF'],
    invalid: [],
  },
  uri: {
    valid: [
      'http://foo.bar/#com',
      'https://user:p@ss@[::1%25eth0]:80/p?q=%2F',
      'mailto:a@b',
      '/abs',
      '*',
      'http://[::1]',
      'pg://a:1,b:2/',
      '//host/x',
      '///x',
      'http:///x',
      'http://h%c3%a9/',
      'a:b',
      'http://a/ b',
      'http://<x>"/',
      '/?%zz',
      'http:?%zz',
      'HTTP://[fe80::1%25%20x]/',
      'http://[::ffff:1.2.3.4]:8/',
      'http://x]/',
      'http://h:/',
      'http://é.x/',
      'http://[::1%25a%41]/',
      'urn:%zz',
      'a1+-.:b',
    ],
    invalid: [
      'http://[1.2.3.4]/',
      'http://a:80:90/',
      'http://h%41/',
      ':x',
      'x y:',
      'http://a b/',
      'http://u%zz@h/',
      '%zz',
      '/%zz',
      'http://[fe80::1%25]/',
      'http://[x',
      'http://a[::1]/',
      'http://\\x/',
      'http://h:8a/',
      'http://[::1]x/',
      'http://[::1%25a%2f]/',
      '1a:b',
    ],
  },
  email: {
    valid: [
      'a@b',
      'a.b@c.d',
      'Bob <a@b>',
      '"x y"@b',
      'a@[1.2.3.4]',
      'a@[::1]',
      'g: a@b;',
      'a@b (name)',
      'A (c) B <a@b>',
      '"q" <a@b> (x(y))',
      '=?utf-8?q?=41b?= <a@b>',
      'x =?foo?b?YQ==?= <a@b>',
      'é@ü',
      '"\\""@b',
      'a@ b',
      ' a@b',
      'a@b ',
      '<a@b>',
      'A.B. C <a@b>',
      'g:a@b;(c)',
      '"a\tb" <a@b>',
      '"" <a@b>',
    ],
    invalid: [
      '(c) a@b',
      '=?foo?q?a?= <a@b>',
      'a..b@c',
      '.a@c',
      'a@b.',
      '""@b',
      'g:;',
      'g: a@b, c@d;',
      'a @b',
      'a@[::1%x]',
      'a@[01.2.3.4]',
      'a@b,',
      'g: h: a@b;;',
      'a@b (=?foo?q?x?=)',
      'a\t@b',
    ],
  },
  hostname: {
    valid: [
      'a',
      'a-b',
      'a.bc',
      '☃.com',
      'é',
      'a-b-c.com',
      'a-',
      '1',
      'a'.repeat(63),
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com',
      'a-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
      '$+.com',
      'aKſ',
      'K.ſſ',
      'a.çç',
    ],
    invalid: ['a--b', 'a.b', 'a.b1', 'a_b', 'a-b-c', '-a', 'a.com.', '1.2', 'a'.repeat(64), 'a..com'],
  },
  ipv4: {
    valid: ['1.2.3.4', '01.02.03.004', '::ffff:1.2.3.4', '::1.2.3.4', '0001.2.3.4', '::ffff:01.2.3.4'],
    invalid: ['1.2.3', '256.1.1.1', '1.2.3.4 ', '1.2.3.4%x', '00000256.1.1.1'],
  },
  ipv6: {
    valid: [
      '::1',
      '2001:db8::',
      '::ffff:1.2.3.4',
      '1:2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7::',
      '1:2:3:4:5:6:1.2.3.4',
      '::',
      'A::b',
    ],
    invalid: [
      '::ffff:01.2.3.4',
      '1::2::3',
      'fe80::1%eth0',
      '12345::',
      '00001::',
      '::1:2:3:4:5:6:7:8',
      ':::',
      ':',
      '1:2:3:4:5:6:7:1.2.3.4',
      '::1:',
    ],
  },
  cidr: {
    valid: [
      '1.2.3.4/8',
      '01.2.3.4/08',
      '::/0',
      '::1/128',
      '::ffff:1.2.3.4/100',
      '::ffff:1.2.3.4/24',
      '1.2.3.4/0000000000000008',
      '0001::/3',
      '00001::/3',
      '::ffff:1.2.3.04/8',
    ],
    invalid: [
      '::1/129',
      '1.2.3.4/33',
      '1.2.3.4/',
      '/8',
      '1.2.3.4/+8',
      '1.2.3.4/8/8',
      '1.2.3.4/16777215',
      '1.2.3.4/0x8',
      'fe80::1%e/8',
    ],
  },
  mac: {
    valid: [
      '01:23:45:67:89:ab',
      '01-23-45-67-89-AB',
      '0123.4567.89ab',
      '01:23:45:67:89:ab:cd:ef',
      '0123.4567.89ab.cdef',
      '00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01',
      '0000.0000.fe80.0000.0000.0000.0200.5e10.0000.0001',
    ],
    invalid: ['01:23:45:67:89-ab'],
  },
  uuid: {
    valid: [
      '550e8400-e29b-41d4-a716-446655440000',
      '550e8400e29b41d4a716446655440000',
      '550E8400-E29B-41D4-A716-446655440000',
    ],
    invalid: [],
  },
  uuid3: {
    valid: ['550e8400-e29b-31d4-a716-446655440000', '550e8400e29b31d4f716446655440000'],
    invalid: [],
  },
  uuid4: {
    valid: ['550e8400-e29b-41d4-a716-446655440000'],
    invalid: ['550e8400e29b41d4c716446655440000'],
  },
  uuid5: {
    valid: ['550e8400-e29b-51d4-a716-446655440000'],
    invalid: ['550e8400e29b51d4c716446655440000'],
  },
  isbn: {
    valid: [
      '3836221195',
      '1-61729-085-8',
      '3 401 01319 X',
      '9784873113685',
      '978-4-87311-368-5',
      '978 3401013190',
      '3 401\t01319\nX',
      '--3836221195',
    ],
    invalid: ['\u00a03836221195', '3401-01319x'],
  },
  creditcard: {
    valid: [
      '4220855426222389',
      '4220 8554 2622 2389',
      '5139288802098206',
      '374953669708156',
      '6011464355444102',
      '3548209662790989',
      '4222222222222',
      'a4220855426222389b',
    ],
    invalid: ['30190239451016', '6250941006528599', '2223003122003222'],
  },
  ssn: {
    valid: ['123-45-6789', '123 45 6789'],
    invalid: ['123456789', '123-456789', '123--45-6789'],
  },
  hexcolor: {
    valid: ['#fff', 'fff', '#FFFFFF', 'FFFFFF'],
    invalid: ['#ffff', '##fff'],
  },
  rgbcolor: {
    valid: ['rgb(0,31,255)', 'rgb(0,  31, 255)', 'rgb( 1 , 2\t,\n3 )', 'rgb(199,1,1)'],
    invalid: [
      'rgb(01,2,3)',
      'rgb(256,1,1)',
      'rgb(1,2,3) ',
      'RGB(1,2,3)',
      'rgb (1,2,3)',
      'rgb(\u00a01,2,3)',
      'rgb(\u000b1,2,3)',
    ],
  },
  byte: {
    valid: ['YQ==', 'YWI=', 'YWJj'],
    invalid: ['', 'YQ=', 'Y===', '====', 'YWJj\n', 'YW Jj', '_-==', 'YWJjYQ==YQ=='],
  },
  password: {
    valid: ['', 'x', '\n'],
    invalid: [],
  },
  date: {
    valid: ['2006-01-02', '2000-02-29', '0000-01-01'],
    invalid: [
      '1900-02-29',
      '2006-1-2',
      '2006-13-01',
      '2006-00-01',
      '2006-01-00',
      '2006-04-31',
      '+006-01-02',
      '20060102',
      '2006-01-02 ',
      '٢٠٠٦-01-02',
      '2006-02-30',
    ],
  },
  duration: {
    valid: [
      '1h',
      '1d12h',
      '1.5d',
      'PT5M',
      '2 weeks',
      '1w',
      '3 hr',
      'P1D',
      '-1s',
      '+1h',
      '.5s',
      '0',
      'x1s',
      '1 s',
      '5µs',
      '5μs',
      '5 µs',
      '9223372036854775807ns',
      '0000000000000000000000001s',
      '1 day 2 hours',
      '1 year 2d',
      '1minutes',
      '1 sect',
      '1NS',
      '1 MS',
      '-9223372036854775808ns',
      '1.s',
      '1d-2h',
      '1s1x',
    ],
    invalid: [
      '3hrs',
      '1',
      '',
      '1e',
      '1\u00a0s',
      '9223372036854775808s',
      '9223372036854775808ns',
      '1mo',
      '1y',
      '99999999999999999999x 1s',
      '-.s',
    ],
  },
  'date-time': {
    valid: [
      '2006-01-02T15:04:05Z',
      '2006-01-02t15:04:05z',
      '2006-01-02T15:04:05.000+01:00',
      '2006-01-02T15:04:05x123Z',
      '2006-01-02T15:04:05ZTrash',
      '2006-01-02T15:04:05+99:99',
      '2006-01-02T15:04:05\r1Z',
      '2006-01-02T15:04:05😀1Z',
      '2006-01-02T15:04:05İ1Z',
    ],
    invalid: [
      '2006-01-02 15:04:05Z',
      '2006-01-02T24:00:00Z',
      '2006-01-02T23:60:00Z',
      '2006-01-02T23:59:60Z',
      '2006-01-02T15:04:05',
      '2006-01-02T15:04:05+0100',
      '2006-01-02T15:04:05.Z',
      '2006-01-02T15:04:05\n1Z',
      'T',
      '2006-01-02T',
      '2006-01-02T15:04:05Z ',
    ],
  },
  'k8s-short-name': {
    valid: ['a', 'a-b', 'a'.repeat(63)],
    invalid: ['A', 'a.b', '-a', 'a-', '', 'a'.repeat(64)],
  },
  'k8s-long-name': {
    valid: [
      'a',
      'a.b',
      'a-b.c',
      'a'.repeat(253),
      'ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.a',
    ],
    invalid: ['a..b', 'a.', 'A.b', '', 'a'.repeat(254)],
  },
  isbn10: {
    valid: ['3836221195', '1-61729-085-8', '3 401 01319 X', '3 401\t01319\nX', '--3836221195'],
    invalid: ['9784873113685', '978-4-87311-368-5', '978 3401013190', '\u00a03836221195', '3401-01319x'],
  },
  isbn13: {
    valid: ['9784873113685', '978-4-87311-368-5', '978 3401013190'],
    invalid: [
      '3836221195',
      '1-61729-085-8',
      '3 401 01319 X',
      '3 401\t01319\nX',
      '\u00a03836221195',
      '--3836221195',
      '3401-01319x',
    ],
  },
}

describe('formats of texts in schemas', () => {
  for (const [format, { valid, invalid }] of Object.entries(cases))
    it(`${format} accepts what the stock server accepts`, () => {
      assert(isKnownFormat('string', format) && isKnownFormat('', format))
      for (const text of valid) assert(hasFormat(format, text), `${JSON.stringify(text)} is refused`)
      for (const text of invalid) assert(!hasFormat(format, text), `${JSON.stringify(text)} is taken`)
    })

  it('restrict values of their own type alone', () => {
    const pairs = [
      ['integer', 'int32', true],
      ['integer', 'double', false],
      ['number', 'float', true],
      ['number', 'int32', false],
      ['string', 'int32', false],
      ['', 'int32', false],
      ['boolean', 'uuid', false],
      ['string', 'u-u-i-d', true],
      ['string', 'UUID', false],
      ['string', '__proto__', false],
      ['__proto__', 'int32', false],
    ] as const
    for (const [type, format, isKnown] of pairs) assert.equal(isKnownFormat(type, format), isKnown, `${type} ${format}`)
  })

  it('make durations of days and weeks in rules', () => {
    const hours = (text: string): unknown => {
      const value = toValue(types.duration, text)
      return value instanceof Duration ? value.nanos / 3_600_000_000_000n : value
    }
    assert.deepEqual(['1d12h', '1.5d', '2 weeks', '90m', 'P1D'].map(hours), [36n, 120n, 336n, 1n, 24n])
    assert.throws(() => hours('soon'), { message: 'Invalid duration soon: unable to parse soon as duration' })
  })

  it('are read in some milliseconds however long the text is', () => {
    const long = 'a@'.repeat(500_000)
    for (const format of Object.keys(cases)) {
      const startedAt = performance.now()
      hasFormat(format, long)
      hasFormat(format, '1s'.repeat(500_000))
      hasFormat(format, '('.repeat(1_000_000))
      const ms = performance.now() - startedAt
      assert(ms < 500, `${format}: ${ms} ms`)
    }
  })
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import * as object from '../../../lib/object/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const quantities: readonly [text: string, printed: string][] = [
  ['0', '0'],
  ['007', '007'],
  ['250m', '250m'],
  ['1000m', '1'],
  ['1.5', '1500m'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['3000Mi', '3000Mi'],
  ['8Ki', '8Ki'],
  ['100000', '100k'],
  ['12e6', '12e6'],
  ['0.0000000001', '1n'],
  ['1e-30', '1e-9'],
  ['9Ei', '9223372036854775807'],
  ['-1.5Gi', '-1536Mi'],
  ['.', '0'],
  ['-', '0'],
  ['Ti', '0'],
  ['1e2147483647', '10e2147483646'],
  ['1e-2147483648', '1e-9'],
  ['1e0000000000000000000000003', '1e0000000000000000000000003'],
  ['0e2147483647', '0'],
]

/** Sums, differences and values rounded up to thousandths, as the stock server has them. */
const sums: readonly (readonly [left: string, right: string, sum: string, difference: string])[] = [
  ['1Gi', '1G', '2073741824', '73741824'],
  ['1Gi', '512Mi', '1536Mi', '512Mi'],
  ['0', '1Ki', '1Ki', '-1Ki'],
  ['0', '1e3', '1e3', '-1e3'],
  ['1e3', '1Ki', '2024', '-24'],
  ['1Ki', '1e3', '2024', '24'],
  ['1Ki', '1m', '1024001m', '1023999m'],
  ['9223372036854775807', '1', '9223372036854775808', '9223372036854775806'],
  ['7Ei', '7Ei', '14Ei', '0'],
  ['100m', '-100m', '0', '200m'],
  ['1n', '1E', '1000000000000000000000000001n', '-999999999999999999999999999n'],
]
const milli: readonly (readonly [text: string, rounded: string])[] = [
  ['1n', '1m'],
  ['1u', '1m'],
  ['1001u', '2m'],
  ['1Ki', '1Ki'],
  ['1.0001', '1001m'],
  ['1e-9', '1e-3'],
  ['123456789n', '124m'],
]

const canonical = {
  quantity: object.canonicalQuantity,
  time: object.canonicalTime,
  microTime: object.canonicalMicroTime,
  duration: object.canonicalDuration,
  labelSelector: (text: string): string => object.parseLabelSelector(text).toString(),
  fieldSelector: (text: string): string => object.parseFieldSelector(text).toString(),
}

const accepted: readonly [keyof typeof canonical, text: string, printed: string][] = [
  ['time', '2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
  ['time', '2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00Z'],
  ['time', '2024-03-01T00:30:00.999999999-00:30', '2024-03-01T01:00:00Z'],
  ['time', '0001-01-01T00:00:00Z', object.zeroTime],
  ['microTime', '2024-03-01T00:30:00.000001+01:00', '2024-02-29T23:30:00.000001Z'],
  ['duration', '1m90s', '2m30s'],
  ['duration', '-1.5h', '-1h30m0s'],
  ['duration', '1.0000001s', '1.0000001s'],
  ['duration', '0000000000000000000000000000001s', '1s'],
  ['duration', '0.99999999999999999999999999s', '1s'],
  ['duration', '-9223372036854775808ns', '-2562047h47m16.854775808s'],
  ['labelSelector', 'b notin (y,x),a', 'a,b notin (x,y)'],
  ['labelSelector', 'in in (in,notin)', 'in in (in,notin)'],
  ['labelSelector', 'a in (b,)', 'a in (,b)'],
  ['fieldSelector', 'a!=b\\,c,,d==e', 'a!=b\\,c,d=e'],
  ['fieldSelector', '=,a=b,!=', 'a=b'],
]

const refused: readonly [keyof typeof canonical, text: string, error: string][] = [
  ['quantity', '', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ['quantity', '1e', "unable to parse quantity's suffix"],
  ['quantity', '1ki', "unable to parse quantity's suffix"],
  ['quantity', '2E6024865272343', "unable to parse quantity's suffix"],
  ['quantity', '1e2147483648', "unable to parse quantity's suffix"],
  ['quantity', '1e-2147483649', "unable to parse quantity's suffix"],
  ['quantity', '1e4294967299', "unable to parse quantity's suffix"],
  ['quantity', '1000e2147483646', "unable to parse quantity's suffix"],
  ['quantity', 'Ei', 'unable to parse numeric part of quantity'],
  ['quantity', '.e-10', 'unable to parse numeric part of quantity'],
  ['duration', '9223372036854775809ns', 'time: invalid duration "9223372036854775809ns"'],
  ['duration', '99999999999999999999', 'time: invalid duration "99999999999999999999"'],
  ['time', '2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
  ['time', '2023-13-01T00:00:00Z', 'parsing time "2023-13-01T00:00:00Z": month out of range'],
  ['time', '2023-01-01T00:00:00Zx', 'parsing time "2023-01-01T00:00:00Zx": extra text: "x"'],
  ['duration', '1', 'time: missing unit in duration "1"'],
  ['duration', '.s', 'time: invalid duration ".s"'],
  ['duration', '9999999h', 'time: invalid duration "9999999h"'],
  ['labelSelector', '!a=b', "found '=', expected: ',' or 'end of string'"],
  ['labelSelector', 'a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['labelSelector', 'a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
  ['labelSelector', 'a=(', "unable to parse requirement: found '(', expected: identifier"],
  ['labelSelector', '=a', "found '=', expected: !, identifier, or 'end of string'"],
  ['fieldSelector', 'a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
  ['fieldSelector', 'a=b\\', 'invalid field selector: invalid escape sequence: \\'],
]

describe('values of objects', () => {
  it('a quantity keeps canonical text and rewrites the rest', () => {
    for (const [text, printed] of quantities) assert.equal(object.canonicalQuantity(text), printed, text)
  })
  it('texts that are accepted print canonically, and their print is a fixed point', () => {
    for (const [type, text, printed] of accepted) {
      assert.equal(canonical[type](text), printed, text)
      assert.equal(canonical[type](printed), printed, printed)
    }
  })
  it('refused texts are reported with a reason', () => {
    for (const [type, text, message] of refused) assert.throws(() => canonical[type](text), { message }, text)
  })
})

describe('counts and percentages', () => {
  it('are scaled as far as 64 bits go, and refused beyond', () => {
    const cases = [
      ['10%', 1, 1],
      ['5%', 1, 0],
      ['-15%', -1, -2],
      ['00000000000000000000000005%', 1, 0],
      ['9999999999%', 1_000_000_000, 999_999_999],
    ] as const
    for (const [text, up, down] of cases) {
      assert.equal(object.scaledIntOrPercent(text, 10, 'up'), up, text)
      assert.equal(object.scaledIntOrPercent(text, 10, 'down'), down, text)
    }
    const atoi = (text: string, why: string): string =>
      `invalid value for IntOrString: invalid value "${text}%": strconv.Atoi: parsing "${text}": ${why}`
    for (const [text, message] of [
      ['5', 'invalid value for IntOrString: invalid type: string is not a percentage'],
      ['µ%', atoi('µ', 'invalid syntax')],
      ['1.5%', atoi('1.5', 'invalid syntax')],
      ['9223372036854775808%', atoi('9223372036854775808', 'value out of range')],
    ] as const)
      assert.throws(() => object.scaledIntOrPercent(text, 10, 'up'), { message })
    assert.ok((object.percentOf('99999999999999999999%') ?? 0) > 100)
  })
})

describe('quantities', () => {
  const text = fc
    .tuple(fc.integer({ min: -99999, max: 999999999 }), fc.constantFrom('', 'n', 'm', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3'))
    .map(([count, suffix]) => `${count}${suffix}`)

  it('the canonical text is of equal value and is its own canonical text', () => {
    fc.assert(
      fc.property(text, (one) => {
        const printed = object.canonicalQuantity(one)
        assert.equal(object.compareQuantities(one, printed), 0)
        assert.equal(object.canonicalQuantity(printed), printed)
      }),
    )
  })
  it('an amount that is added and subtracted again leaves the value', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const back = object.subtractQuantities(object.addQuantities(one, other), other)
        assert.equal(object.compareQuantities(back, one), 0)
      }),
    )
  })
  it('a comparison is by value across families', () => {
    const amounts = fc.tuple(
      fc.nat(2 ** 31 - 1),
      fc.constantFrom('', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'e3'),
    )
    fc.assert(
      fc.property(amounts, amounts, fc.constantFrom('', '-'), ([one, oneSuffix], [two, twoSuffix], sign) => {
        const [left, right] = [`${sign}${one}${oneSuffix}`, `${two}${twoSuffix}`]
        const exact = object.quantityMilliValue(left) - object.quantityMilliValue(right)
        assert.equal(Math.sign(object.compareQuantities(left, right)), exact === 0n ? 0 : exact < 0n ? -1 : 1)
      }),
    )
    for (const text of ['', '1 ', '1Kx', '1.5.', '--1'])
      assert.throws(() => object.compareQuantities(text, '1'), /quantities must match|unable to parse/)
    assert.ok(object.compareQuantities('1Gi', '1G') > 0)
    assert.equal(object.compareQuantities('1024Mi', '1Gi'), 0)
    assert.ok(object.compareQuantities('-1', '1m') < 0)
  })
  it('sums, differences and rounding are those of the stock server', () => {
    for (const [left, right, sum, difference] of sums) {
      assert.equal(object.addQuantities(left, right), sum, `${left} + ${right}`)
      assert.equal(object.subtractQuantities(left, right), difference, `${left} - ${right}`)
    }
    for (const [text, rounded] of milli) assert.equal(object.roundUpToMilli(text), rounded, text)
  })
  it('an absurd exponent costs no more than a real one', () => {
    assert.ok(object.compareQuantities('1e999999999', '1E') > 0)
    assert.ok(object.quantityValue('1e-999999999') === 1n)
    assert.throws(() => object.parseQuantity('9'.repeat(object.quantityCharactersMax + 1)))
  })
})

describe('ages', () => {
  const second = 1000
  const minute = 60 * second
  const hour = 60 * minute
  const day = 24 * hour
  const cases: readonly [ms: number, text: string][] = [
    [-5 * second, '<invalid>'],
    [-500, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 5 * second, '9m5s'],
    [10 * minute + 5 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour + minute, '3h1m'],
    [8 * hour + minute, '8h'],
    [47 * hour, '47h'],
    [2 * day + hour, '2d1h'],
    [8 * day + hour, '8d'],
    [729 * day, '729d'],
    [2 * 365 * day + day, '2y1d'],
    [8 * 365 * day + day, '8y'],
  ]
  it('print in the most informative unit', () => {
    for (const [ms, text] of cases) assert.equal(object.humanDuration(ms), text)
  })
  it('formatMicroTime keeps microseconds, formatTime cuts to seconds', () => {
    assert.equal(object.formatMicroTime(1_700_000_000_123.456), '2023-11-14T22:13:20.123456Z')
    assert.equal(object.formatTime(1_700_000_000_999), '2023-11-14T22:13:20Z')
    assert.equal(object.parseTime('2023-11-14T22:13:20.5Z'), 1_700_000_000_500)
  })
})

describe('label selectors', () => {
  const cases: readonly [selector: string, labels: Record<string, string> | undefined, matches: boolean][] = [
    ['', undefined, true],
    ['a', { a: '' }, true],
    ['a', undefined, false],
    ['!a', undefined, true],
    ['a=b', { a: 'b' }, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b,c)', { a: 'c' }, true],
    ['a notin (b,c)', {}, true],
    ['a notin (b,c)', { a: 'b' }, false],
    ['a in ()', { a: '' }, true],
    ['a in ()', {}, false],
    ['a notin ()', { a: '' }, false],
    ['a>5', { a: '10' }, true],
    ['a>5', { a: 'x' }, false],
    ['a<5', {}, false],
    ['a=b,c', { a: 'b' }, false],
    ['toString', {}, false],
    ['!constructor', {}, true],
  ]
  it('match by every requirement', () => {
    for (const [selector, labels, matches] of cases) {
      assert.equal(
        object.parseLabelSelector(selector).matches(labels),
        matches,
        `${selector} ${JSON.stringify(labels)}`,
      )
    }
  })
  it('a selector from an object: an absent one selects nothing, an empty one everything', () => {
    assert.equal(object.labelSelectorFromObject(undefined).matches({}), false)
    assert.equal(object.labelSelectorFromObject({}).matches({}), true)
    const selector = {
      matchLabels: { b: '1' },
      matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['y', 'x'] }],
    }
    assert.equal(object.formatLabelSelector(selector), 'a notin (x,y),b=1')
    assert.equal(object.formatLabelSelector(undefined), '<none>')
    assert.equal(object.formatLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Bad' }] }), '<error>')
  })
  it('a selector beyond its bounds is refused', () => {
    assert.throws(() => object.parseLabelSelector('a'.repeat(object.selectorCharactersMax + 1)), /no more than/)
    assert.throws(() => object.parseLabelSelector('a,'.repeat(object.selectorRequirementsMax) + 'a'), /at most/)
    assert.throws(() => object.parseFieldSelector('a=b,'.repeat(object.fieldSelectorTermsMax + 1)), /at most/)
  })
})

describe('field selectors', () => {
  it('match by equality, a missing field is the empty value', () => {
    const selector = object.parseFieldSelector('spec.nodeName!=a,status.phase=')
    assert.equal(selector.matches({ 'spec.nodeName': 'b' }), true)
    assert.equal(selector.matches({ 'spec.nodeName': 'a' }), false)
    assert.equal(selector.exactMatch('status.phase'), '')
    assert.equal(selector.exactMatch('spec.nodeName'), undefined)
  })
  it('names are transformed, and dropped where the transform answers undefined', () => {
    const selector = object.transformFieldSelector(object.parseFieldSelector('name=a,x=y'), (field, value) =>
      field === 'x' ? undefined : { field: `metadata.${field}`, value },
    )
    assert.equal(selector.toString(), 'metadata.name=a')
  })
})

describe('addresses', () => {
  const cases: readonly [validate: object.Validator, value: string, findings: number][] = [
    [object.validateIp, '10.9.8.7', 0],
    [object.validateIp, '010.9.8.7', 1],
    [object.validateLegacyIp, '010.9.8.7', 0],
    [object.validateIp, '::ffff:1.2.3.4', 1],
    [object.validateIp, '2001:db8::ffff', 0],
    [object.validateIp, 'fe80::1%eth0', 1],
    [object.validateCidr, '10.9.8.0/24', 0],
    [object.validateCidr, '10.9.8.1/24', 1],
    [object.validateLegacyCidr, '10.9.8.1/24', 0],
    [object.validateCidr, '10.9.8.0/024', 1],
    [object.validateCidr, '10.9.8.0/33', 1],
    [object.validateCidr, '2001:db8::/64', 0],
    [object.validateCidr, '2001:db8::1/64', 1],
    [object.validateCidr, '::/0', 0],
  ]
  it('are judged by family, zeros and prefix', () => {
    for (const [validate, value, findings] of cases) assert.equal(validate(value).length, findings, value)
  })
})

describe('other names', () => {
  const cases: readonly [validate: object.Validator, value: string, findings: string[]][] = [
    [object.validatePathSegmentName, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
    [object.validatePathSegmentName, '..', ["may not be '..'"]],
    [object.validatePathSegmentPrefix, '..', []],
    [object.validateFullyQualifiedName, 'a.b', ['should be a domain with at least three segments separated by dots']],
    [object.validateSignerName, 'example.com/signer', []],
    [
      object.validateSignerName,
      'example.com',
      ["must be a fully qualified domain and path of the form 'example.com/signer-name'"],
    ],
    [object.validateSignerName, 'com/x', ['should be a domain with at least two segments separated by dots']],
    [object.validateDns1123Label, 'a\n', [...object.validateDns1123Label('\n')]],
    [object.validateDomainPrefixedPath, 'acme.io/foo', []],
  ]
  it('report the texts that clients know', () => {
    for (const [validate, value, findings] of cases) assert.deepEqual(validate(value), findings, value)
  })
  it('a long hostile name is checked in no time', () => {
    const start = threadCpuMs()
    object.validateQualifiedName(`${'a-'.repeat(200_000)}/${'a.'.repeat(200_000)}_`)
    object.validateDns1123Subdomain('a'.repeat(500_000) + '_')
    assert.ok(threadCpuMs() - start < 10_000)
  })
})

describe('equality', () => {
  it('keys have no order, absent equals undefined', () => {
    assert.ok(object.deepEqual({ a: 1, b: [{ c: 2 }], d: undefined }, { b: [{ c: 2 }], a: 1 }))
    assert.ok(!object.deepEqual({ a: [] }, {}))
    assert.ok(!object.deepEqual({ a: 1 }, { a: '1' }))
    assert.ok(!object.deepEqual([1, 2], [2, 1]))
    assert.ok(!object.deepEqual({}, []))
    assert.ok(object.deepEqual(5n, 5))
  })
  it('semantically, an empty list is as good as absent, an empty object is not', () => {
    assert.ok(object.semanticEqual({ a: [], c: null }, {}))
    assert.ok(!object.semanticEqual({ a: {} }, {}))
    assert.ok(!object.semanticEqual({ a: [''] }, {}))
    assert.ok(!object.semanticEqual({ a: 0 }, {}))
  })
})

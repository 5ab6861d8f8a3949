import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import * as object from '../../../lib/object/index.ts'
import { assertRecorded } from '../../support/recorded.ts'

// Vectors read off a stock server; they live beside the repository and only some checkouts have them.
const file = new URL('../../../../shared/facts/vectors.jsonl', import.meta.url)

interface Vector {
  t: string
  in: string
  out?: string
  err?: string | string[] | null
  value?: string
  milli?: string
  roundUpMilli?: string
  plus1?: string
  ns?: string
  reqs?: string[]
}

const validators: Record<string, object.Validator> = {
  dns1123Label: object.validateDns1123Label,
  dns1123Subdomain: object.validateDns1123Subdomain,
  dns1035Label: object.validateDns1035Label,
  qualifiedName: object.validateQualifiedName,
  labelValue: object.validateLabelValue,
  envVarName: object.validateEnvName,
  relaxedEnvVarName: object.validateRelaxedEnvName,
  configMapKey: object.validateConfigKey,
  portName: object.validatePortName,
  percent: object.validatePercent,
  httpHeaderName: object.validateHttpHeaderName,
  cIdentifier: object.validateCIdentifier,
  wildcardSubdomain: object.validateWildcardSubdomain,
}

const scalars: Record<string, (text: string) => string> = {
  quantity: object.canonicalQuantity,
  labelSelector: (text) => object.parseLabelSelector(text).toString(),
  fieldSelector: (text) => object.parseFieldSelector(text).toString(),
  duration: object.canonicalDuration,
  time: object.canonicalTime,
  microtime: object.canonicalMicroTime,
}

/** Texts to try, of every length and shape that a validator distinguishes. */
const names: readonly string[] = [
  '',
  ' a',
  'a b',
  'a\nb',
  'a\u0000',
  ...'a A Ab 1 1a a1 - -a a- a-b a--b a.b a..b .a a. . .. ..a _ _a a_b a/b /a a/ a/b/c a.b/C_d A.b/c é'.split(' '),
  ...'% 10% -1% 1.5% * *. *.a *.a.b a.* *a = a=b a,b a:b $(a) 😀 X-Header x_y.z-1'.split(' '),
  ...[15, 16, 63, 64, 253, 254].map((length) => 'a'.repeat(length)),
  ...[63, 64].map((length) => `x/${'a'.repeat(length)}`),
]
const figures = ['0', '00', '1', '-1', '+1', '.5', '5.', '0.5', '1.5', '1000', '1024', '0.0001', '123456789.123456789']
const suffixes = [
  '',
  'n',
  'u',
  'm',
  'k',
  'K',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
  'e3',
  'E-3',
  'e',
  'x',
  'mi',
]
const clocks = [
  '2031-02-03T04:05:06',
  '2031-02-03t04:05:06',
  '2031-13-03T04:05:06',
  '2031-02-30T04:05:06',
  '0001-01-01T00:00:00',
  '2031-02-03 04:05:06',
  '2031-02-03',
]
const fractions = ['', '.1', '.123456', '.123456789', '.', ',5']
const zones = ['Z', 'z', '+00:00', '+05:30', '-23:59', '+24:00', '', 'UTC']
const moments = clocks.flatMap((clock) => fractions.flatMap((part) => zones.map((zone) => `${clock}${part}${zone}`)))
const operands = [
  '',
  'a',
  '!a',
  'a=b',
  'a==b',
  'a!=b',
  'a=',
  '=b',
  'a,b',
  'a=b,c!=d',
  'a=b,',
  ',',
  'a=b=c',
  'a\\,b=c',
  'a=b\\=c',
  'a=\\x',
]
const sets = [
  'a in (b)',
  'a in (c,b,c)',
  'a in ()',
  'a in (,b)',
  'a notin (b)',
  'a notin (b, c)',
  'a in b',
  'a in (b',
  'a gt 1',
  'a>1',
  'a<1',
  'a>b',
  '!a,b in (c)',
  'in',
  'notin in (in)',
  'x/y=z',
  'a b',
  'a= b',
  ' a = b ',
]

/** The texts of this project, for each scalar. */
const texts: Readonly<Record<string, readonly string[]>> = {
  quantity: figures.flatMap((figure) => suffixes.map((suffix) => `${figure}${suffix}`)),
  labelSelector: [...operands, ...sets],
  fieldSelector: [...operands, ...sets],
  duration: [
    '',
    '0',
    '0s',
    '1s',
    '1.5h',
    '-1m',
    '+1m',
    '1h1m1s',
    '1ms',
    '1us',
    '1µs',
    '1ns',
    '.5s',
    '1',
    's',
    '1d',
    '1h-1m',
    '9223372036s',
    '9223372037s',
    '1.s',
    '1e3s',
  ],
  time: moments,
  microtime: moments,
}

/** The result, or the error's message. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

describe('values are those that are recorded @recorded', () => {
  it('findings', () => {
    const entries = Object.entries(validators).flatMap(([type, validate]) =>
      names.map((text) => [`${type} ${JSON.stringify(text)}`, validate(text)] as const),
    )
    assertRecorded('findings', entries)
  })

  it('canonical forms, and what is read in them', () => {
    const readers: Record<string, Record<string, (text: string) => unknown>> = {
      quantity: {
        up: object.roundUpToMilli,
        plus: (text) => object.addQuantities(text, '1'),
        value: (text) => String(object.quantityValue(text)),
        milli: (text) => String(object.quantityMilliValue(text)),
      },
      labelSelector: { read: (text) => object.parseLabelSelector(text).requirements },
      fieldSelector: { read: (text) => object.parseFieldSelector(text).requirements },
      duration: { ns: (text) => String(object.parseDuration(text)) },
    }
    const entries = Object.entries(scalars).flatMap(([type, canonical]) =>
      (texts[type] ?? []).map((text) => {
        const more = Object.values(readers[type] ?? {}).map((read) => outcomeOf(() => read(text)))
        return [`${type} ${JSON.stringify(text)}`, [outcomeOf(() => canonical(text)), ...more]] as const
      }),
    )
    assertRecorded('scalars', entries)
  })
})

// Its vectors are beside some checkouts only.
if (existsSync(file))
  describe('values agree with the vectors of a stock server @recorded', () => {
    const vectors = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Vector)

    for (const [type, validate] of Object.entries(validators)) {
      it(`findings of ${type}`, () => {
        const own = vectors.filter((vector) => vector.t === type)
        assert.ok(own.length > 0)
        for (const vector of own) {
          const text = vector.in.replace(/^<(\d+)xa>$/, (_, count: string) => 'a'.repeat(Number(count)))
          assert.deepEqual(validate(text), vector.err ?? [], vector.in)
        }
      })
    }

    for (const [type, canonical] of Object.entries(scalars)) {
      it(`canonical ${type}`, () => {
        const own = vectors.filter((vector) => vector.t === type)
        assert.ok(own.length > 0)
        for (const vector of own) checkScalar(vector, canonical)
      })
    }

    it('arithmetic of quantities', () => {
      for (const vector of vectors.filter(({ t, err }) => t === 'quantity' && err === undefined)) {
        assert.equal(object.roundUpToMilli(vector.in), vector.roundUpMilli, vector.in)
        assert.equal(object.addQuantities(vector.in, '1'), vector.plus1, vector.in)
        // The stock server's 64-bit results wrap, and are 0 where a decimal suffix overflows; ours are exact.
        const value = object.quantityValue(vector.in)
        if (value < 2n ** 63n) assert.equal(String(value), vector.value, vector.in)
        const milli = object.quantityMilliValue(vector.in)
        if (milli < 2n ** 63n) assert.equal(String(milli), vector.milli, vector.in)
      }
    })

    it('requirements of selectors', () => {
      for (const vector of vectors) {
        if (vector.reqs === undefined) continue
        const found =
          vector.t === 'labelSelector'
            ? object.parseLabelSelector(vector.in).requirements.map((one) => `${one.operator}|${one.key}|${one.values}`)
            : object
                .parseFieldSelector(vector.in)
                .requirements.map((one) => `${one.operator}|${one.field}|${one.value}`)
        assert.deepEqual(found.sort(), vector.reqs.toSorted(), vector.in)
      }
    })

    it('nanoseconds of durations', () => {
      for (const vector of vectors) {
        if (vector.ns !== undefined) assert.equal(String(object.parseDuration(JSON.parse(vector.in))), vector.ns)
      }
    })
  })

function checkScalar(vector: Vector, canonical: (text: string) => string): void {
  const isJson = ['duration', 'time', 'microtime'].includes(vector.t)
  const input: unknown = isJson ? JSON.parse(vector.in) : vector.in
  // Numbers and null are the codec's to judge.
  if (typeof input !== 'string') return
  if (typeof vector.err === 'string') {
    assert.throws(() => canonical(input), { message: vector.err }, vector.in)
    return
  }
  assert.equal(canonical(input), isJson ? JSON.parse(vector.out ?? '') : vector.out, vector.in)
}

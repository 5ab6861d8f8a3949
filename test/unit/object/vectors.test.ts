import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import * as object from '../../../lib/object/index.ts'

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

describe('values agree with the vectors of a stock server', function () {
  if (!existsSync(file)) {
    it.skip('the vectors are not here')
    return
  }
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
          : object.parseFieldSelector(vector.in).requirements.map((one) => `${one.operator}|${one.field}|${one.value}`)
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

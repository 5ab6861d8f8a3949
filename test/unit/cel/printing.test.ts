import assert from 'node:assert/strict'
import { compile, createEnvironment, fromValue, kubernetesLibraries, types } from '../../../lib/cel/index.ts'

const environment = createEnvironment({ variables: { s: types.string }, libraries: kubernetesLibraries() })

function result(expression: string, s = ''): unknown {
  const compiled = compile(environment, expression)
  assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
  const outcome = compiled.program.evaluate({ s })
  return outcome.ok ? fromValue(outcome.value) : `failed: ${outcome.error.message}`
}

const values: readonly (readonly [expression: string, wanted: unknown])[] = [
  // Doubles print with the fewest digits, with an exponent from a million on.
  ['string(123456789.0)', '1.23456789e+08'],
  ['string(999999.0) + string(1e6) + string(1e-4) + string(1e-5)', '9999991e+060.00011e-05'],
  ["double('0x1p-2') == 0.25 && double('1_0') == 10.0", true],
  // Timestamps keep the offset that they were written with, but are read in UTC.
  ["string(timestamp('2024-01-01T01:04:05+02:00'))", '2024-01-01T01:04:05+02:00'],
  ["string(timestamp('2024-01-01T01:04:05.100200300-11:30') + duration('1h'))", '2024-01-01T02:04:05.1002003-11:30'],
  ["string(timestamp('2024-01-01T01:04:05-00:00'))", '2024-01-01T01:04:05Z'],
  ["timestamp('2024-01-01T01:04:05+02:00').getHours()", 23],
  ["timestamp('2024-01-01T01:04:05+02:00') == timestamp('2023-12-31T23:04:05Z')", true],
  // Parts of a duration are the whole of it in their unit.
  ["[duration('1.5s'), duration('-1.5s'), duration('1h1m1.001s')].map(d, d.getMilliseconds())", [1500, -1500, 3661001]],
  ["timestamp('2024-03-01T01:04:05Z').getHours('+2:30')", 3],
  ["timestamp('2024-03-01T01:04:05Z').getHours('Local')", 1],
  // A quantity is an integer by how it is written.
  ["['1000m', '1.0', '1000000u', '1.5', '8Ei', '1Pi'].exists(q, quantity(q).isInteger())", false],
  [
    "['0', '1000', '1e3', '1k', '10E', '1Ki', '-5Gi'].map(q, quantity(q).isInteger())",
    [true, true, true, true, false, true, true],
  ],
  // Places behind the end find nothing, and nothing is found right behind a match.
  ["'tacocat'.indexOf('a', 30) == -1 && 'tacocat'.lastIndexOf('x', 9) == -1 && ''.split('', 1) == []", true],
  ["'tacocat'.indexOf('', 30) == 7 && 'tacocat'.lastIndexOf('', 9) == 7 && 'taco'.lastIndexOf('', 2) == 2", true],
  ["'xbcx'.findAll('x*')", ['x', '', 'x']],
  ["quantity('50k').add(20).asInteger() == 50020 && sign(quantity('-5')) == -1", true],
]

const failures: readonly (readonly [expression: string, text: string, why: string])[] = [
  ['duration(s)', '1d', "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ['timestamp(s)', '2024-01-01t00:00:00Z', "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ['timestamp(s)', '2024-01-01T00:00:00+24:00', "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ['duration(s) + duration(s)', '9223372036s', 'integer overflow'],
  ['int(s)', '9223372036854775808', "type conversion error from 'string' to 'int'"],
  ['uint(s)', '+1', "type conversion error from 'string' to 'uint'"],
  ['double(s)', '1e400', "type conversion error from 'string' to 'double'"],
  ['quantity(s).asInteger()', '1000m', 'cannot convert value to integer'],
  ["timestamp('2024-03-01T01:04:05Z').getHours(s)", 'utc', 'unknown time zone utc'],
  ["timestamp('2024-03-01T01:04:05Z').getHours(s)", '+0230', 'unknown time zone +0230'],
  ["timestamp('2024-03-01T01:04:05Z').getHours(s)", '+25:00', 'timezone offset hours out of range [-23, 23]: +25:00'],
  ["timestamp('2024-03-01T01:04:05Z').getHours(s)", 'a:b', 'strconv.Atoi: parsing "a": invalid syntax'],
]

describe('cel conversions', () => {
  for (const [expression, wanted] of values) {
    it(`${expression} is ${JSON.stringify(wanted)}`, () => assert.deepEqual(result(expression), wanted))
  }
  for (const [expression, text, why] of failures) {
    it(`${expression} fails for ${text}`, () => assert.equal(result(expression, text), `failed: ${why}`))
  }
})

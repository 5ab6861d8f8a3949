import assert from 'node:assert/strict'
import {
  compile,
  createEnvironment,
  fromValue,
  kubernetesLibraries,
  ObjectType,
  types,
} from '../../../lib/cel/index.ts'

const self = new ObjectType(
  'object',
  () =>
    new Map([
      ['s', { name: 's', type: types.string }],
      ['n', { name: 'n', type: types.double }],
      ['m', { name: 'm', type: types.map(types.string, types.int) }],
    ]),
)
const environment = createEnvironment({ variables: { self }, libraries: kubernetesLibraries() })
const data = { self: { s: 'hello', n: 2.5, m: { b: 2, a: 1 } } }

/** The text, `refused: …` for what does not compile (without the place), `failed: …` for what has no value. */
function result(expression: string): unknown {
  const compiled = compile(environment, expression)
  if (!compiled.ok) return `refused: ${compiled.issues.map(({ message }) => message).join('; ')}`
  const outcome = compiled.program.evaluate(data)
  return outcome.ok ? fromValue(outcome.value) : `failed: ${outcome.error.message}`
}

const texts: readonly (readonly [expression: string, text: string])[] = [
  ["'%s has %d'.format([self.s, size(self.s)])", 'hello has 5'],
  ["'%s'.format([[1, 'a']])", '[1, "a"]'],
  ["'%s %s'.format([{'a': 1, 'b': 'c'}, [{1: 'x', true: [2u, null]}]])", '{"a":1, "b":"c"} [{1:"x", true:[2, null]}]'],
  ["'%s'.format([[self.s, self.n, self.m]])", '["hello", 2.500000, {"a":1, "b":2}]'],
  ["'%s'.format([dyn(self)])", '{"m":{"a":1, "b":2}, "n":2.500000, "s":"hello"}'],
  [
    "'%s'.format([[duration('90s'), timestamp('2020-01-01T00:00:00Z')]])",
    '[duration("90s"), timestamp("2020-01-01T00:00:00Z")]',
  ],
  [
    "'%s'.format([[b'abc', int, 1e21, double('NaN'), -double('Infinity')]])",
    '[b"abc", int, 1000000000000000000000.000000, "NaN", "-Inf"]',
  ],
  ["'%s'.format([['é\\n\\x00\\u2028\\u00ad😀\\u0007\"']])", '["é\\n\\x00\\u2028\\u00ad😀\\a\\""]'],
  ["'%s %s %s'.format([123456789.0, 1e21, 0.0001])", '1.23456789e+08 1e+21 0.0001'],
  ["'%s %s %s'.format([null, true, duration('1h1m1.5s')])", 'null true 3661.5s'],
  ["'%d %b %o %x %X'.format([-5, -5, -9, -255, 'é'])", '-5 -101 -11 -ff C3A9'],
  ["'%d %b %x'.format([18446744073709551615u, true, b'\\xff\\x00'])", '18446744073709551615 1 ff00'],
  ["'%f %f %.0f %.0f'.format([0.0, -1234567.5, 2.5, 1234.5])", '0.000000 -1,234,567.500000 2 1,234'],
  ["'%.1f %.3f %.2f'.format([-0.05, 999.9999, 1e20])", '-0.1 1,000.000 100,000,000,000,000,000,000.00'],
  ["'%f %f %f'.format(['NaN', 'Infinity', '-Infinity'])", 'NaN ∞ -∞'],
  ["'%.260f'.format([0.5]) == '0.5000'", 'true'],
  // The stock server takes the precision of %e for its width.
  ["'%e %.2e %.16e'.format([1.5e-10, 1e100, 0.1])", '1.500000×10⁻¹⁰ 1.000000×10¹⁰⁰   1.000000×10⁻⁰¹'],
  ["'%e %e'.format([9.9999999, 1.2345675])", '1.000000×10⁰¹ 1.234568×10⁰⁰'],
  ["'%e|%.3e'.format(['NaN', double('Infinity')])", '   NaN|  ∞'],
  ["'%%%s%%'.format(['a'])", '%a%'],
  ["'%.2s'.format(['abc'])", 'abc'],
  ["('%' + 's').format([1, 2])", '1'],
]

const given = 'error during formatting:'
const unparsed = 'could not parse formatting clause:'
const anyOf =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given'

const refused: readonly (readonly [expression: string, why: string])[] = [
  ["'%d'.format(['a'])", `${given} decimal clause can only be used on integers, was given string`],
  ["'%d'.format([1.5])", `${given} decimal clause can only be used on integers, was given double`],
  ["'%f'.format([1])", `${given} fixed-point clause can only be used on doubles, was given int`],
  ["'%e'.format([1u])", `${given} scientific clause can only be used on doubles, was given uint`],
  ["'%b'.format(['a'])", `${given} only integers and bools can be formatted as binary, was given string`],
  ["'%o'.format([null])", `${given} octal clause can only be used on integers, was given null_type`],
  ["'%x'.format([1.5])", `${given} only integers, byte buffers, and strings can be formatted as hex, was given double`],
  ["'%s'.format([[self]])", `${given} ${anyOf} object`],
  ["'%s'.format([{'a': optional.of(1)}])", `${given} ${anyOf} optional_type`],
  ["'%s'.format([quantity('1')])", `${given} ${anyOf} kubernetes.Quantity`],
  ["'%s %s'.format([1])", 'index 1 out of range'],
  ["'%s'.format([1, 2])", 'too many arguments supplied to string.format (expected 1, got 2)'],
  ["'%'.format([1])", 'unexpected end of string'],
  ["'%z'.format([1])", `${unparsed} unrecognized formatting clause "z"`],
  ["'%5d'.format([1])", `${unparsed} unrecognized formatting clause "5"`],
  ["'%é'.format([1])", `${unparsed} unrecognized formatting clause "Ã"`],
  ["'%.2%'.format([1])", `${unparsed} unrecognized formatting clause "%"`],
  ["'%.5'.format([1])", `${unparsed} error while parsing precision: could not find end of precision specifier`],
  [
    "'%.f'.format([1.0])",
    `${unparsed} error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`,
  ],
  // Beyond the arguments of format(), the elements of a literal have one type; dyn only equals itself.
  ["[1, 'a'].size() == 2", "expected type 'int' but found 'string'"],
  ["[1, 'a', true, 'b'].size() == 2", "expected type 'int' but found 'string'"],
  ['[1, dyn(2)].size() == 2', "expected type 'int' but found 'dyn'"],
  ["[timestamp('2020-01-01T00:00:00Z'), null].size() == 2", "expected type 'timestamp' but found 'null'"],
  [
    "[optional.of(1), optional.of('a')].size() == 2",
    "expected type 'optional_type(int)' but found 'optional_type(string)'",
  ],
  ["{1: 1, 'b': 'c'}.size() == 2", "expected type 'int' but found 'string'; expected type 'int' but found 'string'"],
  ["[?optional.of(1), 'a'].size() == 2", "expected type 'int' but found 'string'"],
]

const failing: readonly (readonly [expression: string, why: string])[] = [
  ["'%d'.format([dyn('a')])", `${given} decimal clause can only be used on integers, was given string`],
  ["'%f'.format(['x'])", `${given} fixed-point clause can only be used on doubles, was given string`],
  ["'%s'.format([dyn(quantity('1'))])", `${given} ${anyOf} kubernetes.Quantity`],
  ["'%s'.format([[dyn(optional.of(1))]])", `${given} no formatting function for optional_type`],
  [
    "'%s'.format([b'\\xff'])",
    `${given} could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string`,
  ],
  ["('%s' + '%').format([1])", 'index 1 out of range'],
  ["('%' + '').format([1])", 'unexpected end of string'],
  ["('%' + 'q').format([1])", `${unparsed} unrecognized formatting clause "q"`],
]

describe('cel format()', () => {
  for (const [expression, text] of texts) {
    it(`${expression} is ${text}`, () => assert.equal(String(result(expression)), text))
  }
  for (const [expression, why] of refused) {
    it(`${expression} is refused before it is evaluated`, () => assert.equal(result(expression), `refused: ${why}`))
  }
  for (const [expression, why] of failing) {
    it(`${expression} fails when it is evaluated`, () => assert.equal(result(expression), `failed: ${why}`))
  }
})

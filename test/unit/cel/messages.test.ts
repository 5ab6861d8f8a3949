import assert from 'node:assert/strict'
import { compile, createEnvironment, kubernetesLibraries, ObjectType, types } from '../../../lib/cel/index.ts'

const self = new ObjectType('self', () => new Map([['s', { name: 's', type: types.string }]]))
const environment = createEnvironment({ variables: { self, x: types.int }, libraries: kubernetesLibraries() })
const starts =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

/** As the stock server answers them (observed), but for the first words. */
const findings: readonly (readonly [string, string])[] = [
  ['self.r > 0', "ERROR: <input>:1:5: undefined field 'r'\n | self.r > 0\n | ....^"],
  [
    'Bad_V@lue!',
    "ERROR: <input>:1:6: Syntax error: token recognition error at: '@'\n | Bad_V@lue!\n | .....^\nERROR: <input>:1:7: Syntax error: mismatched input 'lue' expecting <EOF>\n | Bad_V@lue!\n | ......^",
  ],
  [
    'a'.repeat(300),
    `ERROR: <input>:1:1: undeclared reference to '${'a'.repeat(300)}' (in container '')\n | ${'a'.repeat(300)}\n | ^`,
  ],
  ['x > 0x', "ERROR: <input>:1:6: Syntax error: extraneous input 'x' expecting <EOF>\n | x > 0x\n | .....^"],
  ['', `ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting ${starts}`],
  ['"x"x', 'ERROR: <input>:1:4: Syntax error: extraneous input \'x\' expecting <EOF>\n | "x"x\n | ...^'],
  ['truex', "ERROR: <input>:1:1: undeclared reference to 'truex' (in container '')\n | truex\n | ^"],
  ['1x', "ERROR: <input>:1:2: Syntax error: extraneous input 'x' expecting <EOF>\n | 1x\n | .^"],
  ['(x', "ERROR: <input>:1:3: Syntax error: missing ')' at '<EOF>'\n | (x\n | ..^"],
  [
    "x + 'a'",
    "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | x + 'a'\n | ..^",
  ],
  ["[1, 'a']", "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'a']\n | ....^"],
  ["'a'.find('[') == ''", "ERROR: <input>:1:10: invalid find argument\n | 'a'.find('[') == ''\n | .........^"],
  [
    'string(timestamp(253402300800))',
    'ERROR: <input>:1:18: invalid timestamp argument\n | string(timestamp(253402300800))\n | .................^',
  ],
  ['--9223372036854775808', 'ERROR: <input>:1:3: invalid int literal\n | --9223372036854775808\n | ..^'],
  ["duration('x')", "ERROR: <input>:1:10: invalid duration argument\n | duration('x')\n | .........^"],
  ["'ü' + y", "ERROR: <input>:1:7: undeclared reference to 'y' (in container '')\n | 'ü' + y\n | .．....^"],
]

describe('cel messages', () => {
  for (const [expression, message] of findings) {
    it(`names where ${JSON.stringify(expression.slice(0, 20))} is wrong`, () => {
      const compiled = compile(environment, expression)
      assert.ok(!compiled.ok)
      assert.equal(compiled.message, `compilation failed: ${message}`)
    })
  }

  const hopeless: readonly (readonly [string, string])[] = [
    ["int('x') == 1", "type conversion error from 'string' to 'int'"],
    ["bool('yes')", "type conversion error from 'string' to 'bool'"],
    ["duration(dyn('x')) == duration('1s')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ['int(9223372036854775807.0) == 1', 'integer overflow'],
    ['[uint(-1)].size() == 1', 'unsigned integer overflow'],
    ["string(b'\\xff') == ''", 'invalid UTF-8 in bytes, cannot convert to string'],
    ["{'a': 1, 'a': 2}.size() == 1", 'Failed with repeated key'],
  ]
  for (const [expression, why] of hopeless) {
    it(`refuses ${expression}, which can never have a value`, () => {
      const compiled = compile(environment, expression)
      assert.ok(!compiled.ok)
      assert.equal(compiled.message, `program instantiation failed: ${why}`)
    })
  }

  it('names the type that an expression must have', () => {
    const wrong = compile(environment, 'x', { expectedType: types.bool })
    assert.ok(!wrong.ok)
    assert.deepEqual([wrong.code, wrong.message], ['type', 'must evaluate to bool but got int'])
    const either = compile(environment, 'x', { expectedType: [types.string, types.list(types.string)] })
    assert.ok(!either.ok)
    assert.equal(either.message, 'must evaluate to one of [string list(string)] but got int')
    // What is known only when it runs is no bool; whoever takes anything asks for dyn.
    assert.ok(!compile(environment, 'dyn(x)', { expectedType: types.bool }).ok)
    assert.ok(compile(environment, 'x', { expectedType: types.dyn }).ok)
  })

  const failures: readonly (readonly [string, string, string])[] = [
    ['self.s', 'noSuchField', 'no such key: s'],
    ["{'a': 1}['b']", 'noSuchField', 'no such key: b'],
    ['[1][5]', 'invalidArgument', 'index out of bounds: 5'],
    ['x / 0', 'divisionByZero', 'division by zero'],
    ['x % 0', 'divisionByZero', 'modulus by zero'],
    ['9223372036854775807 + x', 'overflow', 'integer overflow'],
    ['0u - 1u', 'overflow', 'unsigned integer overflow'],
    ['dyn(x).y', 'noSuchOverload', 'no such overload'],
    ["int('a' + '')", 'invalidArgument', "type conversion error from 'string' to 'int'"],
    ['optional.none().value()', 'invalidArgument', 'optional.none() dereference'],
  ]
  for (const [expression, code, message] of failures) {
    it(`fails ${expression} with ${code}`, () => {
      const compiled = compile(environment, expression)
      assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
      const outcome = compiled.program.evaluate({ self: {}, x: 3 })
      assert.ok(!outcome.ok)
      assert.deepEqual([outcome.error.code, outcome.error.message], [code, message])
    })
  }
})

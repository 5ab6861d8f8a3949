import assert from 'node:assert/strict'
import { compile, createEnvironment, formatType, globalForm, memberForm, types } from '../../../lib/cel/index.ts'
import { declarations, runCase } from '../../support/celrun.ts'
import { checkingCases, conformanceCases, needsProtobuf, parsingCases, type SpecCase } from '../../support/celspec.ts'

/** Sections that are not run, and why. */
const skipped: readonly (readonly [string, string])[] = [
  ['block_ext/', 'cel.block is what optimizers write, not people; no Kubernetes environment has it'],
  ['string_ext/value_errors/indexof_out_of_range', 'cel-go answers -1 for places behind the end'],
  ['string_ext/value_errors/lastindexof_out_of_range', 'as above'],
]

/** Cases of the newer form of format(); Kubernetes prints as the form before it (version 2 of the string library). */
const newerFormat: ReadonlySet<string> = new Set([
  'scientific notation formatting clause',
  'default precision for scientific notation',
  'NaN support for scientific notation',
  'positive infinity support for scientific notation',
  'negative infinity support for scientific notation',
  'NaN support for decimal',
  'positive infinity support for decimal',
  'negative infinity support for decimal',
  'positive infinity support for fixed-point',
  'negative infinity support for fixed-point',
  'list support for string',
  'map support for string',
  'map support (all key types)',
  'dyntype support for scientific notation',
  'dyntype NaN/infinity support',
  'dyntype support for lists',
  'dyntype support for maps',
  'scientific notation formatting clause in a string variable',
])

/** Of 1650 cases without protobuf messages. */
const passedMin = 1577
/** Expressions that do not check, run all the same: expressions of the API are always checked. */
const uncheckedMax = 28

describe('cel conformance', () => {
  it('passes every case of the CEL specification that needs no protobuf messages and whose expression checks', function () {
    this.timeout(120_000)
    const failures: string[] = []
    let [passed, unchecked, total] = [0, 0, 0]
    for (const one of conformanceCases()) {
      if (needsProtobuf(one)) continue
      total++
      if (skipped.some(([section]) => one.path.startsWith(section))) continue
      const format = 'string_ext/format/'
      if (one.path.startsWith(format) && newerFormat.has(one.path.slice(format.length))) continue
      const wrong = runCase(one)
      if (wrong === '') passed++
      else if (wrong.startsWith('unchecked')) unchecked++
      else failures.push(`${one.path}: ${one.original.expr}: ${wrong}`)
    }
    assert.deepEqual(failures, [])
    assert.ok(passed >= passedMin && passed / total > 0.95, `${passed} of ${total} cases passed`)
    assert.ok(unchecked <= uncheckedMax, `${unchecked} cases do not check`)
  })

  it('reports syntax errors as the Go implementation does', () => {
    const differing = parsingCases().filter((one) => !sameFinding(one))
    // Cases where the Go parser recovers from an error by guessing and reports what follows from the guess.
    assert.deepEqual(
      differing.map((one) => one.original.expr.slice(0, 8)),
      ['[].exist', 'func{{a}', '--', 'a ? b ((', '-[-1--1-', 'ó\u00a0¢\n\t\tó\u00a0', '`b-c`', '`b-c`()', 'x{?.'],
    )
  })

  it('finds the types, and reports the type errors, that the Go checker does', () => {
    const cases = checkingCases().filter((one) => !needsProtobuf(one) && !foreign(one))
    const differing = cases.filter((one) => !sameFinding(one)).map((one) => one.original.expr)
    assert.deepEqual(differing, [])
    assert.ok(cases.length >= 80, `${cases.length} cases`)
  })
})

/** What the checking cases take for declared. */
const { string, int, uint, bool, bytes, double } = types
const assumedVariables = { is: string, ii: int, iu: uint, iz: bool, ib: bytes, id: double, ix: types.null }
const assumedFunctions = {
  name: 'assumed',
  functions: [
    { name: 'fg_s', overloads: [globalForm('fg_s_0', [], string, () => '')] },
    { name: 'fi_s_s', overloads: [memberForm('fi_s_s_0', [string], string, () => '')] },
  ],
}

/** Environments that the data does not describe. */
function foreign(one: SpecCase): boolean {
  return one.original.typeEnv?.some((declared) => JSON.stringify(declared).includes('wrapper')) === true
}

function sameFinding({ original: test, type, error }: SpecCase): boolean {
  const { variables, library } = declarations(test)
  const shallow = /32|recursion/.test(error ?? '')
  const environment = createEnvironment({
    variables: { ...assumedVariables, ...variables },
    container: test.container ?? '',
    libraries: [assumedFunctions, library],
    ...(shallow ? { depthMax: 32 } : {}),
  })
  const compiled = compile(environment, test.expr)
  if (compiled.ok) return formatType(compiled.outputType) === type
  const wanted = error?.replaceAll('ERROR: :', 'ERROR: <input>:')
  return compiled.message === `compilation failed: ${wanted}`
}

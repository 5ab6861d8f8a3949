import assert from 'node:assert/strict'
import fc from 'fast-check'
import { bindingsLibrary, compile, createEnvironment, kubernetesLibraries, types } from '../../../lib/cel/index.ts'
import { conformanceCases } from '../../support/celspec.ts'

const environment = createEnvironment({
  variables: { x: types.dyn, y: types.list(types.dyn), m: types.map(types.string, types.dyn) },
  libraries: [...kubernetesLibraries(), bindingsLibrary()],
})
const texts = conformanceCases().map((one) => one.original.expr)
const pieces = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '?',
  ':',
  '"',
  "'",
  '`',
  '-',
  '!',
  '&&',
  '||',
  '0',
  '1u',
  '1.5',
  'x',
  'y',
  'm',
  '.all(x, ',
  '\\',
  '\u0000',
  'é',
  '😀',
  '\ud800',
  'in',
  'null',
  '==',
  '+',
  '9223372036854775807',
  'optional.of(',
  '.?a',
  '[?0]',
  'cel.bind(x, ',
]

const mutated = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(fc.tuple(fc.nat(200), fc.nat(3), fc.constantFrom('', ...pieces)), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...texts),
  )
  .map(([text, edits, other]) => {
    let out = text
    for (const [at, drop, insert] of edits) {
      const place = out.length === 0 ? 0 : at % out.length
      out = out.slice(0, place) + insert + out.slice(place + drop)
    }
    return edits.length > 3 ? `${out} ${other}` : out
  })

describe('cel against broken expressions', () => {
  it('answers every text with a program or with issues, and every evaluation with a value or an error', function () {
    this.timeout(120_000)
    const runs = Number(process.env['CEL_FUZZ_RUNS'] ?? 1500)
    fc.assert(
      fc.property(mutated, fc.jsonValue(), (text, data) => {
        const compiled = compile(environment, text)
        if (!compiled.ok) {
          assert.match(compiled.message, /^(?:compilation failed: ERROR: <input>:|program instantiation failed: ..)/)
          return
        }
        const outcome = compiled.program.evaluate({ x: data, y: [data], m: { a: data } })
        assert.ok(outcome.ok || outcome.error.message.length > 0)
      }),
      { numRuns: runs, seed: 3 },
    )
  })
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isCanonicalJson } from '../../../lib/codec/json/canonicaltext.ts'
import { parseJson } from '../../../lib/codec/json/decode.ts'
import { writeJson } from '../../../lib/codec/json/write.ts'
import { anyCharacter } from '../../support/anycharacter.ts'

const seed = Number(process.env['SIMULATION_SEED'] ?? 7)
const rounds = { numRuns: 3000, seed }

/** Pieces that JSON texts have in more than one notation, or may not have. */
const pieces = [
  ' ',
  '\n',
  ',',
  ':',
  '"',
  '{',
  '}',
  '[',
  ']',
  '{}',
  '[]',
  'null',
  'true',
  'fals',
  '0',
  '-0',
  '01',
  '1.0',
  '1.5',
  '1e3',
  '1E3',
  '0.1e-7',
  '1e-7',
  '1e21',
  '9007199254740993',
  '18446744073709551615',
  '"a"',
  '"a":1',
  '"__proto__":1',
  '"10":1',
  '\\n',
  '\\/',
  '\\u000a',
  '\\u0001',
  '\\u003c',
  '\\u003C',
  '\\u0041',
  '<',
  '&',
  '\u2028',
  '\u00e9',
  '\u{1f600}',
  '\\ud800',
  '\\ud83d\\ude00',
  '\u0001',
].map((piece) => Buffer.from(piece))
pieces.push(Buffer.from([0x80]), Buffer.from([0xff]), Buffer.from([0xed, 0xa0, 0x80]))

const values = fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter })
const texts = values.map((value) => Buffer.from(writeJson(JSON.parse(JSON.stringify(value)))))

/** Objects whose keys come twice, or look like numbers, which JavaScript moves to the front. */
const keys = fc.constantFrom('a', 'b', '9', '10', '1a', '-1', '', '__proto__')
const objects = fc
  .array(fc.tuple(keys, fc.constantFrom('1', '{}', '"x"')), { maxLength: 4 })
  .map((members) => Buffer.from(`{${members.map(([key, value]) => `"${key}":${value}`).join()}}`))

/** A text with some of its bytes replaced by pieces. */
const mutated = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: texts }, { weight: 1, arbitrary: objects }),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...pieces)), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((bytes, [place, removed, piece]) => {
      const at = place % (bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + removed)])
    }, text),
  )

/** The bytes that the slow way writes; undefined where it refuses the text. */
function rewritten(bytes: Uint8Array): Buffer | undefined {
  try {
    return Buffer.from(writeJson(parseJson(bytes)))
  } catch {
    return undefined
  }
}

describe('canonical JSON texts', () => {
  it('are only texts that parsing and writing leaves unchanged', () => {
    let canonical = 0
    fc.assert(
      fc.property(mutated, (bytes) => {
        if (!isCanonicalJson(bytes, 0, bytes.length)) return
        canonical++
        assert.equal(rewritten(bytes)?.toString('latin1'), bytes.toString('latin1'))
      }),
      rounds,
    )
    assert.ok(canonical > rounds.numRuns / 6, `${canonical} were canonical`)
  })

  it('are found among other bytes by their position', () => {
    fc.assert(
      fc.property(mutated, fc.constantFrom(...pieces), fc.constantFrom(...pieces), (bytes, before, behind) => {
        const within = Buffer.concat([before, bytes, behind])
        const to = before.length + bytes.length
        assert.equal(isCanonicalJson(within, before.length, to), isCanonicalJson(bytes, 0, bytes.length))
      }),
      rounds,
    )
  })

  it('are most texts that this codec writes: a few keys that look like numbers, and null, are left to the slow way', () => {
    const missed: string[] = []
    fc.assert(
      fc.property(texts, (bytes) => {
        const text = bytes.toString()
        if (text !== 'null' && !/"\d[^"]*":/.test(text) && !isCanonicalJson(bytes, 0, bytes.length)) missed.push(text)
      }),
      rounds,
    )
    assert.ok(missed.length < rounds.numRuns / 50, `${missed.length} missed, as ${missed.slice(0, 5).join('\n')}`)
  })
})

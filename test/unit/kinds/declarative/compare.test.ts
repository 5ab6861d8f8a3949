import assert from 'node:assert/strict'
import { silentLogger, silentMetrics } from '../../../../lib/base/index.ts'
import { createDeclarativeCheck } from '../../../../lib/kinds/index.ts'
import { type FieldError, fieldErrors } from '../../../../lib/object/index.ts'
import { compileTables, type FieldTable } from '../../../../lib/schema/index.ts'

const comparing = ['DeclarativeValidation']
const takingOver = ['DeclarativeValidation', 'DeclarativeValidationTakeover']

function struct(fields: Record<string, FieldTable>) {
  const item = { fields: { name: { n: 1, type: 'string', rules: ['required', 'format=k8s-short-name'] } } }
  return compileTables([
    { group: 'g', version: 'v1', protoPackage: 'p', types: { Thing: { fields }, Item: item } },
  ]).struct('g/v1.Thing')
}

/** A check with these gates, and how often it counted and what it logged. */
function checkWith(on: readonly string[]) {
  const counts = { mismatches: 0, failures: 0 }
  const logged: unknown[] = []
  const add = (name: string): void => void (name.includes('panic') ? counts.failures++ : counts.mismatches++)
  const counter = ({ name }: { name: string }) => ({ add: () => add(name), at: () => ({ add: () => add(name) }) })
  const metrics = { ...silentMetrics, counter }
  const log = { ...silentLogger, warn: (_message: string, fields?: object) => void logged.push(fields) }
  const check = createDeclarativeCheck((name) => on.includes(name), { metrics, log })
  return { check, counts, logged }
}

describe('declared rules beside the kinds’ own', () => {
  const type = struct({ field: { n: 1, type: 'int32', rules: ['minimum=0'] } })

  it('are not run without the gate', () => {
    const { check, counts } = checkWith(['DeclarativeValidationTakeover'])
    assert.deepEqual(check(type, { field: -1 }, undefined, [], false), [])
    assert.equal(counts.mismatches, 0)
  })

  it('refuse the write alone where a kind has no others', () => {
    const { check, counts } = checkWith([])
    assert.equal(check(type, { field: -1 }, undefined, [], true).length, 1)
    assert.equal(counts.mismatches, 0)
  })

  it('are counted where they find more, and change nothing', () => {
    const { check, counts } = checkWith(comparing)
    assert.deepEqual(check(type, { field: -1 }, undefined, [], false), [])
    assert.equal(counts.mismatches, 1)
  })

  it('agree when both find the same fault in the same place', () => {
    const { check, counts } = checkWith(comparing)
    check(type, { field: -1 }, undefined, [{ reason: 'FieldValueInvalid', field: 'field', message: 'no' }], false)
    assert.equal(counts.mismatches, 0)
  })

  it('are not compared for an object with more than a thousand findings, which would hold the event loop', () => {
    const findings = (count: number): FieldError[] =>
      Array.from({ length: count }, (_, index) => fieldErrors.required(`other[${index}]`))
    const { check, counts } = checkWith(comparing)
    assert.equal(check(type, { field: -1 }, undefined, findings(1001), false).length, 1001)
    assert.equal(counts.mismatches, 0)
    check(type, { field: -1 }, undefined, findings(1000), false)
    assert.equal(counts.mismatches, 1)
    assert.equal(
      checkWith(takingOver).check(type, { field: -1 }, undefined, findings(1001), false).at(-1)?.field,
      'field',
    )
  })

  it('rules that fail themselves are counted, and refuse the write only where no other rules decide', () => {
    const broken = {
      get field(): never {
        throw new Error('no such field')
      },
    }
    const own = [fieldErrors.invalid('field', -1, 'must be greater than or equal to 0')]
    const reasons = (findings: readonly FieldError[]): readonly string[] => findings.map(({ reason }) => reason)
    const quiet = checkWith(comparing)
    assert.deepEqual(quiet.check(type, broken, undefined, own, false), own)
    assert.deepEqual(quiet.counts, { failures: 1, mismatches: 0 })
    assert.deepEqual(reasons(checkWith([]).check(type, broken, undefined, [], true)), ['InternalError'])
    const strict = checkWith(takingOver).check(type, broken, undefined, own, false)
    assert.deepEqual(reasons(strict), ['FieldValueInvalid', 'InternalError'])
  })

  it('decide with takeover: their errors are answered, and the kind’s own where no declared rule covers them', () => {
    const { check } = checkWith(takingOver)
    const required = struct({ field: { n: 1, type: 'string', rules: ['required'] } })
    const own = [fieldErrors.required('field', 'say more'), fieldErrors.invalid('', '', 'not at all')]
    assert.deepEqual(check(required, { field: '' }, undefined, own, false), [own[1], fieldErrors.required('field')])
    assert.deepEqual(check(required, { field: 'x' }, undefined, own, false), [own[1]])
    assert.deepEqual(check(required, { field: '' }, undefined, [], false), [fieldErrors.required('field')])
  })

  it('name the path of a mismatch, and no value', () => {
    const { check, logged } = checkWith(comparing)
    check(
      type,
      { field: 1 },
      undefined,
      [fieldErrors.invalid('field', 77, 'must be greater than or equal to 0')],
      false,
    )
    const place = { type: 'g/v1.Thing', field: 'field', reason: 'FieldValueInvalid', takesOver: false }
    assert.deepEqual(logged, [place])
  })
})

describe('findings of a kind’s own rules that declared ones do not make', () => {
  const text: FieldTable = { type: 'string', rules: [] }
  /** The declared rules find nothing in these objects. */
  const covered: readonly (readonly [string, FieldTable, object, FieldError])[] = [
    ['required', { ...text, rules: ['required'] }, { field: 'x' }, fieldErrors.required('field', 'in other words')],
    ['forbidden', { ...text, rules: ['forbidden'] }, {}, fieldErrors.forbidden('field', 'may not be')],
    ['enum', { ...text, enum: ['A', 'x'], rules: ['enum'] }, {}, fieldErrors.notSupported('field', 'x', ['A'])],
    ['maxItems', { type: '[]string', rules: ['maxItems=9'] }, {}, fieldErrors.tooMany('field', 9, 8)],
    ['maxLength', { ...text, rules: ['maxLength=9'] }, {}, fieldErrors.tooLongCharacters('field', 8)],
    ['maxBytes', { ...text, rules: ['maxBytes=9'] }, {}, fieldErrors.tooLong('field', 8)],
    ['minimum', { type: 'int32', rules: ['minimum=0'] }, {}, fieldErrors.invalid('field', -1, 'must be greater than or equal to 0')],
    ['maximum', { type: 'int32', rules: ['maximum=5'] }, {}, fieldErrors.invalid('field', 6, 'must be less than or equal to 5')],
    ['immutable', { ...text, rules: ['immutable'] }, {}, fieldErrors.invalid('field', 'x', 'field is immutable')],
    ['update', { ...text, rules: ['update=NoSet'] }, {}, fieldErrors.invalid('field', 'x', 'field cannot be set once created')],
    ['format', { ...text, rules: ['format=k8s-short-name'] }, {}, fieldErrors.invalid('field', 'a.b', 'must not contain dots')],
    ['format, its length', { ...text, rules: ['format=k8s-long-name'] }, {}, fieldErrors.invalid('field', 'a', 'must be no more than 253 characters')],
    ['unique=set', { type: '[]string', rules: ['unique=set'] }, {}, fieldErrors.duplicate('field[1]', 'a')],
    ['listType=map', { type: '[]Item', list: 'map', keys: ['name'], rules: ['listType=map'] }, {}, fieldErrors.duplicate('field[1]', 'a')],
    ['eachKey', { type: 'map[string]string', rules: ['eachKey=maxBytes=9'] }, {}, fieldErrors.tooLong('field', 8)],
    ['eachVal', { type: '[]string', rules: ['eachVal=maxBytes=9'] }, {}, fieldErrors.tooLong('field[3]', 8)],
    ['subfield', { type: 'Item', rules: ['subfield(name)=maxBytes=9'] }, {}, fieldErrors.tooLong('field.name', 8)],
    ['a rule of a struct', { type: 'Item' }, {}, fieldErrors.required('field.name')],
    ['a rule of an item', { type: '[]Item' }, {}, fieldErrors.required('field[12].name')],
    ['a rule of a map’s value', { type: 'map[string]Item' }, {}, fieldErrors.required('field[a.b/c].name')],
    ['a rule below a key with brackets', { type: 'map[string]Item' }, {}, fieldErrors.required('field[a[0]b].name')],
  ] // biome-ignore format: a table

  for (const [rule, table, object, finding] of covered)
    it(`${rule}: a rule that does not find them is counted`, () => {
      const { check, counts } = checkWith(comparing)
      const own = [finding]
      assert.equal(check(struct({ field: { n: 1, ...table } }), object, undefined, own, false), own)
      assert.equal(counts.mismatches, 1)
    })

  const uncovered: readonly (readonly [string, FieldTable, object, FieldError])[] = [
    ['of another reason', { type: 'int32', rules: ['minimum=0'] }, {}, fieldErrors.forbidden('field', 'no')],
    ['in other words', { type: 'int32', rules: ['minimum=0'] }, {}, fieldErrors.invalid('field', 1, 'must be even')],
    ['of another field', { type: 'string', rules: ['required'] }, { field: 'x' }, fieldErrors.required('fields')],
    ['below the field', { type: 'map[string]string', rules: ['required'] }, { field: { a: 'x' } }, fieldErrors.required('field[a]')],
    ['above the field', { type: 'Item' }, {}, fieldErrors.required('field')],
    ['of a field with a longer name', { type: 'Item', rules: ['subfield(name)=maxBytes=9'] }, {}, fieldErrors.tooLong('field.names', 8)],
    ['of the object', { type: 'string', rules: ['required'] }, { field: 'x' }, fieldErrors.required('')],
    ['of a gate that is off', { type: 'int32', rules: ['ifEnabled(Some)=minimum=1'] }, {}, fieldErrors.invalid('field', 0, 'must be greater than or equal to 1')],
  ] // biome-ignore format: a table

  for (const [title, table, object, finding] of uncovered)
    it(`${title}: no declared rule covers them`, () => {
      const { check, counts } = checkWith(takingOver)
      assert.deepEqual(check(struct({ field: { n: 1, ...table } }), object, undefined, [finding], false), [finding])
      assert.equal(counts.mismatches, 0)
    })
})

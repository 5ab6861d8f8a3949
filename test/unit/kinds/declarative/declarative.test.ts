import assert from 'node:assert/strict'
import { silentLogger, silentMetrics } from '../../../../lib/base/index.ts'
import { createDeclarativeCheck, createDeclarativeValidation } from '../../../../lib/kinds/index.ts'
import { compileTables, type FieldTable } from '../../../../lib/schema/index.ts'

const off = (): boolean => false

function struct(fields: Record<string, FieldTable>) {
  const item = { fields: { name: { n: 1, type: 'string', rules: ['required', 'format=k8s-short-name'] } } }
  return compileTables([
    { group: 'g', version: 'v1', protoPackage: 'p', types: { Thing: { fields }, Item: item } },
  ]).struct('g/v1.Thing')
}

describe('declared rules', () => {
  const cases: readonly (readonly [string, FieldTable, unknown, unknown, readonly string[]])[] = [
    ['a required text that is empty', { type: 'string', rules: ['required @alpha 1.36'] }, '', undefined, ['Required value']],
    ['a number below the minimum', { type: 'int32', rules: ['minimum=0'] }, -1, undefined, ['Invalid value: -1: must be greater than or equal to 0']],
    ['a number that was below the minimum before', { type: 'int32', rules: ['minimum=0'] }, -1, -1, []],
    ['a number above the maximum', { type: 'int32', rules: ['maximum=5'] }, 6, undefined, ['Invalid value: 6: must be less than or equal to 5']],
    ['too many items', { type: '[]string', rules: ['maxItems=1'] }, ['a', 'b'], undefined, ['Too many: 2: must have at most 1 item']],
    ['too long a text', { type: 'string', rules: ['maxLength=2'] }, 'abc', undefined, ['Too long: may not be more than 2 characters']],
    ['too many bytes', { type: 'string', rules: ['maxBytes=2'] }, 'ä€', undefined, ['Too long: may not be more than 2 bytes']],
    ['an unknown value', { type: 'string', enum: ['B', 'A'], rules: ['enum'] }, 'C', undefined, ['Unsupported value: "C": supported values: "A", "B"']],
    ['a change of what is immutable', { type: 'string', rules: ['immutable'] }, 'b', 'a', ['Invalid value: "b": field is immutable']],
    ['a change of what may be set once', { type: 'string', rules: ['update=NoModify'] }, 'b', 'a', ['Invalid value: "b": field cannot be modified once set']],
    ['an item of a set that is there twice', { type: '[]string', rules: ['unique=set'] }, ['a', 'a'], undefined, ['Duplicate value: "a"']],
    ['a key of a list that is there twice', { type: '[]Item', list: 'map', keys: ['name'], rules: ['listType=map'] }, [{ name: 'a' }, { name: 'a' }], undefined, ['Duplicate value: {"name":"a"}']],
    ['a rule of an item', { type: '[]Item', rules: ['optional'] }, [{ name: '' }], undefined, ['Required value']],
    ['an item that was wrong before', { type: '[]Item', rules: ['optional'] }, [{ name: 'a' }, { name: '' }], [{ name: '' }], []],
    ['a rule for a gate that is off', { type: 'int32', rules: ['ifEnabled(Some)=minimum=1'] }, 0, undefined, []],
    ['a rule for when a gate is off', { type: 'int32', rules: ['ifDisabled(Some)=minimum=1'] }, 0, undefined, ['Invalid value: 0: must be greater than or equal to 1']],
    ['a key of a map', { type: 'map[string]string', rules: ['eachKey=maxBytes=1'] }, { ab: 'x' }, undefined, ['Too long: may not be more than 1 byte']],
  ] // biome-ignore format: a table

  for (const [title, table, value, old, expected] of cases)
    it(`${title}: ${expected.length === 0 ? 'no finding' : expected.join('; ')}`, () => {
      const type = struct({ field: { n: 1, ...table } })
      const errors = createDeclarativeValidation(off)(
        type,
        { field: value },
        old === undefined ? undefined : { field: old },
      )
      assert.deepEqual(
        errors.map(({ message }) => message),
        expected,
      )
    })

  it('exactly one member of a union is set', () => {
    const member: FieldTable = { type: 'string', rules: ['optional', 'unionMember'] }
    const type = struct({ a: { n: 1, ...member }, b: { n: 2, ...member } })
    const validate = createDeclarativeValidation(off)
    assert.deepEqual(validate(type, { a: 'x' }, undefined), [])
    for (const object of [{}, { a: 'x', b: 'y' }])
      assert.match(validate(type, object, undefined)[0]?.message ?? '', /must specify exactly one of: `a`, `b`/)
  })
})

describe('declared rules beside the kinds’ own', () => {
  const type = struct({ field: { n: 1, type: 'int32', rules: ['minimum=0'] } })
  const count = (on: readonly string[]) => {
    let mismatches = 0
    let failures = 0
    const add = (name: string): void => void (name.includes('panic') ? failures++ : mismatches++)
    const metrics = { ...silentMetrics, counter: ({ name }: { name: string }) => ({ add: () => add(name) }) }
    const check = createDeclarativeCheck((name) => on.includes(name), { metrics, log: silentLogger })
    return { check, mismatches: () => mismatches, failures: () => failures }
  }

  it('are not run without the gate', () => {
    const { check, mismatches } = count([])
    assert.deepEqual(check(type, { field: -1 }, undefined, [], false), [])
    assert.equal(mismatches(), 0)
  })

  it('refuse the write by themselves where a kind has no others', () => {
    const { check, mismatches } = count([])
    assert.equal(check(type, { field: -1 }, undefined, [], true).length, 1)
    assert.equal(mismatches(), 0)
  })

  it('are counted where they find more, and change nothing', () => {
    const { check, mismatches } = count(['DeclarativeValidation'])
    assert.deepEqual(check(type, { field: -1 }, undefined, [], false), [])
    assert.equal(mismatches(), 1)
  })

  it('agree when both find the same fault in the same place', () => {
    const { check, mismatches } = count(['DeclarativeValidation'])
    check(type, { field: -1 }, undefined, [{ reason: 'FieldValueInvalid', field: 'field', message: 'no' }], false)
    assert.equal(mismatches(), 0)
  })

  it('that fail themselves are counted, and refuse the write only where nothing else has judged it', () => {
    const broken = {
      get field(): never {
        throw new Error('no such field')
      },
    }
    const quiet = count(['DeclarativeValidation'])
    assert.deepEqual(quiet.check(type, broken, undefined, [], false), [])
    assert.deepEqual([quiet.failures(), quiet.mismatches()], [1, 0])
    const alone = count([])
    assert.deepEqual(
      alone.check(type, broken, undefined, [], true).map(({ reason }) => reason),
      ['InternalError'],
    )
    const strict = count(['DeclarativeValidation', 'DeclarativeValidationTakeover'])
    assert.equal(strict.check(type, broken, undefined, [], false).length, 1)
  })

  it('refuse the write where they have the last word', () => {
    const { check } = count(['DeclarativeValidation', 'DeclarativeValidationTakeover'])
    assert.equal(check(type, { field: -1 }, undefined, [], false).length, 1)
  })
})

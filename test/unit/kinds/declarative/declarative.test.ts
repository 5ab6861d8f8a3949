import assert from 'node:assert/strict'
import { createDeclarativeValidation } from '../../../../lib/kinds/index.ts'
import { compileTables, type FieldTable } from '../../../../lib/schema/index.ts'

const off = (): boolean => false

function struct(fields: Record<string, FieldTable>) {
  const item = { fields: { name: { n: 1, type: 'string', rules: ['required', 'format=k8s-short-name'] } } }
  return compileTables([
    { group: 'g', version: 'v1', protoPackage: 'p', types: { Thing: { fields }, Item: item, Empty: { fields: {} } } },
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
    ['a key that the kind itself may allow twice', { type: '[]Item', list: 'map', keys: ['name'], rules: ['listType=map', 'customUnique'] }, [{ name: 'a' }, { name: 'a' }], undefined, []],
    ['a rule of an item', { type: '[]Item', rules: ['optional'] }, [{ name: '' }], undefined, ['Required value']],
    ['an item that was wrong before', { type: '[]Item', rules: ['optional'] }, [{ name: 'a' }, { name: '' }], [{ name: '' }], []],
    ['a rule for a gate that is off', { type: 'int32', rules: ['ifEnabled(Some)=minimum=1'] }, 0, undefined, []],
    ['a rule for when a gate is off', { type: 'int32', rules: ['ifDisabled(Some)=minimum=1'] }, 0, undefined, ['Invalid value: 0: must be greater than or equal to 1']],
    ['a required number that is 0', { type: 'int32', rules: ['required', 'minimum=1'] }, 0, undefined, ['Required value']],
    ['a required pointer to 0', { type: '*int32', rules: ['required', 'minimum=1'] }, 0, undefined, ['Invalid value: 0: must be greater than or equal to 1']],
    ['a required pointer to an empty struct', { type: '*Empty', rules: ['required'] }, {}, undefined, []],
    ['an optional number that is 0', { type: 'int32', rules: ['optional', 'minimum=1'] }, 0, undefined, []],
    ['an optional number that becomes 0', { type: 'int32', rules: ['optional', 'minimum=1'] }, 0, 2, []],
    ['an optional value that may not be taken away', { type: 'int32', rules: ['optional', 'update=NoUnset'] }, 0, 2, ['Invalid value: 0: field cannot be cleared once set']],
    ['a key of a map', { type: 'map[string]string', rules: ['eachKey=maxBytes=1'] }, { ab: 'x' }, undefined, ['Too long: may not be more than 1 byte']],
  ] // biome-ignore format: a table

  for (const [title, table, value, old, expected] of cases)
    it(`${title}: ${expected.length === 0 ? 'no error' : expected.join('; ')}`, () => {
      const type = struct({ field: { n: 1, ...table } })
      const { validate, covering } = createDeclarativeValidation(off)
      const errors = validate(type, { field: value }, old === undefined ? undefined : { field: old })
      assert.deepEqual(
        errors.map(({ message }) => message),
        expected,
      )
      for (const error of errors) assert.notEqual(covering(type, error).length, 0, 'a rule covers what it finds itself')
    })

  it('exactly one member of a union is set', () => {
    const member: FieldTable = { type: 'string', rules: ['optional', 'unionMember'] }
    const type = struct({ a: { n: 1, ...member }, b: { n: 2, ...member } })
    const { validate, covering } = createDeclarativeValidation(off)
    assert.deepEqual(validate(type, { a: 'x' }, undefined), [])
    for (const object of [{}, { a: 'x', b: 'y' }]) {
      const [error] = validate(type, object, undefined)
      assert.match(error?.message ?? '', /must specify exactly one of: `a`, `b`/)
      assert.equal(error && covering(type, error).length, 1)
    }
  })
})

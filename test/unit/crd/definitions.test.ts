import assert from 'node:assert/strict'
import { createSeededRandom, systemClock, unlimitedWork } from '../../../lib/base/index.ts'
import { createDefinitionKind } from '../../../lib/crd/index.ts'
import { builtInKinds, type KindContext } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'
import { definitionOf } from '../../support/crdkit.ts'

const base = builtInKinds.find(({ kind }) => kind === 'CustomResourceDefinition')
assert(base)
const kind = createDefinitionKind(base)
const context: KindContext = {
  clock: systemClock,
  random: createSeededRandom(1),
  user: { name: '', uid: '', groups: [], extra: {} },
  namespace: '',
  gate: () => true,
  warn() {},
  work: unlimitedWork,
}

const stored = { storedVersions: ['v1'] }

/** What is found at a definition whose spec.a has this schema, below that place. */
function findingsOf(schema: object, old?: object): string[] {
  const whole = (inner: object): ApiObject => ({
    ...definitionOf({ schema: { type: 'object', properties: { spec: { type: 'object', properties: { a: inner } } } } }),
    status: stored,
  })
  const place = 'spec.validation.openAPIV3Schema'
  const found = old
    ? kind.strategy?.validateUpdate?.(whole(schema), whole(old), context)
    : kind.strategy?.validateCreate?.(whole(schema), context)
  return (found ?? []).map(
    ({ field, message }) => `${field.replace(place, 'P').replace('P.properties[spec].properties[a]', 'a')}: ${message}`,
  )
}

const rules = (...texts: (string | object)[]): object => ({
  'x-kubernetes-validations': texts.map((text) => (typeof text === 'string' ? { rule: text } : text)),
})
const tooMuch = (factor: string): string =>
  `exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`

describe('definitions: default values', () => {
  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    ['of the type', { type: 'string', default: 'x' }, []],
    ['of an object whose fields are known', { type: 'object', properties: { b: { type: 'integer' } }, default: { b: 1 } }, []],
    ['of another type', { type: 'integer', default: 'x' }, ['a.default: Invalid value: "string":  in body must be of type integer: "string"']],
    ['with unknown fields', { type: 'object', properties: { b: { type: 'integer' } }, default: { c: 1 } }, ['a.default: Invalid value: {"c":1}: must not have unknown fields']],
    ['out of bounds', { type: 'integer', minimum: 3, default: 1 }, ['a.default: Invalid value: 1:  in body should be greater than or equal to 3']],
    ['that a rule refuses', { type: 'integer', default: 1, ...rules('self > 1') }, ['a.default: Invalid value: 1: failed rule: self > 1']],
    ['of an embedded object that says not what it is', { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true, default: { kind: 'Pod' } }, ['a.default.apiVersion: must result in valid metadata: Required value: must not be empty']],
  ] // biome-ignore format: a table
  for (const [title, schema, expected] of cases)
    it(`${title}: ${expected.length === 0 ? 'valid' : 'refused'}`, () =>
      assert.deepEqual(
        findingsOf(schema).map((text) =>
          text.replaceAll('spec.validation.openAPIV3Schema.properties[spec].properties[a]', 'a'),
        ),
        expected,
      ))

  it('are not checked again when they are stored already', () => {
    const bad = { type: 'integer', default: 'x' }
    assert.deepEqual(findingsOf(bad, bad), [])
  })
})

describe('definitions: structure', () => {
  it('may name a type beside that of an integer or a string', () => {
    assert.deepEqual(findingsOf({ type: 'string', 'x-kubernetes-int-or-string': true }), [])
  })

  it('has keys of lists that are properties of the items', () => {
    const items = { type: 'object', required: ['k'], properties: { k: { type: 'string' } } }
    const list = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'z'] }
    assert.deepEqual(findingsOf(list), [
      'a.x-kubernetes-list-map-keys: Invalid value: ["k","z"]: entries must all be names of item properties',
    ])
  })

  for (const name of ['constructor', 'toString', '__proto__'])
    it(`has no keys of lists that are properties of every object: ${name}`, () => {
      const items = { type: 'object', required: [name], properties: { k: { type: 'string' } } }
      const list = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [name] }
      assert.deepEqual(findingsOf(list), [
        `a.x-kubernetes-list-map-keys: Invalid value: ["${name}"]: entries must all be names of item properties`,
      ])
    })

  it('has no properties in combined schemas that only every object has', () => {
    const found = findingsOf({
      type: 'object',
      properties: { k: { type: 'string' } },
      anyOf: [{ properties: { constructor: { minLength: 1 } } }],
    })
    assert.deepEqual(
      found.map((text) => text.slice(0, text.indexOf(':'))),
      ['a.properties[constructor]'],
    )
  })

  it('names the place of unprintable characters in the warning of a deprecated version', () => {
    const definition = definitionOf({
      schema: { type: 'object' },
      version: { deprecated: true, deprecationWarning: 'é\u0001' },
    })
    const found = kind.strategy?.validateCreate?.({ ...definition, status: stored }, context) ?? []
    assert.deepEqual(
      found.map(({ field, message }) => [field, message.replace(/^.*?: must/, 'must')]),
      [
        [
          'spec.versions[0].deprecationWarning',
          'must only contain printable UTF-8 characters; non-printable character found at index 2',
        ],
      ],
    )
  })
})

describe('definitions: rules', () => {
  const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more })
  const text = { type: 'string', maxLength: 10 }
  const cases: readonly (readonly [string, object, readonly (string | RegExp)[]])[] = [
    ['a cheap one', { ...text, ...rules("self.startsWith('a')") }, []],
    ['one that is no expression', { ...text, ...rules('self.') }, [/a\.x-kubernetes-validations\[0\]\.rule: Invalid value: \{"Rule":"self\.".*compilation failed: ERROR: <input>:1:6/]],
    ['one of another type', { ...text, ...rules('self') }, [/: cel expression must evaluate to a bool$/]],
    ['a field that there is not', { type: 'object', properties: { b: { type: 'string' } }, ...rules("self.c == ''") }, [/undefined field 'c'/]],
    ['a message that is no text', { ...text, ...rules({ rule: 'true', messageExpression: '1' }) }, [/messageExpression: Invalid value: .*: messageExpression must evaluate to a string$/]],
    ['a rule of no text', { ...text, ...rules(' ') }, ['a.x-kubernetes-validations[0].rule: Required value: rule is not specified']],
    ['lines without a message', { ...text, ...rules("self == 'a' ||\nself == 'b'") }, ['a.x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks']],
    ['a reason that there is not', { ...text, ...rules({ rule: 'true', reason: 'Because' }) }, ['a.x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"']],
    ['a path that leads nowhere', { type: 'object', properties: { b: text }, ...rules({ rule: 'true', fieldPath: '.c' }) }, ['a.x-kubernetes-validations[0].fieldPath: Invalid value: ".c": must be a valid path']],
    ['a path to a key with dots', { type: 'object', properties: { 'b.c': text }, ...rules({ rule: 'true', fieldPath: ".['b.c']" }) }, ['a.x-kubernetes-validations[0].fieldPath: Invalid value: ".[\'b.c\']": must be a valid path']],
    ['optionalOldSelf without oldSelf', { ...text, ...rules({ rule: 'true', optionalOldSelf: true }) }, ['a.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule']],
    ['a transition of items that are not told apart', list({ ...text, ...rules('self == oldSelf') }, { maxItems: 3 }), [/rule: Invalid value: .*: oldSelf cannot be used on the uncorrelatable portion of the schema within .*properties\[a\]$/]],
    ['each with each of a list without a bound', { ...list({ type: 'string' }), ...rules('self.all(x, self.all(y, x == y))') }, [`a.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost ${tooMuch('more than 100x')}`, /contributed to estimated rule cost total/, `P: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ${tooMuch('more than 100x')}`]],
    ['patterns of the keys of a bounded map', { type: 'object', maxProperties: 8, additionalProperties: { type: 'string', maxLength: 4096 }, ...rules("self.all(key, key.matches('^(([a-z0-9A-Z]([-a-z0-9A-Z_.]*[a-z0-9A-Z])?)+/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$'))") }, []],
    ['a rule for each of many items', list({ ...text, ...rules("self.matches('a+')") }, { maxItems: 3000 }), []],
  ] // biome-ignore format: a table
  for (const [title, schema, expected] of cases)
    it(`${title}: ${expected.length === 0 ? 'valid' : 'refused'}`, () => {
      const found = findingsOf(schema)
      assert.equal(found.length, expected.length, found.join('\n'))
      for (const [index, one] of expected.entries())
        if (typeof one === 'string') assert.equal(found[index], one)
        else assert.match(found[index] ?? '', one)
    })

  it('report by how much they are too expensive', () => {
    const found = findingsOf({
      ...list({ type: 'string', maxLength: 1000 }, { maxItems: 1000 }),
      ...rules('self.all(x, self.all(y, x != y))'),
    })
    assert.match(found[0] ?? '', /estimated rule cost exceeds budget by factor of (\d+\.\dx|more than 100x|1\.\d{6}x) /)
  })

  it('patterns by the thousand are checked first ones only, so that no other request waits for them', () => {
    const patterns = Array.from({ length: 1000 }, (_, index) => `self.matches('(a|b)*c{1,${index % 900}}')`)
    const began = threadCpuMs()
    const found = findingsOf({ ...text, ...rules("self.matches('(')", ...patterns, "self.matches('(')") })
    const ms = threadCpuMs() - began
    const wrong = found.filter((each) => each.includes('invalid matches argument'))
    assert.deepEqual(
      wrong.map((each) => each.slice(0, each.indexOf('.rule'))),
      ['a.x-kubernetes-validations[0]', 'a.x-kubernetes-validations[1]'],
    )
    // Compiling all of them takes 3 s on a machine with nothing else to do; the rest of the work a tenth of a second.
    assert.ok(ms < 2000, `${ms} ms`)
  })
})

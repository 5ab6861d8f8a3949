import fc from 'fast-check'
import type { JsonValue } from '../../../lib/object/index.ts'
import type { Field, StructType, Type } from '../../../lib/schema/index.ts'
import { anyCharacter } from '../../support/anycharacter.ts'

const texts = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  fc.constantFrom(
    '__proto__',
    'constructor',
    '10',
    '9',
    '<&>',
    '\u2028',
    'yes',
    '0644',
    '80:80',
    ' x ',
    'a: b\n- c\n',
    '~',
  ),
)
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const times = fc
  .integer({ min: -62135596799, max: 253402300799 })
  .map((seconds) => new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z'))
// In a JSON text of an embedded value, keys that look like numbers change places; nothing depends on their order.
const embedded = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'grapheme-composite' })
  .filter((value) => value !== null)
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)

/** Typed JSON texts of a struct: what a careful client could send. */
export function objectsOf(struct: StructType, depth: number): fc.Arbitrary<Record<string, unknown>> {
  if (struct.wrapper) {
    const schema = fc.constant({ type: 'string' })
    return { schemaOrBool: fc.oneof(fc.boolean(), schema), schemaOrList: schema, schemaOrStrings: fc.constant(['a']) }[
      struct.wrapper
    ] as fc.Arbitrary<Record<string, unknown>>
  }
  const some = fc.subarray([...struct.fields], { maxLength: Math.min(struct.fields.length, depth > 2 ? 12 : 5) })
  return some.chain((fields) =>
    fc.record(
      Object.fromEntries(fields.map((field) => [field.name, valueOf(field, depth)])) as Record<
        string,
        fc.Arbitrary<unknown>
      >,
    ),
  )
}

function valueOf(field: Field, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: typed(field.type, depth) }, { weight: 1, arbitrary: fc.constant(null) })
}

function typed(type: Type, depth: number): fc.Arbitrary<unknown> {
  switch (type.is) {
    case 'struct':
      return depth <= 0
        ? fc.constant(type.wrapper ? ['schemaOrBool' === type.wrapper, {}][0] || {} : {})
        : objectsOf(type, depth - 1)
    case 'list':
      return fc.array(typed(type.element, depth), { maxLength: 3 })
    case 'map':
      return fc.dictionary(texts, typed(type.element, depth), { maxKeys: 3, noNullPrototype: true })
    case 'any':
      return embedded
    case 'scalar':
      return {
        string: texts,
        bool: fc.boolean(),
        int32,
        int64: fc.oneof(int32, fc.maxSafeInteger()),
        double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        bytes: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')),
        Time: times,
        MicroTime: times.map((time) => time.replace('Z', '.000123Z')),
        Duration: fc.constantFrom('0s', '1h0m0s', '1.5s', '-2ms'),
        Quantity: fc.constantFrom('0', '1', '500m', '1Gi', '1e3', '100M'),
        IntOrString: fc.oneof(int32, texts),
      }[type.scalar]
  }
}

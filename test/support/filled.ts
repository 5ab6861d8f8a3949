import type { StructType, Type } from '../../lib/schema/index.ts'

/** How often a type may be nested in itself. */
const recursionMax = 2

/** An object that has every field of its type, with values that follow from the fields' names alone. */
export function filled(struct: StructType, above: readonly StructType[] = []): Record<string, unknown> {
  if (struct.wrapper !== undefined) return { type: 'string' }
  const inside = [...above, struct]
  const isObject = struct.fields.some(({ name }) => name === 'metadata')
  const entries = struct.fields
    // An object inside of another, such as a claim template, has no kind in protobuf.
    .filter(({ name }) => !isObject || (name !== 'kind' && name !== 'apiVersion'))
    .filter(({ type }) => above.filter((each) => each === innermost(type)).length < recursionMax)
    .map(({ name, type }) => [name, valueOf(type, name, inside)] as const)
  return Object.fromEntries(entries)
}

function innermost(type: Type): Type {
  return type.is === 'list' || type.is === 'map' ? innermost(type.element) : type
}

function valueOf(type: Type, name: string, above: readonly StructType[]): unknown {
  switch (type.is) {
    case 'struct':
      return type.wrapper === 'schemaOrStrings' ? ['a'] : filled(type, above)
    case 'list':
      return [valueOf(type.element, name, above), valueOf(type.element, `${name}2`, above)]
    case 'map':
      return { [`${name}-key`]: valueOf(type.element, name, above), 'a.b/c': valueOf(type.element, 'c', above) }
    case 'any':
      return { [name]: [1, 'two', { three: null }] }
    case 'scalar':
      return scalars[type.scalar](name)
  }
}

const numberOf = (name: string): number => Buffer.from(name).reduce((sum, byte) => (sum * 3 + byte) % 99_991, 7)

const scalars: Readonly<Record<Extract<Type, { is: 'scalar' }>['scalar'], (name: string) => unknown>> = {
  string: (name) => `${name} é<&>`,
  bool: () => true,
  int32: (name) => -numberOf(name),
  int64: (name) => 2 ** 40 + numberOf(name),
  double: (name) => numberOf(name) / 8,
  bytes: (name) => Buffer.from(name).toString('base64'),
  Time: () => '2031-02-03T04:05:06Z',
  MicroTime: () => '2031-02-03T04:05:06.000123Z',
  Duration: () => '1h2m3.5s',
  Quantity: () => '1500m',
  IntOrString: (name) => (numberOf(name) % 2 === 0 ? name : numberOf(name)),
}

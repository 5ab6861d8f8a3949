import type { Field, ScalarName, StructType, Type } from '../../../lib/schema/index.ts'
import type { Dice } from './dice.ts'

const depthMax = 9
const manyItems = 3000

/** Names of objects of the attack, and of others. */
export const names: readonly string[] =
  'x0 x1 x2 x3 x0 x1 x2 x3 x0 x1 x2 x3 x0 x1 x2 x3 config secret on-n1 on-n2 widget default n1 n2 kube-root-ca.crt editor team vault kube-system cluster-admin system:node attack-author'.split(
    ' ',
  )

export const namespaces: readonly string[] =
  'team team team team team team vault vault kube-system default kube-node-lease none'.split(' ')

/** Texts that some parser has misread. */
const oddTexts: readonly string[] = [
  '',
  '*',
  '/',
  '..',
  '../vault/secret',
  '%2e%2e%2f',
  '__proto__',
  'constructor',
  'toString',
  'a/b/c',
  'A',
  '-1',
  '1e400',
  '0x10',
  '\u0000',
  '\ud800',
  '\u202e',
  'é'.repeat(100),
  'a'.repeat(64),
  'a'.repeat(254),
  'a.'.repeat(200),
  'a'.repeat(5000),
  '(a+)+$',
  "'a' == 'a'",
  'object.metadata.name',
  '{.spec..a}',
  '0-2147483647',
  '59 * * 1-8 *',
  '* * * * *',
  '@every 1ns',
  '10.0.0.0/8',
  '::/0',
  '0.0.0.0',
  'https://127.0.0.1:1/',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  'kubernetes.io/kube-apiserver-client',
  'system:masters',
  'system:node:n2',
  'null',
  '~',
  '9999999999999999999999',
]
const plainTexts: readonly string[] = ['a', 'b', 'app', 'v1', 'apps/v1', 'Pod', 'Secret', 'kubernetes.io/os', 'true', 'i:latest'] // biome-ignore format: one line

/** Numbers at the limits of types; `@n@` is a number that no JavaScript number holds (see bytes.ts). */
const int32s = [0, 1, -1, 2, 3, 100, 65_535, 65_536, 2_147_483_647, -2_147_483_648] as const
const int64s = [...int32s, 4_294_967_296, 9_007_199_254_740_991, '@9223372036854775807@', '@-9223372036854775808@'] as const // biome-ignore format: one line
const quantities = ['0', '1', '100m', '-1', '1n', '1Ei', '8Ei', '9223372036854775807', '1e18', '1E-9', '1e300', '2E6024865272343', '0.000000001', '99999999999999999999999'] as const // biome-ignore format: one line
const times = ['2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '1970-01-01T00:00:00+14:00', '2026-02-30T00:00:00Z', null] as const // biome-ignore format: one line
const durations = ['0s', '1s', '-1h', '2562047h47m16.854775807s', '1ns', '1d'] as const

/** A value of the type: mostly valid, often at a limit of the type. */
export function valueOf(type: Type, dice: Dice, field?: Field, depth = 0): unknown {
  switch (type.is) {
    case 'any':
      return anyValue(dice, depth)
    case 'scalar':
      return scalarOf(type.scalar, dice, field)
    case 'list':
      return listOf(type.element, dice, field, depth)
    case 'map': {
      const count = dice.once(200) ? manyItems : dice.below(3)
      const entries = Array.from({ length: count }, (_, index) => [keyOf(dice, index), valueOf(type.element, dice, undefined, depth + 1)] as const) // biome-ignore format: one line
      return Object.fromEntries(entries)
    }
    case 'struct':
      return structOf(type, dice, depth)
  }
}

function listOf(element: Type, dice: Dice, field: Field | undefined, depth: number): unknown[] {
  const isLong = dice.once(200)
  const count = isLong ? manyItems : dice.below(3)
  if (!isLong) return Array.from({ length: count }, () => itemOf(element, dice, field, depth))
  const one = itemOf(element, dice, field, depth + 3)
  return Array.from({ length: count }, (_, index) => (typeof one === 'string' ? `${one}${index}` : one))
}

function itemOf(element: Type, dice: Dice, field: Field | undefined, depth: number): unknown {
  const word = field?.itemEnum && !dice.once(10) ? dice.pickAny(field.itemEnum) : undefined
  return word ?? valueOf(element, dice, undefined, depth + 1)
}

function structOf(type: StructType, dice: Dice, depth: number): unknown {
  if (depth > depthMax) return {}
  // Rarer at greater depth, so that not everything is invalid at once.
  const rarity = 2 + depth
  const chosen = type.fields.filter(
    ({ name, required }) => name !== 'metadata' && (required ? !dice.once(30) : dice.once(rarity)),
  )
  return Object.fromEntries(chosen.map((field) => [field.name, valueOf(field.type, dice, field, depth + 1)]))
}

function keyOf(dice: Dice, index: number): string {
  return dice.once(12) ? dice.pick(oddTexts) : `${dice.pick(['a', 'k', 'kubernetes.io/k', 'app'])}${index}`
}

function scalarOf(scalar: ScalarName, dice: Dice, field?: Field): unknown {
  switch (scalar) {
    case 'string':
      return textOf(dice, field)
    case 'bool':
      return dice.once(2)
    case 'int32':
      return dice.pick(int32s)
    case 'int64':
      return dice.pick<unknown>(int64s)
    case 'double':
      return dice.pick([0, -0.5, 1e308, 1e-308])
    case 'bytes':
      return dice.pick(['', 'AA==', 'LS0tLS1CRUdJTg==', 'A'.repeat(4000)])
    case 'Time':
    case 'MicroTime':
      return dice.pick(times)
    case 'Duration':
      return dice.pick(durations)
    case 'Quantity':
      return dice.pick(quantities)
    case 'IntOrString':
      return dice.pick([0, 1, 2_147_483_647, '1%', '100%', '2147483647%', '-1%', 'http', ''])
  }
}

export function textOf(dice: Dice, field?: Field): string {
  if (field?.enum !== undefined && !dice.once(10)) return dice.pickAny(field.enum) ?? ''
  if (field?.name === 'namespace') return dice.pick(namespaces)
  const choice = dice.below(10)
  if (choice < 4) return dice.pick(names)
  return choice < 8 ? dice.pick(plainTexts) : dice.pick(oddTexts)
}

/** Any JSON; sometimes deep. */
export function anyValue(dice: Dice, depth = 0): unknown {
  if (dice.once(60)) {
    let deep: unknown = 1
    for (let level = dice.pick([50, 300, 2000]); level > 0; level--) deep = dice.once(2) ? [deep] : { a: deep }
    return deep
  }
  const choice = dice.below(depth > 4 ? 4 : 7)
  if (choice === 0) return dice.pick<unknown>(int64s)
  if (choice === 1) return dice.once(2)
  if (choice === 2) return null
  if (choice === 3) return textOf(dice)
  if (choice === 4) return Array.from({ length: dice.below(4) }, () => anyValue(dice, depth + 1))
  return Object.fromEntries(
    Array.from({ length: dice.below(4) }, (_, i) => [keyOf(dice, i), anyValue(dice, depth + 1)]),
  )
}

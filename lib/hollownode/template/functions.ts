import { stringify } from 'yaml'
import { deepEqual } from '../../object/index.ts'
import { formatted } from './format.ts'
import { checkLength, isList, isTree, isTrue, memberOf, printed, typeOf, type Value } from './value.ts'

/** A function of templates. It throws an Error for arguments that it can't take. */
export interface TemplateFunction {
  readonly least: number
  /** Default: as many as `least`. */
  readonly most?: number
  /** It reads every part of its arguments: the time that a part takes, as a share of a step. */
  readonly stepsPerPart?: number
  run(values: readonly Value[]): Value
}

const any = Number.POSITIVE_INFINITY
/** Entries of a list that a function makes. */
const entriesMax = 10_000

const one = (run: (value: Value) => Value): TemplateFunction => ({ least: 1, run: ([value]) => run(value) })
/** A function that reads every part of its arguments. */
const reading = ({ least, most = least, run }: TemplateFunction, stepsPerPart = 1 / 8): TemplateFunction => ({
  least,
  most,
  stepsPerPart,
  run,
})
const two = (run: (left: Value, right: Value) => Value): TemplateFunction => ({
  least: 2,
  run: ([left, right]) => run(left, right),
})
const text = (run: (value: string) => Value): TemplateFunction => one((value) => run(textOf(value)))
const texts = (run: (left: string, right: string) => Value): TemplateFunction =>
  two((left, right) => run(textOf(left), textOf(right)))
const sum = (run: (total: number, value: number) => number): TemplateFunction => ({
  least: 1,
  most: any,
  run: (values) => values.map(integerOf).reduce(run),
})
const compared = (isIn: (order: number) => boolean): TemplateFunction =>
  two((left, right) => isIn(orderOf(left, right)))

/** Those of Go's templates, except for `and` and `or`, which don't evaluate all of their arguments. */
const builtIn: Readonly<Record<string, TemplateFunction>> = {
  not: one((value) => !isTrue(value)),
  eq: reading({ least: 2, most: any, run: ([first, ...others]) => others.some((other) => deepEqual(first, other)) }),
  ne: reading(two((left, right) => !deepEqual(left, right))),
  lt: compared((order) => order < 0),
  le: compared((order) => order <= 0),
  gt: compared((order) => order > 0),
  ge: compared((order) => order >= 0),
  len: one(lengthOf),
  index: { least: 1, most: any, run: ([value, ...keys]) => keys.reduce(entryOf, value) },
  slice: { least: 1, most: 3, run: ([value, from, to]) => sliced(value, from, to) },
  print: reading({ least: 0, most: any, run: printedTogether }),
  println: reading({ least: 0, most: any, run: (values) => `${values.map(printed).join(' ')}\n` }),
  printf: reading({ least: 1, most: any, run: ([form, ...values]) => formatted(textOf(form), values) }),
}

/** Those of the library sprig that templates of stages use. */
const common: Readonly<Record<string, TemplateFunction>> = {
  add: sum((total, value) => total + value),
  add1: one((value) => integerOf(value) + 1),
  coalesce: { least: 0, most: any, run: (values) => values.find(isTrue) },
  contains: texts((part, whole) => whole.includes(part)),
  default: { least: 1, most: 2, run: ([otherwise, value]) => (isTrue(value) ? value : otherwise) },
  dict: { least: 0, most: any, run: dictOf },
  div: two((left, right) => quotient(left, right)),
  empty: one((value) => !isTrue(value)),
  first: one((value) => listOf(value)[0]),
  get: two((value, key) => memberOf(treeOf(value), textOf(key))),
  hasKey: two((value, key) => Object.hasOwn(treeOf(value), textOf(key))),
  hasPrefix: texts((part, whole) => whole.startsWith(part)),
  hasSuffix: texts((part, whole) => whole.endsWith(part)),
  indent: two((count, value) => indented(count, textOf(value))),
  int: one(integerOf),
  int64: one(integerOf),
  join: reading(two((between, values) => joined(textOf(between), listOf(values).map(printed)))),
  keys: one((value) => Object.keys(treeOf(value)).toSorted()),
  last: one((value) => listOf(value).at(-1)),
  list: { least: 0, most: any, run: (values) => values },
  lower: text((value) => value.toLowerCase()),
  mod: two((left, right) => integerOf(left) - quotient(left, right) * integerOf(right)),
  mul: sum((total, value) => total * value),
  nindent: two((count, value) => `\n${indented(count, textOf(value))}`),
  quote: reading(one((value) => JSON.stringify(printed(value)))),
  replace: {
    least: 3,
    run: ([part, by, whole]) => joined(textOf(by), textOf(whole).split(textOf(part))),
  },
  squote: reading(one((value) => `'${printed(value)}'`)),
  sub: two((left, right) => integerOf(left) - integerOf(right)),
  ternary: { least: 3, run: ([left, right, which]) => (isTrue(which) ? left : right) },
  toJson: reading(one((value) => JSON.stringify(value ?? null))),
  toString: reading(one(printed)),
  toYaml: reading(
    one((value) => yamlOf(value).trimEnd()),
    1,
  ),
  trim: text((value) => value.trim()),
  trimPrefix: texts((part, whole) => (whole.startsWith(part) ? whole.slice(part.length) : whole)),
  trimSuffix: texts((part, whole) => (part !== '' && whole.endsWith(part) ? whole.slice(0, -part.length) : whole)),
  until: one((count) => Array.from({ length: boundedCount(count) }, (_, index) => index)),
  upper: text((value) => value.toUpperCase()),
}

/** Those of kwok that need nothing from around. */
const ofStages: Readonly<Record<string, TemplateFunction>> = {
  Quote: reading(one((value) => JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value ?? null)))),
  YAML: reading({ least: 1, most: 2, run: ([value, level = 0]) => shiftedYaml(value, integerOf(level)) }, 1),
}

export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries({ ...builtIn, ...common, ...ofStages }),
)

function fail(why: string): never {
  throw new Error(why)
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : fail(`a ${typeOf(value)} is no string`)
}

function listOf(value: Value): readonly Value[] {
  return isList(value) ? value : fail(`a ${typeOf(value)} is no list`)
}

function treeOf(value: Value): { readonly [key: string]: Value } {
  return isTree(value) ? value : fail(`a ${typeOf(value)} is no map`)
}

/** As sprig reads integers: texts, too, and the whole part of others. */
function integerOf(value: Value): number {
  const number = typeof value === 'boolean' ? Number(value) : Number(value ?? 0)
  return Number.isFinite(number) && !isList(value) && !isTree(value) ? Math.trunc(number) : 0
}

function quotient(left: Value, right: Value): number {
  const divisor = integerOf(right)
  return divisor === 0 ? fail('division by zero') : Math.trunc(integerOf(left) / divisor)
}

function boundedCount(value: Value): number {
  const count = integerOf(value)
  return count >= 0 && count <= entriesMax ? count : fail(`a list has at most ${entriesMax} entries`)
}

function lengthOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (isList(value)) return value.length
  return isTree(value) ? Object.keys(value).length : fail(`a ${typeOf(value)} has no length`)
}

function entryOf(value: Value, key: Value): Value {
  if (isTree(value)) return memberOf(value, textOf(key))
  if (!isList(value)) return fail(`a ${typeOf(value)} has no entries`)
  if (typeof key !== 'number') return fail(`a ${typeOf(key)} is no index of a list`)
  return key >= 0 && key < value.length ? value[key] : fail(`the index ${key} is out of range`)
}

function sliced(value: Value, from: Value = 0, to?: Value): Value {
  if (typeof value !== 'string' && !isList(value)) return fail(`a ${typeOf(value)} can't be sliced`)
  const end = to === undefined ? value.length : integerOf(to)
  const begin = integerOf(from)
  return begin >= 0 && begin <= end && end <= value.length
    ? value.slice(begin, end)
    : fail(`the slice ${begin} to ${end} is out of range`)
}

function orderOf(left: Value, right: Value): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  return fail(`a ${typeOf(left)} and a ${typeOf(right)} can't be compared`)
}

/** With spaces between values neither of which is a string. */
function printedTogether(values: readonly Value[]): string {
  return values.reduce<string>((whole, value, index) => {
    const needsSpace = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string'
    return `${whole}${needsSpace ? ' ' : ''}${printed(value)}`
  }, '')
}

function dictOf(values: readonly Value[]): Value {
  const entries: [string, Value][] = []
  for (let at = 0; at < values.length; at += 2) entries.push([printed(values[at]), values[at + 1] ?? ''])
  return Object.fromEntries(entries)
}

function joined(between: string, texts: readonly string[]): string {
  checkLength(texts.reduce((total, each) => total + each.length + between.length, 0))
  return texts.join(between)
}

function indented(count: Value, value: string): string {
  const pad = ' '.repeat(Math.min(1000, Math.max(0, integerOf(count))))
  return pad + joined(`\n${pad}`, value.split('\n'))
}

function yamlOf(value: Value): string {
  return stringify(value ?? null, { lineWidth: 0 })
}

/** A level is two spaces; a shifted text begins on its own line. */
function shiftedYaml(value: Value, level: number): string {
  const whole = yamlOf(value)
  return level > 0 ? joined(`\n${'  '.repeat(Math.min(level, 50))}`, ['', ...whole.split('\n')]) : whole
}

import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js'
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js'
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js'
import { formatType } from '../../lib/cel/check/types.ts'
import {
  type CelType,
  fromValue,
  ListValue,
  MapValue,
  ObjectValue,
  Optional,
  types,
  type Value,
} from '../../lib/cel/index.ts'
import { equals } from '../../lib/cel/run/compare.ts'
import {
  ArrayList,
  Bytes,
  Double,
  Duration,
  EntryMap,
  type MapKey,
  normalizeInt,
  Timestamp,
  TypeValue,
  Uint,
} from '../../lib/cel/run/values.ts'

/** One case of the CEL conformance data, as JSON of cel.expr.conformance.test.SimpleTest. */
export interface SpecCase {
  /** `basic/self_eval_zeroish/self_eval_int_zero` */
  readonly path: string
  readonly original: SpecTest
  /** The result type of the Go implementation. */
  readonly type?: string
  readonly error?: string
}

export interface SpecTest {
  readonly name?: string
  readonly expr: string
  readonly disableMacros?: boolean
  readonly disableCheck?: boolean
  readonly checkOnly?: boolean
  readonly container?: string
  readonly typeEnv?: readonly { name: string; ident?: { type: SpecType }; function?: unknown }[]
  readonly bindings?: Readonly<Record<string, { value?: SpecValue }>>
  readonly value?: SpecValue
  readonly typedResult?: { readonly result?: SpecValue; readonly deducedType?: SpecType }
  readonly evalError?: unknown
  readonly anyEvalErrors?: unknown
  readonly unknown?: unknown
}

export type SpecType = Readonly<Record<string, unknown>>
type SpecValue = Readonly<Record<string, unknown>>

interface Suite {
  readonly name: string
  readonly suites?: readonly Suite[]
  readonly tests?: readonly { readonly original: unknown; readonly type?: string; readonly error?: string }[]
}

function flatten(suite: Suite, prefix: string): SpecCase[] {
  const own = (suite.tests ?? []).map((test) => {
    const original = test.original as SpecTest
    return {
      path: `${prefix}/${original.name ?? original.expr}`,
      original,
      ...(test.type === undefined ? {} : { type: test.type }),
      ...(test.error === undefined ? {} : { error: test.error }),
    }
  })
  return [
    ...own,
    ...(suite.suites ?? []).flatMap((child) => flatten(child, prefix === '' ? child.name : `${prefix}/${child.name}`)),
  ]
}

export const conformanceCases = (): SpecCase[] => flatten(tests, '')
export const parsingCases = (): SpecCase[] => flatten(parsing, '')
export const checkingCases = (): SpecCase[] => flatten(checking, '')

/** Needs messages, enums or wrappers of protobuf, which no expression of the API can meet. */
export function needsProtobuf({ original }: SpecCase): boolean {
  return /TestAllTypes|NestedTestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|google\.(?:expr|api|type)|proto[23]|objectValue|messageType|wellKnown":"ANY|"wrapper"|GlobalEnum|"container":"google.protobuf/.test(
    JSON.stringify(original),
  )
}

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: types.bool,
  INT64: types.int,
  UINT64: types.uint,
  DOUBLE: types.double,
  STRING: types.string,
  BYTES: types.bytes,
}

export function specType(type: SpecType): CelType {
  const part = (name: string): SpecType => (type[name] ?? { dyn: {} }) as SpecType
  if (typeof type['primitive'] === 'string') return primitives[type['primitive']] ?? types.dyn
  if (type['wellKnown'] === 'TIMESTAMP') return types.timestamp
  if (type['wellKnown'] === 'DURATION') return types.duration
  if ('null' in type) return types.null
  if ('listType' in type) return types.list(specType((part('listType')['elemType'] ?? { dyn: {} }) as SpecType))
  if ('mapType' in type) {
    const map = part('mapType')
    return types.map(
      specType((map['keyType'] ?? { dyn: {} }) as SpecType),
      specType((map['valueType'] ?? { dyn: {} }) as SpecType),
    )
  }
  if ('type' in type) return types.typeOf(specType(part('type')))
  if (typeof type['typeParam'] === 'string') return types.param(type['typeParam'])
  if ('abstractType' in type) {
    const abstract = part('abstractType')
    const parameters = ((abstract['parameterTypes'] ?? []) as SpecType[]).map(specType)
    return { kind: 'opaque', name: String(abstract['name']), parameters }
  }
  return types.dyn
}

const typeValues: Readonly<Record<string, CelType>> = {
  bool: types.bool,
  int: types.int,
  uint: types.uint,
  double: types.double,
  string: types.string,
  bytes: types.bytes,
  list: types.list(types.dyn),
  map: types.map(types.dyn, types.dyn),
  null_type: types.null,
  type: types.type,
}

export function specValue(value: SpecValue): Value {
  const [[kind, raw] = ['nullValue', null]] = Object.entries(value)
  switch (kind) {
    case 'boolValue':
    case 'stringValue':
      return raw as boolean | string
    case 'int64Value':
      return normalizeInt(BigInt(raw as string))
    case 'uint64Value':
      return new Uint(normalizeInt(BigInt(raw as string)))
    case 'doubleValue':
      return new Double(Number(raw))
    case 'bytesValue':
      return new Bytes(Buffer.from(raw as string, 'base64'))
    case 'listValue':
      return new ArrayList((((raw as SpecValue)['values'] ?? []) as SpecValue[]).map(specValue))
    case 'mapValue': {
      const entries = ((raw as SpecValue)['entries'] ?? []) as { key: SpecValue; value: SpecValue }[]
      return new EntryMap(entries.map((entry) => [specValue(entry.key) as MapKey, specValue(entry.value)] as const))
    }
    case 'typeValue': {
      const name = String(raw)
      return new TypeValue(typeValues[name] ?? types.dyn, name)
    }
    case 'objectValue':
      return specMessage(raw as SpecValue)
    default:
      return null
  }
}

function specMessage(raw: SpecValue): Value {
  const text = String(raw['value'])
  if (String(raw['@type']).endsWith('Timestamp')) {
    const date = new Date(text)
    const nanos = Number((/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(9, '0'))
    return new Timestamp(Math.floor(date.getTime() / 1000), nanos)
  }
  const [whole = '0', fraction = ''] = text.replace('s', '').split('.')
  const sign = text.startsWith('-') ? -1n : 1n
  return new Duration(BigInt(whole) * 1_000_000_000n + sign * BigInt(fraction.padEnd(9, '0')))
}

/** Same type and equal: unlike CEL's equality, 1 is not 1.0, and NaN is NaN. */
export function sameValue(a: Value, b: Value): boolean {
  if (a instanceof Double && b instanceof Double) return Object.is(a.value, b.value) || a.value === b.value
  if (typeof a !== typeof b && !(typeof a === 'number' || typeof a === 'bigint')) return false
  if (a instanceof ListValue && b instanceof ListValue) {
    return a.size === b.size && [...a].every((item, index) => sameValue(item, b.at(index)))
  }
  if (a instanceof MapValue && b instanceof MapValue) {
    return a.size === b.size && [...a.keys()].every((key) => sameValue(a.get(key) ?? null, b.get(key) ?? null))
  }
  if (typeof a === 'object' && typeof b === 'object' && a?.constructor !== b?.constructor) return false
  return equals(a, b)
}

export function show(value: Value): string {
  if (value instanceof TypeValue) return `type ${formatType(value.type)}`
  if (value instanceof Optional)
    return value.value === undefined ? 'optional.none()' : `optional.of(${show(value.value)})`
  if (value instanceof Double) return `double ${value.value}`
  if (value instanceof Uint) return `${value.value}u`
  if (value instanceof ObjectValue) return value.typeName
  try {
    return JSON.stringify(fromValue(value), (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item))
  } catch {
    return Object.prototype.toString.call(value)
  }
}

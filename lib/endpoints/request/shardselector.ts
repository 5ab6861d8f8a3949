import type { Selectable } from '../../cache/index.ts'
import { type Expr, operators, parseText, qualifiedName } from '../../cel/index.ts'
import { readObjectMeta } from '../../codec/index.ts'
import { quote } from '../../object/index.ts'

/** The part of a collection that a client asked for, by the hash of a field (KEP-5866). */
export interface ShardSelector {
  /** Equal keys mean equal parts. */
  readonly key: string
  includes(entry: Selectable): boolean
}

/** From `start`, up to and without `end`, in the space of 64-bit hashes. */
interface HashRange {
  readonly field: string
  readonly start: bigint
  readonly end: bigint
}

const uidField = 'object.metadata.uid'
const namespaceField = 'object.metadata.namespace'
/** Characters of a selector, and ranges in one. */
const charactersMax = 16 * 1024
const depthMax = 250
const digits = 16
const endOfSpace = '0x10000000000000000'

/**
 * `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')`, or several joined by `||`. Throws Error
 * with the stock server's message.
 */
export function parseShardSelector(text: string): ShardSelector {
  if (text.trim() === '')
    throw new Error('empty shard selector is not allowed; omit the parameter for unfiltered lists')
  const ranges = rangesOf(parsedExpression(text))
  const [first] = ranges
  const other = ranges.find(({ field }) => field !== first?.field)
  if (first && other)
    throw new Error(`all shard ranges must use the same field, got ${quote(first.field)} and ${quote(other.field)}`)
  const valueOf = first?.field === uidField ? uidOf : namespaceOf
  return {
    key: ranges.map(({ field, start, end }) => `${field} ${start} ${end}`).join(','),
    includes(entry) {
      const hash = hashOf(valueOf(entry))
      return ranges.some(({ start, end }) => start <= hash && hash < end)
    },
  }
}

function parsedExpression(text: string): Expr {
  try {
    return parseText(text, { sizeMax: charactersMax, depthMax })
  } catch (error) {
    throw new Error(`CEL parse error: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function rangesOf(expr: Expr): HashRange[] {
  if (expr.kind !== 'call')
    throw new Error(`unexpected expression kind ${expr.kind}; expected shardRange() call or || operator`)
  if (expr.name === operators.or) return expr.args.flatMap(rangesOf)
  if (expr.name !== 'shardRange')
    throw new Error(`unsupported function ${quote(expr.name)}; only shardRange() and || are allowed`)
  return [rangeOf(expr.args)]
}

function rangeOf(args: readonly Expr[]): HashRange {
  const [path, from, to] = args
  if (args.length !== 3 || !path || !from || !to)
    throw new Error(`shardRange() requires exactly 3 arguments, got ${args.length}`)
  const field = qualifiedName(path)
  if (field === undefined)
    throw new Error(
      `shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${path.kind}`,
    )
  if (field !== uidField && field !== namespaceField)
    throw new Error(`unsupported field path ${quote(field)}; supported: ${uidField}, ${namespaceField}`)
  const [start, end] = [hexOf(from, 'hexStart'), hexOf(to, 'hexEnd')]
  if (BigInt(start) >= BigInt(end)) throw new Error(`shard range start ${start} must be less than end ${end}`)
  return { field, start: BigInt(start), end: BigInt(end) }
}

function hexOf(expr: Expr, name: string): string {
  if (expr.kind !== 'literal')
    throw new Error(`${name} must be a string literal (e.g. '0xff'), got expression kind ${expr.kind}`)
  const { value } = expr
  if (typeof value !== 'string') throw new Error(`${name} must be a string literal, got ${expr.type}`)
  if (!value.startsWith('0x')) throw new Error(`${name} must have '0x' prefix, got ${quote(value)}`)
  const hex = value.slice(2)
  if (hex === '') throw new Error(`${name}: hex value is required after '0x'`)
  if (hex.length > digits + 1)
    throw new Error(`${name}: hex value too long (${hex.length} chars, max ${digits + 1}): ${quote(hex)}`)
  const wrong = /[^0-9a-f]/u.exec(hex)
  if (wrong) throw new Error(`${name}: invalid hex character ${quote(wrong[0])} in ${quote(value)}`)
  if (hex.length === digits + 1 && value !== endOfSpace)
    throw new Error(`${name}: 17-digit hex value must be '${endOfSpace}' (2^64), got ${quote(value)}`)
  if (hex.length < digits) {
    const meant = `0x${hex.padStart(digits, '0')}`
    throw new Error(
      `${name} must be a 0x-prefixed 16-digit hex value, got ${quote(value)} (did you mean ${quote(meant)}?)`,
    )
  }
  return value
}

function uidOf(entry: Selectable): string {
  return readObjectMeta(entry.stored).uid
}

/** '' for objects without. */
function namespaceOf(entry: Selectable): string {
  return entry.fields()['metadata.namespace'] ?? ''
}

const word = 2 ** 32
/** The prime is 2^40 + this. */
const primeLow = 0x1b3

/**
 * FNV-1a of 64 bits over the UTF-8 of the text. In two words of 32 bits, whose products are exact: every entry of a list
 * is hashed, and BigInt takes twenty times as long.
 */
export function hashOf(text: string): bigint {
  let high = 0xcbf29ce4
  let low = 0x84222325
  for (const byte of Buffer.from(text)) {
    low = (low ^ byte) >>> 0
    const product = low * primeLow
    high = (high * primeLow + Math.floor(product / word) + ((low << 8) >>> 0)) >>> 0
    low = product >>> 0
  }
  return (BigInt(high) << 32n) | BigInt(low)
}

import { isRecord } from '../../base/index.ts'
import { parseOwnJson } from '../json/decode.ts'
import type { ListFrame } from '../json/frame.ts'
import { writeJson } from '../json/write.ts'
import { resolveScalar } from './scalar.ts'

/** A JSON value as YAML: keys of every map sorted, lists at their parent's indentation, a newline at the end. */
export function encodeYaml(value: unknown): Uint8Array {
  return Buffer.concat(Array.from(yamlChunks(value)))
}

/** Encodes like encodeYaml, in chunks of some thousand lines, made on demand. */
export function* yamlChunks(value: unknown): Generator<Uint8Array> {
  const lines = new Lines()
  yield* writeBlock(value, '', '', lines)
  yield* lines.rest()
}

/**
 * A list or a table in the YAML of `encodeYaml`, made on demand, item by item. `frame`: the JSON around the items;
 * `field`: the list's name in it. Each of `items` is the JSON of one.
 */
export function* yamlListChunks(
  { head, tail }: Pick<ListFrame, 'head' | 'tail'>,
  field: 'items' | 'rows',
  items: Iterable<Uint8Array>,
): Generator<Uint8Array> {
  const frame = parseOwnJson(Buffer.concat([head, tail])) as Record<string, unknown>
  const lines = new Lines()
  for (const name of Object.keys(frame).sort()) {
    if (name !== field) {
      yield* writeBlock(frame[name], `${quoted(name)}:`, '', lines)
      continue
    }
    let isEmpty = true
    for (const item of items) {
      if (isEmpty) lines.push(`${field}:`)
      isEmpty = false
      yield* writeBlock(parseOwnJson(item), '- ', '  ', lines)
    }
    if (isEmpty) lines.push(`${field}: []`)
  }
  yield* lines.rest()
}

/**
 * Values with a deeper indentation are written on one line, as JSON, which is YAML: indenting 100,000 of them at a
 * thousand levels would take 200 MB. Real objects nest to some forty levels, in the schemas of definitions.
 */
const indentMax = 128
/** Maximum indentation of a text's lines for each of its bytes; other texts are quoted. */
const indentedPerByte = 8
/** Size of a chunk: writing its lines takes a millisecond or two. */
const [linesAChunk, charactersAChunk] = [1000, 64 * 1024]

class Lines {
  #texts: string[] = []
  #characters = 0

  push(text: string): void {
    this.#texts.push(text)
    this.#characters += text.length
  }
  get isFull(): boolean {
    return this.#texts.length >= linesAChunk || this.#characters >= charactersAChunk
  }
  take(): Uint8Array {
    const bytes = Buffer.from(`${this.#texts.join('\n')}\n`, 'utf8')
    this.#texts = []
    this.#characters = 0
    return bytes
  }
  *rest(): Generator<Uint8Array> {
    if (this.#texts.length > 0) yield this.take()
  }
}

/** Writes a value whose first line begins with `lead` (`key:`, `- `), the further ones with `indent`. */
function* writeBlock(value: unknown, lead: string, indent: string, lines: Lines): Generator<Uint8Array> {
  const isNested = typeof value === 'object' && value !== null
  if (isNested && indent.length > indentMax) lines.push(joined(lead, writeJson(value)))
  else if (Array.isArray(value) && value.length > 0) {
    // A list under a key starts on its own line, at the key's indentation.
    if (lead.endsWith(':')) lines.push(lead)
    const first = lead.endsWith(':') || lead === '' ? indent : lead
    for (const [index, item] of value.entries()) {
      const start = index === 0 ? first : indent
      yield* writeBlock(item, `${start}- `, `${indent}  `, lines)
    }
  } else if (isRecord(value) && Object.keys(value).length > 0) yield* writeMap(value, lead, indent, lines)
  else lines.push(joined(lead, scalar(value, indent)))
  if (lines.isFull) yield lines.take()
}

function* writeMap(
  map: Readonly<Record<string, unknown>>,
  lead: string,
  indent: string,
  lines: Lines,
): Generator<Uint8Array> {
  const nested = lead.endsWith(':')
  if (nested) lines.push(lead)
  const inner = nested ? `${indent}  ` : indent
  let start = nested || lead === '' ? inner : lead
  for (const key of Object.keys(map).sort()) {
    if (map[key] === undefined) continue
    yield* writeBlock(map[key], `${start}${quoted(key)}:`, inner, lines)
    start = inner
  }
}

function joined(lead: string, text: string): string {
  return lead.endsWith(':') ? `${lead} ${text}` : lead + text
}

function scalar(value: unknown, indent: string): string {
  if (typeof value === 'string') {
    const fits = blockFits.test(value) && !isMostlyIndentation(value, indent)
    return fits ? literal(value, indent) : quoted(value)
  }
  if (Array.isArray(value)) return '[]'
  return isRecord(value) ? '{}' : String(value)
}

/**
 * Multi-line texts that a literal block can show: no other control characters, no spaces at a line's end, no first
 * space.
 */
const blockFits =
  /^(?![ \n])(?:[^\p{Cc}\p{Cs}\u2028\u2029\ufeff]|[\t])*(?:\n(?:[^\p{Cc}\p{Cs}\u2028\u2029\ufeff]|[\t])*)+$/u

function isMostlyIndentation(text: string, indent: string): boolean {
  return text.split('\n').length * indent.length > indentedPerByte * text.length
}

function literal(text: string, indent: string): string {
  const ends = text.endsWith('\n')
  const chomp = !ends ? '-' : text.endsWith('\n\n') ? '+' : ''
  const lines = (ends ? text.slice(0, -1) : text).split('\n')
  return [`|${chomp}`, ...lines.map((line) => (line === '' ? '' : `${indent}  ${line}`))].join('\n')
}

/** Texts that need no quotes anywhere: they begin no other construct, and contain no `: ` or ` #`. */
const plain =
  /^[^\p{Cc}\p{Cs}\u2028\u2029\ufeff\s!"#%&'*,\-:>?@[\]`{|}=<~](?:[^\p{Cc}\p{Cs}\u2028\u2029\ufeff:#]|:(?! |$)|(?<! )#)*$/u

function quoted(text: string): string {
  const needsNoQuotes = plain.test(text) && !/\s$/.test(text) && resolvesToItself(text) && !otherScalar.test(text)
  return needsNoQuotes ? text : JSON.stringify(text)
}

/** Texts that other parsers of YAML 1.1 read as a time, or as a number to the base of 60. */
const otherScalar = /^(?:\d{4}-\d\d?-\d\d?|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$)/

function resolvesToItself(text: string): boolean {
  try {
    return resolveScalar(text) === text
  } catch {
    return false
  }
}

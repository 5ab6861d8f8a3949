import { isRecord, runSlices, type Slices } from '../../base/index.ts'
import { parseOwnJson } from '../json/decode.ts'
import { topFields } from '../json/topfields.ts'
import { writeJson } from '../json/write.ts'
import { ListParts } from '../listparts.ts'
import { resolveScalar } from './scalar.ts'

/** A JSON value as YAML: keys of every map sorted, lists at their parent's indentation, a line end at the end. */
export function encodeYaml(value: unknown): Uint8Array {
  return runSlices(encodeYamlInSlices(value))
}

/** As encodeYaml, with pauses. */
export function* encodeYamlInSlices(value: unknown): Slices<Uint8Array> {
  const lines = new Lines()
  yield* writeBlock(value, '', '', lines)
  return lines.bytes()
}

/**
 * A JSON object in parts that is put together already, a list or a table, as the YAML that `encodeYaml` writes: item by
 * item. Yields now and then, so that others get their turn.
 */
export function* yamlFromJson(parts: readonly Uint8Array[]): Slices<ListParts> {
  const fields = yield* topFields(parts)
  const yaml = new ListParts()
  for (const field of fields.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const lead = `${quoted(field.name)}:`
    const lines = new Lines()
    if (field.items === undefined || field.items.length === 0) {
      yield* writeBlock(field.items ? [] : parseOwnJson(field.text), lead, '', lines)
      yaml.add(lines.bytes())
      continue
    }
    lines.push(lead)
    yaml.add(lines.bytes())
    for (const item of field.items) {
      const ofItem = new Lines()
      yield* writeBlock(parseOwnJson(item), '- ', '  ', ofItem)
      yaml.add(ofItem.bytes())
      yield undefined
    }
  }
  return yaml
}

/**
 * Values that are indented deeper stand on one line, as JSON, which is YAML: the spaces of 100,000 of them at a thousand
 * levels would be 200 MB. Real objects nest to forty levels or so, in the schemas of definitions.
 */
const indentMax = 128
/** Lines of a text may be indented by this many bytes for each of its own; others are quoted. */
const indentedPerByte = 8
/** Lines between two pauses: they take some milliseconds. */
const linesASlice = 2000

class Lines {
  readonly #texts: string[] = []
  #pauseAt = linesASlice

  push(text: string): void {
    this.#texts.push(text)
  }
  isPauseDue(): boolean {
    const isDue = this.#texts.length >= this.#pauseAt
    if (isDue) this.#pauseAt = this.#texts.length + linesASlice
    return isDue
  }
  bytes(): Uint8Array {
    return Buffer.from(`${this.#texts.join('\n')}\n`, 'utf8')
  }
}

/** Writes a value whose first line begins with `lead` (`key:`, `- `), the further ones with `indent`. */
function* writeBlock(value: unknown, lead: string, indent: string, lines: Lines): Slices<void> {
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
  if (lines.isPauseDue()) yield
}

function* writeMap(map: Readonly<Record<string, unknown>>, lead: string, indent: string, lines: Lines): Slices<void> {
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

/** Several lines without what a literal block can't show: other control characters, spaces at a line's end, a first space. */
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

/** Texts that need no quotes in any place: they start no other construct, and hold no `: ` or ` #`. */
const plain =
  /^[^\p{Cc}\p{Cs}\u2028\u2029\ufeff\s!"#%&'*,\-:>?@[\]`{|}=<~](?:[^\p{Cc}\p{Cs}\u2028\u2029\ufeff:#]|:(?! |$)|(?<! )#)*$/u

function quoted(text: string): string {
  const needsNoQuotes = plain.test(text) && !/\s$/.test(text) && resolvesToItself(text) && !otherScalar.test(text)
  return needsNoQuotes ? text : JSON.stringify(text)
}

/** Texts that other readers of YAML 1.1 take for a time, or for a number to the base of 60. */
const otherScalar = /^(?:\d{4}-\d\d?-\d\d?|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$)/

function resolvesToItself(text: string): boolean {
  try {
    return resolveScalar(text) === text
  } catch {
    return false
  }
}

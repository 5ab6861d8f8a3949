import type { JsonValue } from '../object/index.ts'
import { decodeCborSequence } from './cbor/decode.ts'
import { DecodeError } from './error.ts'
import { decodeUntyped } from './json/untyped.ts'
import { hasEnvelope } from './protobuf/envelope.ts'
import { decodeYaml } from './yaml/decode.ts'

/** One object of a file, or the error in it. */
export interface Document {
  /** Line of the file on which it begins, or of the error; undefined in binary formats. */
  readonly line: number | undefined
  readonly content:
    | { readonly is: 'value'; readonly value: JsonValue; readonly duplicates: readonly string[] }
    /** Bytes that begin with the magic number of the protobuf envelope. */
    | { readonly is: 'protobuf'; readonly bytes: Uint8Array }
    | { readonly is: 'failure'; readonly message: string }
}

const selfDescribedCbor = [0xd9, 0xd9, 0xf7]

/**
 * The objects of a file: YAML documents, concatenated JSON objects, a CBOR sequence, or one protobuf envelope; the
 * first bytes show the format. Documents with only comments are left out.
 */
export function splitDocuments(bytes: Uint8Array): Document[] {
  if (hasEnvelope(bytes)) return [{ line: undefined, content: { is: 'protobuf', bytes } }]
  if (selfDescribedCbor.every((byte, index) => bytes[index] === byte)) return splitCbor(bytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  return /^\s*\{/.test(text) && !/^---/m.test(text) ? splitJson(text) : splitYaml(text)
}

function splitCbor(bytes: Uint8Array): Document[] {
  try {
    return decodeCborSequence(bytes).map((value) => ({
      line: undefined,
      content: { is: 'value', value, duplicates: [] },
    }))
  } catch (error) {
    return [failed(error, 1)]
  }
}

/** A document begins at a line `---`, also one with a comment after it. */
const documentStart = /^---(\s|$)/
const documentEnd = /^\.\.\.\s*$/
const nothing = /^\s*(#.*)?$/

function splitYaml(text: string): Document[] {
  const documents: Document[] = []
  let lines: string[] = []
  let first = 1
  const close = (next: number): void => {
    const skipped = lines.findIndex((line) => !nothing.test(line))
    if (skipped >= 0) documents.push(readYaml(lines.slice(skipped), first + skipped))
    lines = []
    first = next
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (documentStart.test(line)) {
      close(index + 1)
      // The rest of the line after the mark belongs to the document.
      lines.push(line.slice(3))
    } else if (documentEnd.test(line)) close(index + 2)
    else lines.push(line)
  }
  close(0)
  return documents
}

function readYaml(lines: readonly string[], line: number): Document {
  try {
    const { value, duplicates } = decodeYaml(Buffer.from(lines.join('\n')))
    return { line, content: { is: 'value', value, duplicates: duplicates.map((each) => moved(each, line)) } }
  } catch (error) {
    return failed(error, line)
  }
}

/** `line 2: …` of a document that begins on line 5 is line 6 of the file. */
function moved(message: string, first: number): string {
  return message.replace(/^line (\d+)/, (_, line: string) => `line ${Number(line) + first - 1}`)
}

/** Concatenated values; a text that ends within a value is read up to its end, so that the error says this. */
function splitJson(text: string): Document[] {
  const documents: Document[] = []
  let line = 1
  const next = /\S/g
  for (let at = 0; ; ) {
    next.lastIndex = at
    const start = next.exec(text)?.index
    if (start === undefined) return documents
    line += count(text, at, start)
    at = endOfValue(text, start)
    documents.push(readJson(text.slice(start, at), line))
    line += count(text, start, at)
  }
}

function readJson(text: string, line: number): Document {
  try {
    const { value, strictErrors } = decodeUntyped(Buffer.from(text), { strict: true })
    return { line, content: { is: 'value', value, duplicates: strictErrors } }
  } catch (error) {
    return failed(error, line)
  }
}

/** Where the object that begins at `start` ends: after the bracket that closes its first one. Skips strings. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth <= 0) return at + 1
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function count(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** `first`: the line on which the document begins. */
function failed(error: unknown, first: number): Document {
  if (!(error instanceof DecodeError)) throw error
  const message = error.message.replace(/^yaml: line \d+: /, 'yaml: ')
  return { line: first + (error.line ?? 1) - 1, content: { is: 'failure', message } }
}

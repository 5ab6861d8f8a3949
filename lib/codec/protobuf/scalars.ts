import {
  canonicalMicroTime,
  canonicalQuantity,
  canonicalTime,
  formatDuration,
  formatTime,
  isPlainTime,
  parseDuration,
  parseTime,
  plainSecondsOf,
} from '../../object/index.ts'
import { writeJson as jsonText } from '../json/write.ts'
import { embeddedObject } from '../typed/embedded.ts'
import type { ProtobufReader } from './protobufreader.ts'
import type { ProtobufWriter } from './protobufwriter.ts'

// Scalars that are messages in protobuf. Readers expect the reader before the length; writers write tag and length.

const varint = 0
const length = 2
const field = (number: number, wireType: number): number => (number << 3) | wireType

/** {seconds=1, nanos=2}; an empty message is the zero time, which is absent here. */
export function readTime(reader: ProtobufReader): string | undefined {
  const stamp = readTimestamp(reader)
  return stamp && formatStamp(stamp.seconds)
}

export function readMicroTime(reader: ProtobufReader): string | undefined {
  const stamp = readTimestamp(reader)
  return stamp && formatMicroStamp(stamp.seconds, stamp.nanos)
}

export function formatMicroStamp(seconds: number, nanos: number): string {
  const micros = String(Math.trunc(nanos / 1000)).padStart(6, '0')
  return `${formatStamp(seconds).slice(0, -1)}.${micros}Z`
}

function readTimestamp(reader: ProtobufReader): { seconds: number; nanos: number } | undefined {
  const outer = reader.enter()
  let seconds = 0
  let nanos = 0
  const empty = reader.pos === reader.end
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === field(1, varint)) seconds = Number(reader.int64())
    else if (tag === field(2, varint)) nanos = reader.int32()
    else reader.skip(tag)
  }
  reader.leave(outer)
  return empty ? undefined : { seconds, nanos }
}

export function writeTime(writer: ProtobufWriter, tag: number, text: string | undefined | null): void {
  const mark = writer.mark()
  if (text !== undefined && text !== null) writeTimestamp(writer, secondsOf(text), 0)
  writer.length(tag, mark)
}

export function writeMicroTime(writer: ProtobufWriter, tag: number, text: string | undefined | null): void {
  const mark = writer.mark()
  if (text !== undefined && text !== null) {
    const canonical = microText.test(text) ? text : canonicalMicroTime(text)
    writeTimestamp(writer, secondsOf(`${canonical.slice(0, 19)}Z`), Number(canonical.slice(20, 26)) * 1000)
  }
  writer.length(tag, mark)
}

const microText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

function writeTimestamp(writer: ProtobufWriter, seconds: number, nanos: number): void {
  writer.int32(nanos)
  writer.uint32(field(2, varint))
  writer.int64(seconds)
  writer.uint32(field(1, varint))
}

/** Beyond Date's range, its nearest time. */
export function formatStamp(seconds: number): string {
  const limit = 8.64e12
  return formatTime(Math.max(-limit, Math.min(limit, seconds)) * 1000)
}

function secondsOf(text: string): number {
  return isPlainTime(text) ? plainSecondsOf(text) : Math.floor(parseTime(canonicalTime(text)) / 1000)
}

/** {duration=1} in nanoseconds. */
export function readDuration(reader: ProtobufReader): string {
  const outer = reader.enter()
  let duration: number | bigint = 0
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === field(1, varint)) duration = reader.int64()
    else reader.skip(tag)
  }
  reader.leave(outer)
  return formatDuration(BigInt(duration))
}

export function writeDuration(writer: ProtobufWriter, tag: number, text: string): void {
  const mark = writer.mark()
  writer.int64(parseDuration(text))
  writer.uint32(field(1, varint))
  writer.length(tag, mark)
}

/** {string=1}; invalid quantities from clients are refused, and others made canonical, as from JSON. */
export function readQuantity(reader: ProtobufReader): string {
  const outer = reader.enter()
  let text = '0'
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === field(1, length)) text = reader.isSent ? canonicalQuantity(reader.string()) : reader.string()
    else reader.skip(tag)
  }
  reader.leave(outer)
  return text
}

export function writeQuantity(writer: ProtobufWriter, tag: number, text: string): void {
  const mark = writer.mark()
  writer.string(field(1, length), text)
  writer.length(tag, mark)
}

/** {type=1 (0 number, 1 string), intVal=2, strVal=3}. */
export function readIntOrString(reader: ProtobufReader): number | string {
  const outer = reader.enter()
  let isString = false
  let number = 0
  let text = ''
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === field(1, varint)) isString = reader.int32() === 1
    else if (tag === field(2, varint)) number = reader.int32()
    else if (tag === field(3, length)) text = reader.string()
    else reader.skip(tag)
  }
  reader.leave(outer)
  return isString ? text : number
}

export function writeIntOrString(writer: ProtobufWriter, tag: number, value: number | string): void {
  const mark = writer.mark()
  const isString = typeof value === 'string'
  writer.string(field(3, length), isString ? value : '')
  writer.int32(isString ? 0 : value)
  writer.uint32(field(2, varint))
  writer.uint32(isString ? 1 : 0)
  writer.uint32(field(1, varint))
  writer.length(tag, mark)
}

/** {raw=1}: the text of an embedded JSON value; an empty message is no value. */
export function readJson(reader: ProtobufReader): unknown {
  const outer = reader.enter()
  let value: unknown = null
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === field(1, length)) value = reader.json()
    else reader.skip(tag)
  }
  reader.leave(outer)
  return value
}

export function writeJson(writer: ProtobufWriter, tag: number, value: unknown): void {
  writeEmbedded(writer, tag, value, { ordered: false })
}

/** Writes the text of an embedded object. */
export function writeEmbeddedObject(writer: ProtobufWriter, tag: number, value: unknown): void {
  const context = { ordered: false }
  writeEmbedded(writer, tag, embeddedObject(value, context), context)
}

function writeEmbedded(
  writer: ProtobufWriter,
  tag: number,
  tree: unknown,
  options: { readonly ordered: boolean },
): void {
  const mark = writer.mark()
  if (tree !== undefined && tree !== null) writer.string(field(1, length), jsonText(tree, options))
  writer.length(tag, mark)
}

import protobuf from 'protobufjs/minimal.js'
import type { Json } from './schemas.ts'

/**
 * The protobuf form of a JSON value: the number of its field and
 *   string, bool, double, integer   a scalar    strings   a list of strings (a bare string counts as a list of one)
 *   any                       any JSON value    anys      a list of them
 *   M, M[]                    a message, a list of messages
 *   {M}                       a message that wraps a map: one repeated field (1) of name (1) and value (2)
 */
export type FieldForm = readonly [number: number, form: string]
export type MessageFields = Readonly<Record<string, FieldForm>>

/** A message as a table by the JSON names of its fields. Keys that start with `x-` are in `extensions`. */
export interface Message {
  readonly fields: MessageFields
  readonly extensions?: number
  /** The message only wraps a choice: the field of the whole value; undefined: it has no form, the message is empty. */
  readonly choose?: (value: unknown) => FieldForm | undefined
  /** All other keys: a repeated field of name and value. */
  readonly rest?: FieldForm
}

/** All messages of a dialect by their names; the document's own is `Document`. */
export type Messages = Readonly<Record<string, Message>>

/** The protobuf form of a document. Throws Error for a part that has none. */
export function encodeDocument(messages: Messages, document: Json): Uint8Array {
  const writer = protobuf.Writer.create()
  writeMessage({ messages, writer }, 'Document', document)
  return writer.finish()
}

interface Output {
  readonly messages: Messages
  readonly writer: protobuf.Writer
}

function writeMessage(output: Output, name: string, value: unknown): void {
  const { messages, writer } = output
  const message = messages[name]
  if (!message) throw new Error(`no protobuf form of ${name}`)
  if (message.choose) {
    const chosen = message.choose(value)
    return chosen && writeField(output, chosen, value)
  }
  for (const [key, member] of Object.entries(value as Json)) {
    if (member === undefined) continue
    const field = message.fields[key]
    if (field) writeField(output, field, member)
    else if (key.startsWith('x-') && message.extensions !== undefined)
      writeNamedAny(writer, message.extensions, key, member)
    else if (message.rest) writeNamed(output, message.rest[0], key, message.rest[1], member)
    else throw new Error(`no protobuf form of ${name}.${key}`)
  }
}

function writeField(output: Output, [number, form]: FieldForm, value: unknown): void {
  const { writer } = output
  const tag = (wire: number): protobuf.Writer => writer.uint32((number << 3) | wire)
  if (form === 'string') tag(2).string(String(value))
  else if (form === 'bool') tag(0).bool(value === true)
  else if (form === 'integer') tag(0).int64(Number(value))
  else if (form === 'double') tag(1).double(Number(value))
  else if (form === 'strings') writeStrings(writer, number, value)
  else if (form === 'any') writeAny(writer, number, value)
  else if (form === 'anys') for (const one of value as unknown[]) writeAny(writer, number, one)
  else if (form.endsWith('[]'))
    for (const one of value as unknown[])
      writeNested(writer, number, () => writeMessage(output, form.slice(0, -2), one))
  else if (form.startsWith('{'))
    writeNested(writer, number, () => {
      for (const [key, one] of Object.entries(value as Json)) writeNamed(output, 1, key, form.slice(1, -1), one)
    })
  else writeNested(writer, number, () => writeMessage(output, form, value))
}

function writeNested(writer: protobuf.Writer, number: number, write: () => void): void {
  writer.uint32((number << 3) | 2).fork()
  write()
  writer.ldelim()
}

function writeStrings(writer: protobuf.Writer, number: number, value: unknown): void {
  for (const text of Array.isArray(value) ? value : [value]) writer.uint32((number << 3) | 2).string(String(text))
}

/** Any JSON value is encoded as YAML text; JSON is YAML. */
function writeAny(writer: protobuf.Writer, number: number, value: unknown): void {
  writeNested(writer, number, () => writer.uint32((2 << 3) | 2).string(JSON.stringify(value)))
}

function writeNamed(output: Output, number: number, name: string, message: string, value: unknown): void {
  const { writer } = output
  writeNested(writer, number, () => {
    writer.uint32((1 << 3) | 2).string(name)
    writeNested(writer, 2, () => writeMessage(output, message, value))
  })
}

function writeNamedAny(writer: protobuf.Writer, number: number, name: string, value: unknown): void {
  writeNested(writer, number, () => {
    writer.uint32((1 << 3) | 2).string(name)
    writeAny(writer, 2, value)
  })
}

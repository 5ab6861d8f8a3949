import { readEnvelope, storedEnvelope } from '../../lib/codec/index.ts'

/**
 * The same object as another release would store it: with a field of its metadata that is no more (`clusterName`, number
 * 15, empty, as releases before 1.25 wrote it).
 */
export function asOldRelease(stored: Uint8Array): Buffer {
  const { apiVersion, kind } = readEnvelope(stored)
  const message = storedEnvelope(apiVersion, kind).messageOf(stored)
  if (message?.[0] !== 0x0a) throw new Error(`${apiVersion} ${kind} is stored in a form that is not known here`)
  const [length, at] = varint(message, 1)
  const metadata = Buffer.concat([message.subarray(at, at + length), Buffer.from([0x7a, 0])])
  const changed = Buffer.concat([
    Buffer.from([0x0a]),
    varintOf(metadata.length),
    metadata,
    message.subarray(at + length),
  ])
  return withEnvelope(apiVersion, kind, changed)
}

/** A message as it is stored. */
export function withEnvelope(apiVersion: string, kind: string, message: Uint8Array): Buffer {
  const typeMeta = Buffer.concat([field(0x0a, Buffer.from(apiVersion)), field(0x12, Buffer.from(kind))])
  return Buffer.concat([
    Buffer.from('k8s\0'),
    field(0x0a, typeMeta),
    field(0x12, message),
    Buffer.from([0x1a, 0, 0x22, 0]),
  ])
}

function field(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), varintOf(content.length), content])
}

function varint(bytes: Uint8Array, at: number): [value: number, behind: number] {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return [value, at]
  }
}

function varintOf(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) return Buffer.from(bytes)
  }
}

import { EtcdMessageReader, EtcdMessageWriter, fieldSize, varintSize } from '../../etcd/protobuf.ts'

export type Annotations = Readonly<Record<string, Uint8Array>>

export interface KmsStatusReply {
  readonly version: string
  readonly healthz: string
  readonly keyId: string
}

export interface EncryptReply {
  readonly ciphertext: Uint8Array
  readonly keyId: string
  readonly annotations: Annotations
}

export interface DecryptRequest {
  readonly ciphertext: Uint8Array
  readonly keyId: string
  readonly annotations: Annotations
}

export const methods = {
  status: '/v2.KeyManagementService/Status',
  encrypt: '/v2.KeyManagementService/Encrypt',
  decrypt: '/v2.KeyManagementService/Decrypt',
} as const

/** An encrypted data key, as it is stored with each value that it encrypts. */
export interface Envelope extends DecryptRequest {
  readonly type: number
}

/** `encryptedDEKSource` is the key itself. */
export const typeKey = 0
/** `encryptedDEKSource` is a seed; each value has a key derived from it. */
export const typeSeed = 1

/** A value in its envelope, as parts of the stored bytes. */
export interface Enveloped {
  /** The encrypted value is in `stored` from here to `dataEnd`. */
  readonly stored: Uint8Array
  readonly dataStart: number
  readonly dataEnd: number
  /** All other fields, encoded. */
  readonly rest: Uint8Array
}

export function encodeEncrypt(plaintext: Uint8Array, uid: string): Buffer {
  const writer = new EtcdMessageWriter(fieldSize(plaintext.length) + textSize(uid))
  writer.bytes(1, plaintext)
  writer.text(2, uid, Buffer.byteLength(uid))
  return writer.finish()
}

export function encodeDecrypt({ ciphertext, keyId, annotations }: DecryptRequest, uid: string): Buffer {
  const writer = new EtcdMessageWriter(
    fieldSize(ciphertext.length) + textSize(uid) + textSize(keyId) + annotationsSize(annotations),
  )
  writer.bytes(1, ciphertext)
  writer.text(2, uid, Buffer.byteLength(uid))
  writer.text(3, keyId, Buffer.byteLength(keyId))
  writeAnnotations(writer, annotations)
  return writer.finish()
}

export function decodeKmsStatus(reader: EtcdMessageReader): KmsStatusReply {
  const reply = { version: '', healthz: '', keyId: '' }
  while (reader.next())
    if (reader.field === 1) reply.version = reader.text()
    else if (reader.field === 2) reply.healthz = reader.text()
    else if (reader.field === 3) reply.keyId = reader.text()
  return reply
}

export function decodeEncrypt(reader: EtcdMessageReader): EncryptReply {
  let ciphertext: Uint8Array = new Uint8Array(0)
  let keyId = ''
  const annotations = new Map<string, Uint8Array>()
  while (reader.next())
    if (reader.field === 1) ciphertext = reader.bytes()
    else if (reader.field === 2) keyId = reader.text()
    else if (reader.field === 3) readAnnotation(reader, annotations)
  return { ciphertext, keyId, annotations: Object.fromEntries(annotations) }
}

export function decodeDecrypt(reader: EtcdMessageReader): Uint8Array {
  let plaintext: Uint8Array = new Uint8Array(0)
  while (reader.next()) if (reader.field === 1) plaintext = reader.bytes()
  return plaintext
}

/** Encodes an EncryptedObject without the encrypted value. */
export function encodeEnvelope({ ciphertext, keyId, annotations, type }: Envelope): Buffer {
  const typeSize = type === typeKey ? 0 : 1 + varintSize(type)
  const writer = new EtcdMessageWriter(
    textSize(keyId) + fieldSize(ciphertext.length) + annotationsSize(annotations) + typeSize,
  )
  writer.text(2, keyId, Buffer.byteLength(keyId))
  writer.bytes(3, ciphertext)
  writeAnnotations(writer, annotations)
  if (type !== typeKey) writer.number(5, type)
  return writer.finish()
}

/** The tag and length of the encrypted value, which comes first. */
export function encodeDataHead(length: number): Buffer {
  const writer = new EtcdMessageWriter(1 + varintSize(length))
  writer.open(1, length)
  return writer.finish()
}

export function decodeEnvelope(rest: Uint8Array): Envelope {
  const reader = new EtcdMessageReader(Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength))
  let ciphertext: Uint8Array = new Uint8Array(0)
  let keyId = ''
  let type = typeKey
  const annotations = new Map<string, Uint8Array>()
  while (reader.next())
    if (reader.field === 2) keyId = reader.text()
    else if (reader.field === 3) ciphertext = reader.bytes()
    else if (reader.field === 4) readAnnotation(reader, annotations)
    else if (reader.field === 5) type = reader.number()
  return { ciphertext, keyId, annotations: Object.fromEntries(annotations), type }
}

/** Splits an EncryptedObject from `from` on. Throws RangeError for other bytes. */
export function splitEnveloped(stored: Uint8Array, from: number): Enveloped {
  let length = 0
  let at = from + 1
  // All servers write the value first.
  if (stored[from] === 0x0a)
    for (let scale = 1; at < stored.length; scale *= 0x80) {
      const byte = stored[at++] ?? 0
      length += (byte & 0x7f) * scale
      if (byte >= 0x80) continue
      const dataEnd = at + length
      if (dataEnd > stored.length) break
      return { stored, dataStart: at, dataEnd, rest: stored.subarray(dataEnd) }
    }
  return splitSlowly(stored, from)
}

/** Splits fields in any order. */
function splitSlowly(stored: Uint8Array, from: number): Enveloped {
  const rest = stored.subarray(from)
  const reader = new EtcdMessageReader(Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength))
  let data: Uint8Array = new Uint8Array(0)
  while (reader.next()) if (reader.field === 1) data = reader.bytes()
  return { stored: data, dataStart: 0, dataEnd: data.length, rest }
}

function textSize(text: string): number {
  return fieldSize(Buffer.byteLength(text))
}

function annotationSize(name: string, value: Uint8Array): number {
  return textSize(name) + fieldSize(value.length)
}

function annotationsSize(annotations: Annotations): number {
  return Object.entries(annotations).reduce((sum, [name, value]) => sum + fieldSize(annotationSize(name, value)), 0)
}

/**
 * Sorted by name, so that equal annotations are equal bytes; field 4 in every message that has them but Encrypt's
 * reply.
 */
function writeAnnotations(writer: EtcdMessageWriter, annotations: Annotations): void {
  for (const [name, value] of Object.entries(annotations).sort(([left], [right]) => (left < right ? -1 : 1))) {
    writer.open(4, annotationSize(name, value))
    writer.text(1, name, Buffer.byteLength(name))
    writer.bytes(2, value)
  }
}

function readAnnotation(reader: EtcdMessageReader, annotations: Map<string, Uint8Array>): void {
  const entry = reader.message()
  let name = ''
  let value: Uint8Array = new Uint8Array(0)
  while (entry.next())
    if (entry.field === 1) name = entry.text()
    else if (entry.field === 2) value = entry.bytes()
  annotations.set(name, value)
}

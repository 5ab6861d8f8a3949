import protobuf from 'protobufjs/minimal.js'

/**
 * A packet of konnectivity's ProxyService. Which fields it has depends on its type; ids have 64 bits, and are decimal
 * text. `other`: a hint between proxies and agents, or a type of a later release.
 */
export interface Packet {
  readonly type: PacketType | 'other'
  readonly protocol?: string
  readonly address?: string
  /** Names a dial until it has a connection. */
  readonly random?: string
  readonly connectId?: string
  readonly error?: string
  readonly data?: Uint8Array
}

/** A packet that this side may send. */
export type SentPacket = Packet & { readonly type: PacketType }

type PacketType = 'dialRequest' | 'dialResponse' | 'closeRequest' | 'closeResponse' | 'data' | 'closeDial'

interface PacketForm {
  /** Its number in the enumeration of types. */
  readonly type: number
  /** The field of its payload. */
  readonly field: number
  /** Fields of the payload by their numbers, from 1. */
  readonly fields: readonly (keyof Packet)[]
}

/** konnectivity-client/proto/client/client.proto of apiserver-network-proxy. */
const forms: Readonly<Record<PacketType, PacketForm>> = {
  dialRequest: { type: 0, field: 2, fields: ['protocol', 'address', 'random'] },
  dialResponse: { type: 1, field: 3, fields: ['error', 'connectId', 'random'] },
  closeRequest: { type: 2, field: 5, fields: ['connectId'] },
  closeResponse: { type: 3, field: 6, fields: ['error', 'connectId'] },
  data: { type: 4, field: 4, fields: ['connectId', 'error', 'data'] },
  closeDial: { type: 5, field: 7, fields: ['random'] },
}
const typeField = 1
const varint = 0
const delimited = 2

export function encodePacket(packet: SentPacket): Buffer {
  const { type, field, fields } = forms[packet.type]
  const writer = protobuf.Writer.create()
  writer.uint32((typeField << 3) | varint).int32(type)
  writer.uint32((field << 3) | delimited).fork()
  for (const [index, name] of fields.entries()) {
    const value = packet[name]
    if (value === undefined) continue
    const tag = (wireType: number): protobuf.Writer => writer.uint32(((index + 1) << 3) | wireType)
    if (typeof value !== 'string') tag(delimited).bytes(value)
    else if (isId(name)) tag(varint).int64(value)
    else tag(delimited).string(value)
  }
  const bytes = writer.ldelim().finish()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** `data` is a view of the bytes. Throws an Error for bytes that are no packet. */
export function decodePacket(bytes: Uint8Array): Packet {
  const reader = protobuf.Reader.create(bytes)
  let typeNumber = 0
  const payloads = new Map<number, Uint8Array>()
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === ((typeField << 3) | varint)) typeNumber = reader.int32()
    else if ((tag & 7) === delimited) payloads.set(tag >>> 3, reader.bytes())
    else reader.skipType(tag & 7)
  }
  for (const type of Object.keys(forms) as PacketType[])
    if (forms[type].type === typeNumber) return { type, ...decodePayload(payloads.get(forms[type].field), forms[type]) }
  return { type: 'other' }
}

function decodePayload(bytes: Uint8Array | undefined, { fields }: PacketForm): Partial<Packet> {
  // As everywhere in proto3, an absent field has its zero value.
  const payload: Record<string, string | Uint8Array> = {}
  for (const name of fields) payload[name] = isId(name) ? '0' : name === 'data' ? new Uint8Array() : ''
  const reader = protobuf.Reader.create(bytes ?? new Uint8Array())
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const name = fields[(tag >>> 3) - 1]
    const wireType = tag & 7
    if (name === undefined || wireType !== (isId(name) ? varint : delimited)) reader.skipType(wireType)
    else payload[name] = isId(name) ? String(reader.int64()) : name === 'data' ? reader.bytes() : reader.string()
  }
  return payload
}

function isId(name: keyof Packet): boolean {
  return name === 'random' || name === 'connectId'
}

import { encodeUntypedCbor } from '../../../lib/codec/index.ts'
import type { ApiObject, JsonValue } from '../../../lib/object/index.ts'
import type { MediaType, Scheme } from '../../../lib/scheme/index.ts'
import type { Dice } from './dice.ts'

export interface Encoded {
  readonly type: string
  readonly body: string | Uint8Array
}

const formats: readonly MediaType[] = [
  'application/json',
  'application/json',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
]

/** Bytes of an object, sometimes broken. JSON when the format can't encode the object. */
export function encode(scheme: Scheme, object: object, dice: Dice): Encoded {
  const mediaType = dice.pick(formats)
  const encoded = encodeAs(scheme, object, mediaType) ?? { type: 'application/json', body: toJson(object) }
  return dice.once(25) ? { ...encoded, body: broken(encoded.body, dice) } : encoded
}

/** JSON with numbers that JavaScript doesn't hold. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/"@(-?\d+)@"/g, '$1')
}

function encodeAs(scheme: Scheme, object: object, mediaType: MediaType): Encoded | undefined {
  if (mediaType === 'application/json') return undefined
  try {
    const plain = JSON.parse(toJson(object)) as JsonValue
    if (mediaType === 'application/cbor') return { type: mediaType, body: encodeUntypedCbor(plain as object) }
    // Only fields of the tables are encoded; the object has kind and apiVersion.
    return { type: mediaType, body: scheme.objects.encodeObject(plain as ApiObject, { mediaType }) }
  } catch {
    return undefined
  }
}

function broken(body: string | Uint8Array, dice: Dice): Uint8Array {
  const bytes = Buffer.from(body)
  const at = dice.below(bytes.length + 1)
  switch (dice.below(5)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes, bytes])
    case 2:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(dice.random.bytes(1 + dice.below(8))),
        bytes.subarray(at),
      ])
    case 3:
      return Buffer.alloc(200_000, dice.pick(['[', '{"a":', '- ', '&a ', '\u0000']))
    default: {
      const copy = Buffer.from(bytes)
      if (at < copy.length) copy[at] = dice.below(256)
      return copy
    }
  }
}

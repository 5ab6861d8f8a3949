import {
  type Digest,
  isCanonicalMessage,
  isEmbedded,
  RecentParts,
  type StructCodec,
  type StructCodecs,
} from '../codec/index.ts'
import { deepEqual } from '../object/index.ts'
import type { StructType, Type } from '../schema/index.ts'

interface DefaultsProofParts {
  readonly codec: StructCodec
  readonly codecs: StructCodecs
  /** Runs the defaults over an object in place. */
  applyDefaults(object: Record<string, unknown>): void
  decode(message: Uint8Array): Record<string, unknown>
  encode(object: Record<string, unknown>): Uint8Array
  /** Whether mirrored fields agree, which `applyDefaults` leaves out. Undefined: there are none. */
  readonly isMirrored: ((message: Uint8Array) => boolean) | undefined
}

const knownMax = 4096
/** Objects that are decoded at first, and how many are checked for each further one. */
const proofsAtFirst = 256
const checksPerProof = 16

/**
 * Finds out whether defaults would change a stored object, without decoding most objects. Defaults are functions of what
 * they read: they are watched once at work, and the fields that they read (or write) are from then on part of a digest.
 * Two objects with the same digest are the same to the defaults, which leave both as they are or change both.
 *
 * For instance pods of one Deployment differ in names, addresses and times, none of which a default looks at: after the
 * first of them the others need but the digest, which is made while their form is checked.
 */
export class DefaultsProof {
  readonly #parts: DefaultsProofParts
  readonly #digest = new FieldDigest()
  /** By digest: defaults change nothing. */
  readonly #known = new Map<number, boolean>()
  #proofsLeft = proofsAtFirst * checksPerProof

  constructor(parts: DefaultsProofParts) {
    this.#parts = parts
  }

  /** True when the message is in canonical form and defaults leave it as it is. */
  holds(message: Uint8Array): boolean {
    const { codec, isMirrored } = this.#parts
    this.#digest.begin()
    if (!isCanonicalMessage(message, codec, this.#digest)) return false
    this.#proofsLeft++
    const holds = this.#known.get(this.#digest.value) ?? this.#prove(message)
    return holds && isMirrored?.(message) !== false
  }

  #prove(message: Uint8Array): boolean {
    // Objects that are all different to the defaults would be decoded just to find that out.
    if (this.#proofsLeft < checksPerProof) return false
    this.#proofsLeft -= checksPerProof
    const { codec, codecs, decode, encode, applyDefaults } = this.#parts
    const object = decode(message)
    const recorder = new Recorder(codecs, (id, isPresence) => this.#digest.watch(id, isPresence))
    applyDefaults(recorder.struct(object, codec.struct))
    // Some defaults have no field in protobuf: apiVersion and kind of a StatefulSet's claim templates. They show in JSON.
    const holds = Buffer.compare(encode(object), message) === 0 && deepEqual(object, decode(message))
    if (this.#digest.takeChanged() || this.#known.size >= knownMax) this.#known.clear()
    this.#digest.begin()
    isCanonicalMessage(message, codec, this.#digest)
    this.#known.set(this.#digest.value, holds)
    return holds
  }
}

interface DigestValue {
  readonly low: number
  readonly high: number
}

/** A digest of 53 bits over the watched fields. A struct's own digest is part of it, and is remembered for a while. */
class FieldDigest implements Digest {
  fields = new Uint8Array(1024)
  /** Parts in canonical form, with their digests. */
  readonly #parts = new RecentParts<DigestValue>()
  readonly #texts = new RecentParts<true>()
  #low = 0
  #high = 0
  #changed = false

  begin(): void {
    this.#low = 0x811c9dc5
    this.#high = 0x9e3779b9
  }

  get value(): number {
    return (this.#high >>> 11) * 2 ** 32 + (this.#low >>> 0)
  }

  /** `isPresence`: of a scalar no more counts than whether it is there. */
  watch(fieldId: number, isPresence = false): void {
    const known = this.fields[fieldId]
    if (known === watched.value || (isPresence && known === watched.presence)) return
    if (fieldId >= this.fields.length) {
      const larger = new Uint8Array(fieldId * 2)
      larger.set(this.fields)
      this.fields = larger
    }
    this.fields[fieldId] = isPresence ? watched.presence : watched.value
    this.#changed = true
    this.#parts.clear()
  }

  /** Whether fields have been added since this was last asked. */
  takeChanged(): boolean {
    const changed = this.#changed
    this.#changed = false
    return changed
  }

  add(value: number): void {
    this.#low = Math.imul(this.#low ^ value, 0x01000193) + (this.#high >>> 15)
    this.#high = Math.imul(this.#high ^ value, 0x85ebca6b) + (this.#low >>> 13)
  }

  isCanonicalPart(
    codec: Pick<StructCodec, 'checkMessage'>,
    fieldId: number,
    bytes: Uint8Array,
    from: number,
    to: number,
    on: boolean,
  ): boolean {
    const outerLow = this.#low
    const outerHigh = this.#high
    this.begin()
    const isCanonical = this.#checkPart(codec, on ? 2 * fieldId + 1 : 2 * fieldId, bytes, from, to, on)
    const low = this.#low
    const high = this.#high
    this.#low = outerLow
    this.#high = outerHigh
    if (on) {
      this.add(low)
      this.add(high)
    }
    return isCanonical
  }

  /** Leaves the part's own digest behind. */
  #checkPart(
    codec: Pick<StructCodec, 'checkMessage'>,
    site: number,
    bytes: Uint8Array,
    from: number,
    to: number,
    on: boolean,
  ): boolean {
    if (!this.#parts.wants(site, to - from)) return codec.checkMessage(bytes, from, to, this, on)
    const known = this.#parts.find(site, bytes, from, to)
    if (known) {
      this.#low = known.low
      this.#high = known.high
      return true
    }
    if (!codec.checkMessage(bytes, from, to, this, on)) return false
    this.#parts.keep(site, bytes, from, to, { low: this.#low, high: this.#high })
    return true
  }

  isEmbedded(bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.#texts.wants(0, to - from)) return isEmbedded(bytes, from, to)
    if (this.#texts.find(0, bytes, from, to)) return true
    if (!isEmbedded(bytes, from, to)) return false
    this.#texts.keep(0, bytes, from, to, true)
    return true
  }

  addBytes(fieldId: number, bytes: Uint8Array, from: number, to: number): void {
    this.add(fieldId)
    if (this.fields[fieldId] === watched.presence) return this.add(presenceOf(bytes, from, to))
    this.add(to - from)
    let low = this.#low
    let high = this.#high
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      low = Math.imul(low ^ byte, 0x01000193)
      high = Math.imul(high ^ byte, 0x85ebca6b) + (low >>> 13)
    }
    this.#low = low
    this.#high = high
  }
}

const watched = { value: 1, presence: 2 } as const

/** A number that differs for an empty string and any other, and for a zero and any other number. */
function presenceOf(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return 0
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return 2
  return 1
}

/** Wraps decoded objects so that every field that is read or written is told of. */
class Recorder {
  readonly #codecs: StructCodecs
  readonly #watch: (fieldId: number, isPresence?: boolean) => void

  constructor(codecs: StructCodecs, watch: (fieldId: number, isPresence?: boolean) => void) {
    this.#codecs = codecs
    this.#watch = watch
  }

  struct(object: Record<string, unknown>, struct: StructType): Record<string, unknown> {
    const told = (key: string | symbol, isPresence = false): Type | undefined => {
      const field = typeof key === 'string' ? struct.byName.get(key) : undefined
      if (field) this.#watch(this.#codecs.fieldId(struct, field.name), isPresence && field.type.is === 'scalar')
      return field?.type
    }
    const written = (key: string | symbol): void => {
      const type = told(key)
      if (type) this.#all(type, new Set())
    }
    return new Proxy(object, {
      get: (target, key) => {
        const type = told(key)
        const value: unknown = Reflect.get(target, key)
        return type ? this.#value(value, type) : value
      },
      has: (target, key) => {
        told(key, true)
        return Reflect.has(target, key)
      },
      ownKeys: (target) => {
        for (const { name } of struct.fields) told(name, true)
        return Reflect.ownKeys(target)
      },
      getOwnPropertyDescriptor: (target, key) => {
        told(key, true)
        // Its value is to be read through the wrapper.
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
      set: (target, key, value) => {
        written(key)
        return Reflect.set(target, key, value)
      },
      deleteProperty: (target, key) => {
        written(key)
        return Reflect.deleteProperty(target, key)
      },
    })
  }

  /** Scalars, maps, embedded values and lists of scalars are part of the digest as a whole once their field is watched. */
  #value(value: unknown, type: Type): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (type.is === 'struct') return this.struct(value as Record<string, unknown>, type)
    if (type.is !== 'list' || type.element.is !== 'struct' || !Array.isArray(value)) return value
    return this.#list(value, type.element)
  }

  #list(items: unknown[], element: StructType): unknown[] {
    const wrap = (item: unknown): unknown =>
      typeof item === 'object' && item !== null ? this.struct(item as Record<string, unknown>, element) : item
    return new Proxy(items, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        return typeof key === 'string' && key !== 'length' ? wrap(value) : value
      },
      set: (target, key, value) => {
        this.#all(element, new Set())
        return Reflect.set(target, key, value)
      },
    })
  }

  /** A value that is replaced as a whole differs in everything below it. */
  #all(type: Type, seen: Set<StructType>): void {
    if (type.is === 'list' || type.is === 'map') return this.#all(type.element, seen)
    if (type.is !== 'struct' || seen.has(type)) return
    seen.add(type)
    for (const field of type.fields) {
      this.#watch(this.#codecs.fieldId(type, field.name))
      this.#all(field.type, seen)
    }
  }
}

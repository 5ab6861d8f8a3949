import type { Random } from '../base/index.ts'
import { isCanonicalMessage, type StructCodec, type StructCodecs } from '../codec/index.ts'
import { deepEqual } from '../object/index.ts'
import type { StructType, Type } from '../schema/index.ts'
import { FieldDigest } from './fielddigest.ts'

interface DefaultsProofParts {
  readonly random: Random
  readonly codec: StructCodec
  readonly codecs: StructCodecs
  /** Runs the defaults over an object in place. */
  applyDefaults(object: Record<string, unknown>): void
  decode(message: Uint8Array): Record<string, unknown>
  encode(object: Record<string, unknown>): Uint8Array
  /** Whether mirrored fields agree, which `applyDefaults` does not check. Undefined: there are none. */
  readonly isMirrored: ((message: Uint8Array) => boolean) | undefined
}

const knownMax = 4096
/** Objects that are decoded at first, and the number of checks for each further one. */
const proofsAtFirst = 256
const checksPerProof = 16

/**
 * Finds out whether defaults would change a stored object, without decoding most objects. Defaults are functions of the
 * fields that they read: one run is recorded, and the fields that it read (or wrote) are part of a digest from then on.
 * Two objects with the same digest are the same to the defaults, which change both or none.
 *  For instance pods of one Deployment differ in names, addresses and times, which no default reads: after the first of
 *  them the others only need the digest, which is computed while their form is checked.
 */
export class DefaultsProof {
  readonly #parts: DefaultsProofParts
  readonly #digest: FieldDigest
  /** By digest: defaults change nothing. */
  readonly #known = new Map<number, boolean>()
  #proofsLeft = proofsAtFirst * checksPerProof

  constructor(parts: DefaultsProofParts) {
    this.#parts = parts
    this.#digest = new FieldDigest(parts.random)
  }

  /** True when the message is in canonical form and defaults don't change it. */
  holds(message: Uint8Array): boolean {
    const { codec, isMirrored } = this.#parts
    this.#digest.begin()
    if (!isCanonicalMessage(message, codec, this.#digest)) return false
    this.#proofsLeft++
    const holds = this.#known.get(this.#digest.value) ?? this.#prove(message)
    return holds && isMirrored?.(message) !== false
  }

  #prove(message: Uint8Array): boolean {
    // Objects that all differ to the defaults would only be decoded for this check.
    if (this.#proofsLeft < checksPerProof) return false
    this.#proofsLeft -= checksPerProof
    const { codec, codecs, decode, encode, applyDefaults } = this.#parts
    const object = decode(message)
    const recorder = new Recorder(codecs, (id, isPresence) => this.#digest.watch(id, isPresence))
    applyDefaults(recorder.struct(object, codec.struct))
    // Some defaults have no field in protobuf: apiVersion and kind of a StatefulSet's claim templates. They appear in
    // JSON.
    const holds = Buffer.compare(encode(object), message) === 0 && deepEqual(object, decode(message))
    if (this.#digest.takeChanged() || this.#known.size >= knownMax) this.#known.clear()
    this.#digest.begin()
    isCanonicalMessage(message, codec, this.#digest)
    this.#known.set(this.#digest.value, holds)
    return holds
  }
}

/** Wraps decoded objects and records every field that is read or written. */
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
        // Its value is read through the wrapper.
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

  /**
   * Scalars, maps, embedded values and lists of scalars are part of the digest as a whole once their field is watched.
   */
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

  /** A replaced value differs in everything below it. */
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

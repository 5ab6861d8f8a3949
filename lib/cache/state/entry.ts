import { inOwnMemory } from '../../base/index.ts'
import type { ApiObject, Revision } from '../../object/index.ts'
import { UnreadableObject, type UnreadableValue } from '../../storage/index.ts'
import type { Encoding, Entry, PastValue, WriteHint } from '../contract.ts'
import type { Held } from './budget.ts'
import { createBudgets } from './budgets.ts'
import type { EntryHome } from './entryhome.ts'
import { TextSet } from './textsets.ts'

type Texts = Readonly<Record<string, string>>

const noLabels: Texts = Object.freeze({})

/** Bytes in one encoding, in a linked list, as there are rarely more than two. */
export class HeldBytes implements Held {
  readonly encodingId: number
  #bytes: Uint8Array
  readonly #owner: { letGo(held: HeldBytes): void }
  next: HeldBytes | undefined
  used = false
  slot = -1

  constructor(encodingId: number, bytes: Uint8Array, owner: { letGo(held: HeldBytes): void }) {
    this.encodingId = encodingId
    this.#bytes = bytes
    this.#owner = owner
  }

  get bytes(): Uint8Array {
    return this.#bytes
  }

  get weightBytes(): number {
    return this.#bytes.byteLength + heldBytesOverhead
  }

  /** The budget has admitted the bytes: from now on they have their own memory. */
  keep(): void {
    this.#bytes = inOwnMemory(this.#bytes)
  }

  drop(): void {
    this.#owner.letGo(this)
  }
}

/**
 * Resident bytes of an array besides its content (header, buffer, store): measured with 60,000 arrays of 1,400 bytes.
 */
const heldBytesOverhead = 500
/** A decoded object takes about this many times its stored bytes, but at least the minimum. */
const objectWeightFactor = 8
const objectWeightMin = 512

class HeldObject implements Held {
  readonly object: ApiObject
  readonly #owner: CacheEntry
  used = false
  slot = -1

  constructor(object: ApiObject, owner: CacheEntry) {
    this.object = object
    this.#owner = owner
  }

  get weightBytes(): number {
    return objectWeightMin + this.#owner.storedBytes * objectWeightFactor
  }

  drop(): void {
    this.#owner.letGoOfObject()
  }
}

/** The list without `held`. */
export function without(list: HeldBytes | undefined, held: HeldBytes): HeldBytes | undefined {
  if (list === held) return held.next
  for (let item = list; item; item = item.next) if (item.next === held) item.next = held.next
  return list
}

/** An Entry. Retired once it is no longer the newest of its key: then it keeps nothing that can be derived again. */
export class CacheEntry implements Entry {
  readonly key: string
  readonly revision: Revision
  readonly storedRevision: Revision
  readonly createRevision: Revision
  /** Its index in the table of its load; -1: it comes from elsewhere. */
  readonly position: number
  readonly #home: EntryHome
  #stored: Uint8Array
  /** Set once `#stored` is the canonical form of what the store holds. */
  #bytesInStore: number | undefined = undefined
  #unreadable: UnreadableValue | undefined
  #bytes: HeldBytes | undefined = undefined
  #object: HeldObject | undefined = undefined
  #labels: TextSet | undefined = undefined
  #fields: TextSet | undefined = undefined
  #canonical: boolean | undefined = undefined
  /** bytesAgain was called. */
  #isAskedFor = false
  #retired: boolean

  constructor(
    home: EntryHome,
    from: {
      key: string
      stored: Uint8Array
      revision: Revision
      createRevision: Revision
      storedRevision?: Revision
      unreadable?: UnreadableValue | undefined
      isStoredOtherwise?: boolean
      position?: number
    },
    retired = false,
  ) {
    this.#home = home
    this.key = from.key
    this.#stored = from.stored
    this.#unreadable = from.unreadable
    if (from.isStoredOtherwise) this.#bytesInStore = from.stored.byteLength
    this.revision = from.revision
    this.storedRevision = from.storedRevision ?? from.revision
    this.createRevision = from.createRevision
    this.position = from.position ?? -1
    this.#retired = retired
  }

  get stored(): Uint8Array {
    if (this.#unreadable) throw unreadable(this, this.#unreadable)
    return this.#stored
  }

  get storedBytes(): number {
    return this.#bytesInStore ?? this.#stored.byteLength
  }

  past(texts: PastValue['texts']): PastValue {
    const { key, createRevision, revision: modRevision, isStoredOtherwise: isAnotherForm } = this
    const isAbsent = this.#unreadable !== undefined
    return { key, value: this.#stored, createRevision, modRevision, isAnotherForm, isAbsent, texts }
  }

  get isStoredOtherwise(): boolean {
    return this.#bytesInStore !== undefined
  }

  get unreadable(): UnreadableValue | undefined {
    return this.#unreadable
  }

  /** The value has been decrypted on a later attempt. */
  repair(stored: Uint8Array): void {
    this.#unreadable = undefined
    this.#stored = stored
    this.#bytesInStore = undefined
    this.renew()
  }

  get canonical(): boolean {
    this.#canonical ??= this.#home.isCanonical?.(this.stored) === true || this.#takeCanonicalForm()
    return this.#canonical
  }

  /** Decodes objects that another release stored once, instead of at each use. */
  #takeCanonicalForm(): boolean {
    const form = this.#home.toCanonical?.(this.stored)
    if (!form) return false
    this.#bytesInStore = this.storedBytes
    this.#home.blocks?.release(this.#stored)
    this.#stored = inOwnMemory(form)
    return true
  }

  leave(memory: ArrayBufferLike): void {
    if (this.#stored.buffer === memory) this.#own()
  }

  #own(): void {
    this.#home.blocks?.release(this.#stored)
    this.#stored = inOwnMemory(this.#stored)
  }

  object(): ApiObject {
    const held = this.#object
    if (held) {
      held.used = true
      return held.object
    }
    const object = this.#home.decode(this.stored, this.revision, this.key)
    this.#keepObject(object)
    return object
  }

  get isDecoded(): boolean {
    return this.#object !== undefined
  }

  labels(): Texts {
    return (this.#labels ?? this.#keepLabels(this.#home.labels(this))).texts
  }

  /** Undefined: they have to be read. */
  get knownLabels(): Texts | undefined {
    return this.#labels?.texts
  }

  /** The labels of a new entry were saved with its value. */
  presetLabels(labels: TextSet): void {
    if (this.#mayKeep(labels)) this.#labels = labels
  }

  fields(): Texts {
    if (this.#fields) return this.#fields.texts
    const fields = new TextSet(this.#home.fields(this), this.#home.budgets.selected)
    if (this.#mayKeep(fields)) this.#fields = fields
    return fields.texts
  }

  /** Reads the labels before a selector asks for them, where the object is known or the stored bytes suffice. */
  readAhead(): void {
    if (this.#labels || this.#unreadable) return
    const decoded = this.#object?.object
    if (decoded) return void this.#keepLabels(decoded.metadata.labels ?? noLabels)
    let labels: Texts | undefined
    try {
      labels = this.#home.storedLabels?.(this.#stored)
    } catch {
      return // The first selector that needs the labels reports the error.
    }
    if (labels) this.#keepLabels(labels)
  }

  keptBytes(encoding: Encoding): Uint8Array | undefined {
    for (let held = this.#bytes; held; held = held.next)
      if (held.encodingId === encoding.id) {
        held.used = true
        return held.bytes
      }
    return undefined
  }

  bytes(encoding: Encoding): Uint8Array {
    const kept = this.keptBytes(encoding)
    if (kept) return kept
    const bytes = encoding.encode(this)
    if (encoding.isCheap?.(this) !== true) this.#keepBytes(encoding.id, bytes)
    return bytes
  }

  bytesAgain(encoding: Encoding): Uint8Array | undefined {
    if (this.#isAskedFor) return this.bytes(encoding)
    this.#isAskedFor = true
    return this.keptBytes(encoding)
  }

  /** Takes over the object and bytes of the write that stored this revision. */
  adopt({ object, bytes }: WriteHint): void {
    if (object && !this.#object) this.#keepObject(object)
    for (const item of bytes ?? []) if (!this.#holds(item.encoding.id)) this.#keepBytes(item.encoding.id, item.bytes)
  }

  /** Another entry replaces this one. History may keep it, but not the block that its bytes are part of. */
  replaced(): void {
    this.#own()
    this.retire()
  }

  /** The entry is no longer the newest of its key. */
  retire(): void {
    this.#drop()
    // History keeps them, and counts the entry as a whole.
    this.#releaseTexts()
    this.#retired = true
  }

  /** Drops everything that was derived from the stored bytes. */
  renew(): void {
    this.#drop()
    this.#releaseTexts()
    this.#labels = undefined
    this.#fields = undefined
    this.#canonical = undefined
  }

  #drop(): void {
    for (let held = this.#bytes; held; held = held.next) this.#home.budgets.entries.release(held)
    this.#bytes = undefined
    if (this.#object) this.#home.budgets.objects.release(this.#object)
    this.#object = undefined
  }

  /** This state under a later revision, for a DELETED event. Retired together with the event. */
  asOf(revision: Revision): CacheEntry {
    const { key, createRevision, storedRevision } = this
    const state = { stored: this.#stored, unreadable: this.#unreadable }
    const entry = new CacheEntry(this.#home, { key, ...state, createRevision, storedRevision, revision })
    entry.#canonical = this.#canonical
    entry.#bytesInStore = this.#bytesInStore
    return entry
  }

  letGo(held: HeldBytes): void {
    this.#bytes = without(this.#bytes, held)
  }

  letGoOfObject(): void {
    this.#object = undefined
  }

  #keepLabels(texts: Texts): TextSet {
    const labels = this.#home.budgets.labelSets.of(texts)
    if (this.#mayKeep(labels)) this.#labels = labels
    return labels
  }

  /** Whether the entry may keep labels or fields: they are read again at each use otherwise. */
  #mayKeep(set: TextSet): boolean {
    return this.#retired || set.keep()
  }

  #releaseTexts(): void {
    if (this.#retired) return
    this.#labels?.release()
    this.#fields?.release()
  }

  #holds(encodingId: number): boolean {
    for (let held = this.#bytes; held; held = held.next) if (held.encodingId === encodingId) return true
    return false
  }

  #keepBytes(encodingId: number, bytes: Uint8Array): void {
    if (this.#retired || this.#holds(encodingId)) return
    const held = new HeldBytes(encodingId, bytes, this)
    if (!this.#home.budgets.entries.admit(held)) return
    held.keep()
    held.next = this.#bytes
    this.#bytes = held
  }

  #keepObject(object: ApiObject): void {
    if (this.#retired || this.#object) return
    const held = new HeldObject(object, this)
    if (this.#home.budgets.objects.admit(held)) this.#object = held
  }
}

/** An entry outside of a cache: it keeps nothing. `isStoredOtherwise`: see Entry. */
export function createDetachedEntry(
  home: Omit<EntryHome, 'budgets' | 'blocks'>,
  value: {
    readonly key: string
    readonly stored: Uint8Array
    readonly revision: Revision
    readonly createRevision: Revision
    readonly isStoredOtherwise: boolean
  },
): Entry {
  const budgets = createBudgets({ entryBytesMax: 0, objectBytesMax: 0, frameBytesMax: 0, selectedBytesMin: 0 })
  return new CacheEntry({ ...home, budgets }, value, true)
}

function unreadable({ key, revision }: CacheEntry, { error }: UnreadableValue): UnreadableObject {
  return new UnreadableObject(key, revision, error, error.message)
}

import { setField } from '../../object/index.ts'
import type { Allotment } from './allotment.ts'

type Texts = Readonly<Record<string, string>>

/** Sets and values that are remembered, and the longest of them: clients can't fill the memory. */
const rememberedMax = 4096
const rememberedCharactersMax = 512

/** About the bytes of an empty set, and of one text with its name, which sets share. */
const setWeightBytes = 80
const textWeightBytes = 24

/** Labels or fields that entries keep. Counted once in the allotment, however many entries keep them. */
export class TextSet {
  readonly texts: Texts
  readonly #allotment: Allotment
  #keepers = 0

  constructor(texts: Texts, allotment: Allotment) {
    this.texts = texts
    this.#allotment = allotment
  }

  /** Returns false when the set does not fit: the caller must not keep it. */
  keep(): boolean {
    if (this.#keepers === 0 && !this.#allotment.take(this.#weightBytes)) return false
    this.#keepers++
    return true
  }

  /** The opposite of `keep`. */
  release(): void {
    if (--this.#keepers === 0) this.#allotment.giveBack(this.#weightBytes)
  }

  get #weightBytes(): number {
    let bytes = setWeightBytes
    for (const name in this.texts) bytes += textWeightBytes + (this.texts[name]?.length ?? 0)
    return bytes
  }
}

/**
 * Makes equal sets one, and equal values: most pods of a workload have the same labels. Sets that were met long ago are
 * forgotten, which costs memory and nothing else.
 */
export class TextSets {
  readonly #allotment: Allotment
  readonly #sets = new Map<string, TextSet>()
  readonly #values = new Map<string, string>()

  constructor(allotment: Allotment) {
    this.#allotment = allotment
  }

  of(texts: Texts): TextSet {
    let id = ''
    // With the lengths, no two sets have one id, whatever their texts contain.
    for (const name in texts) {
      const text = texts[name] ?? ''
      id += `${name.length} ${text.length} ${name}${text}`
    }
    return remembered(this.#sets, id, () => new TextSet(this.#withSharedValues(texts), this.#allotment))
  }

  #withSharedValues(texts: Texts): Texts {
    const shared: Record<string, string> = {}
    for (const [name, text] of Object.entries(texts))
      setField(
        shared,
        name,
        remembered(this.#values, text, () => text),
      )
    return shared
  }
}

function remembered<Value>(known: Map<string, Value>, id: string, make: () => Value): Value {
  const found = known.get(id)
  if (found !== undefined) return found
  const made = make()
  if (id.length > rememberedCharactersMax) return made
  if (known.size >= rememberedMax) known.clear()
  known.set(id, made)
  return made
}

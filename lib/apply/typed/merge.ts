import { isRecord } from '../../base/index.ts'
import { deepEqual, setField } from '../../object/index.ts'
import { itemElement, sharedElements, TypedError } from './listitem.ts'
import { anyShape, type FieldShape, type ListShape, type Shape, type StructShape } from './shape.ts'
import { isEmptyRecord, type JsonFields, own } from './value.ts'

/**
 * Merges a configuration into the live value: maps by key, lists by item, atomic values whole. Changes neither; returns
 * `live` itself when nothing differs, and otherwise shares with both. Throws TypedError when the configuration repeats
 * an item.
 */
export function mergeTyped(shape: Shape, live: unknown, config: unknown): unknown {
  if (config === undefined) return live
  if (live === undefined) return config
  switch (shape.is) {
    case 'list':
      return shape.semantics === 'atomic' ? laidOver(live, config) : mergeLists(shape, live, config)
    case 'map':
      return shape.atomic ? laidOver(live, config) : mergeMaps(shape.element, live, config)
    case 'struct':
      return shape.atomic ? laidOver(live, config) : mergeStructs(shape, live, config)
    case 'any':
      return isRecord(live) ? mergeAny(live, config) : laidOver(live, config)
    case 'scalar':
      return laidOver(live, config)
  }
}

function laidOver(live: unknown, config: unknown): unknown {
  return deepEqual(live, config) ? live : config
}

function mergeAny(live: JsonFields, config: unknown): unknown {
  return isRecord(config) || config === null ? mergeMaps(anyShape, live, config) : config
}

function mergeMaps(element: Shape, live: unknown, config: unknown): unknown {
  if (!isRecord(live)) return laidOver(live, config)
  if (!isRecord(config)) return config === null && !isEmptyRecord(live) ? live : laidOver(live, config)
  let merged: Record<string, unknown> | undefined
  for (const key in config) {
    const before = own(live, key)
    const value = mergeTyped(element, before, config[key])
    if (value !== before) setField((merged ??= { ...live }), key, value)
  }
  return merged ?? live
}

function mergeStructs(shape: StructShape, live: unknown, config: unknown): unknown {
  if (!isRecord(live) || !isRecord(config)) return mergeMaps(anyShape, live, config)
  let merged: Record<string, unknown> | undefined
  for (const name in config) {
    const field = shape.byName.get(name)
    const before = own(live, name)
    if (before === undefined && field && isAsGoodAsAbsent(field, config[name])) continue
    const value = mergeTyped(field?.shape ?? anyShape, before ?? field?.implied, config[name])
    if (value !== before) setField((merged ??= { ...live }), name, value)
  }
  return merged ?? live
}

/** Setting the field would have no effect: objects are stored without it. */
export function isAsGoodAsAbsent({ implied, zero, pointer }: FieldShape, value: unknown): boolean {
  if ((value === null && !pointer) || (zero !== undefined && value === zero)) return true
  return implied !== undefined && deepEqual(value, implied)
}

/**
 * Items of the configuration keep its order; live items that it lacks stay before the next item that both have. A
 * repeated live item is replaced with the configuration's.
 */
function mergeLists(list: ListShape, live: unknown, config: unknown): unknown {
  if (!Array.isArray(live) || live.length === 0) return laidOver(live, config)
  if (!Array.isArray(config) || config.length === 0) return live
  const elements = sharedElements(list, live, config)
  const merged = elements
    ? live.map((item, index) => mergeTyped(list.element, item, config[index]))
    : new ListMerge(list).run(live, config)
  return isSame(live, merged) ? live : merged
}

function isSame(live: readonly unknown[], merged: readonly unknown[]): boolean {
  return live.length === merged.length && live.every((item, index) => item === merged[index])
}

/** Merges lists whose items differ, or differ in order. */
class ListMerge {
  readonly #list: ListShape
  readonly #liveElements: string[] = []
  /** The live item of an element; undefined for a repeated one. */
  readonly #liveItems = new Map<string, unknown>()
  readonly #config = new Map<string, unknown>()
  readonly #merged: unknown[] = []
  #live: readonly unknown[] = []
  #cursor = 0

  constructor(list: ListShape) {
    this.#list = list
  }

  run(live: readonly unknown[], config: readonly unknown[]): unknown[] {
    this.#tellApart(live, config)
    const shared: string[] = []
    for (const element of this.#config.keys()) if (this.#liveItems.has(element)) shared.push(element)
    let next = 0
    for (const [element, item] of this.#config) {
      this.#takeLive(shared[next])
      this.#merged.push(mergeTyped(this.#list.element, this.#liveItems.get(element), item))
      if (element !== shared[next]) continue
      if (this.#liveElements[this.#cursor] === element) this.#cursor++
      next++
    }
    while (this.#cursor < live.length) {
      const element = this.#liveElements[this.#cursor] ?? ''
      if (!this.#config.has(element)) this.#merged.push(live[this.#cursor])
      this.#cursor++
    }
    return this.#merged
  }

  #tellApart(live: readonly unknown[], config: readonly unknown[]): void {
    this.#live = live
    for (const item of live) {
      const element = itemElement(this.#list, item)
      this.#liveElements.push(element)
      this.#liveItems.set(element, this.#liveItems.has(element) ? undefined : item)
    }
    for (const item of config) {
      const element = itemElement(this.#list, item)
      if (this.#config.has(element)) throw new TypedError('a duplicate item')
      this.#config.set(element, item)
    }
  }

  /**
   * Takes live items that the configuration lacks, up to the next shared one, and skips shared ones whose place is
   * elsewhere.
   */
  #takeLive(nextShared: string | undefined): void {
    for (; this.#cursor < this.#live.length; this.#cursor++) {
      const element = this.#liveElements[this.#cursor] ?? ''
      if (!this.#config.has(element)) this.#merged.push(this.#live[this.#cursor])
      else if (element === nextShared) return
      else if (nextShared === undefined) {
        // Every shared item is merged: each one that is added skips one here.
        this.#cursor++
        return
      }
    }
  }
}

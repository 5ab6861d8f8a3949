import type { Frozen } from '../object/index.ts'
import { type Identified, keyOf, namespaceOf } from './key.ts'
import type { Index, Lister } from './lister.ts'

type Entries<T> = Map<string, Frozen<T>>

/** Objects by key, with indexes. Its readers see it through Lister. */
export class Indexer<T extends Identified> implements Lister<T> {
  readonly #objects: Entries<T> = new Map()
  readonly #namespaces = new Map<string, Entries<T>>()
  readonly #indexes = new Map<Index<T>, Map<string, Entries<T>>>()

  get size(): number {
    return this.#objects.size
  }

  get(key: string): Frozen<T> | undefined {
    return this.#objects.get(key)
  }

  all(): Iterable<Frozen<T>> {
    return this.#objects.values()
  }

  in(namespace: string): Iterable<Frozen<T>> {
    return this.#namespaces.get(namespace)?.values() ?? []
  }

  by(index: Index<T>, value: string): readonly Frozen<T>[] {
    const found = this.#index(index).get(value)
    return found ? [...found.values()] : []
  }

  /** Returns the object that it replaces. */
  set(object: Frozen<T>): Frozen<T> | undefined {
    const key = keyOf(object)
    const before = this.#objects.get(key)
    if (before !== undefined) this.#unindex(key, before)
    this.#objects.set(key, object)
    addTo(this.#namespaces, namespaceOf(object), key, object)
    for (const [index, values] of this.#indexes)
      for (const value of index.values(object)) addTo(values, value, key, object)
    return before
  }

  delete(key: string): Frozen<T> | undefined {
    const before = this.#objects.get(key)
    if (before === undefined) return undefined
    this.#objects.delete(key)
    this.#unindex(key, before)
    return before
  }

  #unindex(key: string, object: Frozen<T>): void {
    removeFrom(this.#namespaces, namespaceOf(object), key)
    for (const [index, values] of this.#indexes)
      for (const value of index.values(object)) removeFrom(values, value, key)
  }

  /** An index is built at its first use and kept. */
  #index(index: Index<T>): Map<string, Entries<T>> {
    let values = this.#indexes.get(index)
    if (values) return values
    values = new Map()
    for (const [key, object] of this.#objects)
      for (const value of index.values(object)) addTo(values, value, key, object)
    this.#indexes.set(index, values)
    return values
  }
}

function addTo<T>(values: Map<string, Entries<T>>, value: string, key: string, object: Frozen<T>): void {
  const entries = values.get(value)
  if (entries) entries.set(key, object)
  else values.set(value, new Map([[key, object]]))
}

function removeFrom<T>(values: Map<string, Entries<T>>, value: string, key: string): void {
  const entries = values.get(value)
  if (!entries?.delete(key)) return
  if (entries.size === 0) values.delete(value)
}

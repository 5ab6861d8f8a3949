import type { ApiObject, Frozen } from '../object/index.ts'
import { Indexer } from './indexer.ts'
import type { Identified } from './key.ts'
import { controllerOf } from './owners.ts'

/** Finds objects by other values than their key. An index is a constant: listers recognize it by its identity. */
export interface Index<T> {
  values(object: Frozen<T>): Iterable<string>
}

/** The cached objects of one resource; they are shared and must not be changed. */
export interface Lister<T> {
  readonly size: number
  /** By `namespace/name`, or by name. */
  get(key: string): Frozen<T> | undefined
  all(): Iterable<Frozen<T>>
  in(namespace: string): Iterable<Frozen<T>>
  by(index: Index<T>, value: string): readonly Frozen<T>[]
}

/** Objects by the uid of their controller; `orphansIn` names those without one. */
export const byController: Index<Pick<ApiObject, 'metadata'>> = {
  values(object) {
    const owner = controllerOf(object)
    return [owner ? owner.uid : orphansIn(object.metadata.namespace ?? '')]
  },
}

/** The value of `byController` for objects of a namespace without a controller. */
export function orphansIn(namespace: string): string {
  return `orphans in ${namespace}`
}

/** A lister of given objects, for tests. */
export function listerOf<T extends Identified>(objects: Iterable<Frozen<T>>): Lister<T> {
  const indexer = new Indexer<T>()
  for (const object of objects) indexer.set(object)
  return indexer
}

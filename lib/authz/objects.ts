import type { ApiObject } from '../object/index.ts'

/**
 * Hears of every object of one resource: of those that there are when it begins to listen, then of each change. Objects
 * are in the hub version and must not be changed. `namespace` is '' of cluster-scoped ones.
 */
export interface ObjectListener {
  /** It is there, anew or changed. */
  set(object: ApiObject): void
  remove(namespace: string, name: string): void
}

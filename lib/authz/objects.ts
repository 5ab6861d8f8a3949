import type { ApiObject } from '../object/index.ts'

/**
 * Is called with every object of one resource: first with those that exist, then with each change. Objects are in the
 * hub version and must not be changed. `namespace` is '' for cluster-scoped ones.
 */
export interface ObjectListener {
  /** It is there, anew or changed. */
  set(object: ApiObject): void
  remove(namespace: string, name: string): void
}

import type { ApiObject } from '../object/index.ts'

/**
 * Called with every object of one resource: first with the existing ones, then with each change. Objects are in the hub
 * version and must not be changed. `namespace` is '' for cluster-scoped ones.
 */
export interface ObjectListener {
  /** It was created or updated. */
  set(object: ApiObject): void
  remove(namespace: string, name: string): void
}

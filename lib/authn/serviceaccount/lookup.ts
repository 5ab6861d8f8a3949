import type { ApiObject } from '../../object/index.ts'

/** Finds the objects that tokens are bound to: in the cache, and otherwise in the store. */
export type Lookup = (
  resource: 'serviceaccounts' | 'secrets' | 'pods' | 'nodes',
  /** '' for nodes. */
  namespace: string,
  name: string,
  signal: AbortSignal,
) => Promise<ApiObject | undefined>

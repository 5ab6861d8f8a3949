import type { ApiObject } from '../../object/index.ts'

/** Finds objects that tokens are bound to: those known here, and else what the store says. */
export type Lookup = (
  resource: 'serviceaccounts' | 'secrets' | 'pods' | 'nodes',
  /** '' for nodes. */
  namespace: string,
  name: string,
  signal: AbortSignal,
) => Promise<ApiObject | undefined>

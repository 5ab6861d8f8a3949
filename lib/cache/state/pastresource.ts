import type { Tree } from '../../base/index.ts'
import { prefixEnd } from '../../storage/index.ts'
import type { PastResource } from '../contract.ts'
import type { Column } from './columns.ts'
import type { CacheEntry } from './entry.ts'

/** The state of the resource below `prefix`: `tree` is a clone, which nothing changes. */
export function pastResource(prefix: string, tree: Tree<CacheEntry>, columns: readonly Column[]): PastResource {
  return {
    prefix,
    columns: columns.map(({ name }) => name),
    after: (after, limit) =>
      tree
        .slice(after === '' ? prefix : `${after}\0`, prefixEnd(prefix), limit)
        .map((entry) => entry.past(columns.map(({ textOf }) => textOf(entry)))),
  }
}

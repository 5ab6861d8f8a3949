import type { Revision } from '../../object/index.ts'
import type { StoreEvent } from '../contract.ts'
import type { ClientDependencies, EtcdClient } from './client.ts'
import { EtcdWatch } from './watch.ts'

const progressMs = 20

export interface Span {
  readonly from: Revision
  /** Inclusive; the store has reached this revision. */
  readonly upTo: Revision
  readonly timeoutMs: number
}

/**
 * The first event of a key in a range of revisions. Undefined: unknown, as the history is compacted, etcd's version
 * lacks sound progress reports, or time ran out.
 */
export type LookBack = (
  key: string,
  span: Span,
  isWanted: (event: StoreEvent) => boolean,
) => Promise<StoreEvent | 'none' | undefined>

export function createLookBack(dependencies: ClientDependencies, client: EtcdClient): LookBack {
  const { clock } = dependencies
  return async (key, { from, upTo, timeoutMs }, isWanted) => {
    if (from > upTo) return 'none'
    if (timeoutMs <= 0) return undefined
    const { promise, resolve } = Promise.withResolvers<StoreEvent | 'none' | undefined>()
    const options = { start: key, end: `${key}\0`, fromRevision: from }
    const watch = new EtcdWatch(dependencies, client, options, {
      onEvents(events) {
        const wanted = events.find((event) => event.revision <= upTo && isWanted(event))
        if (wanted) resolve(wanted)
        else if (events.some(({ revision }) => revision >= upTo)) resolve('none')
      },
      onProgress(revision) {
        if (revision >= upTo) resolve('none')
      },
      onEnd: () => resolve(undefined),
    })
    const asking = clock.every(progressMs, () => {
      if (client.isClosed) resolve(undefined)
      else watch.requestProgress()
    })
    const deadline = clock.after(timeoutMs, () => resolve(undefined))
    try {
      return await promise
    } finally {
      void asking.close()
      void deadline.close()
      watch.close()
    }
  }
}

import type { ChaosEnvironment } from './environment.ts'
import type { History, Operation, SeenEvent, WatchedSpan } from './history.ts'

/** Damage that is done on purpose: a run with it has to fail. */
export interface Canary {
  /** Done to what is stored, past the replicas, while the load runs. */
  damage?(around: ChaosEnvironment, namespace: string): Promise<void>
  /** Changes what clients saw into what a broken replica would have shown. */
  tell?(history: History): History
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

interface Stored {
  readonly kvs?: readonly { readonly key: string; readonly value: string }[]
}

async function some({ etcd }: ChaosEnvironment, namespace: string): Promise<NonNullable<Stored['kvs']>> {
  const keys = `/registry/configmaps/${namespace}/k-`
  const range = { key: base64(keys), range_end: base64(`${keys.slice(0, -1)}.`), limit: '5' }
  return ((await etcd('etcd1', '/v3/kv/range', range)) as Stored).kvs ?? []
}

function withEvents(history: History, change: (events: readonly SeenEvent[]) => readonly SeenEvent[]): History {
  const longest = history.spans.reduce((a, b) => (b.events.length > a.events.length ? b : a))
  const spans = history.spans.map(
    (span): WatchedSpan => (span === longest ? { ...span, events: change(span.events) } : span),
  )
  return { ...history, spans }
}

const middle = (events: readonly SeenEvent[]): number => Math.floor(events.length / 2)

export const canaries: Readonly<Record<string, Canary>> = {
  /** A store that loses objects. */
  'lost-write': {
    async damage(around, namespace) {
      for (const { key } of await some(around, namespace)) await around.etcd('etcd1', '/v3/kv/deleterange', { key })
    },
  },
  /** A store that brings an older state back. */
  'old-state': {
    async damage(around, namespace) {
      const before = await some(around, namespace)
      await new Promise((resolve) => setTimeout(resolve, 3000))
      for (const { key, value } of before) await around.etcd('etcd1', '/v3/kv/put', { key, value })
    },
  },
  'skipped-event': { tell: (history) => withEvents(history, (events) => events.toSpliced(middle(events), 1)) },
  'repeated-event': {
    tell: (history) =>
      withEvents(history, (events) => {
        const at = middle(events)
        return [...events.slice(0, at + 1), ...events.slice(at)]
      }),
  },
  'stale-read': {
    tell(history) {
      const reads = history.operations.filter(({ action, outcome }) => action === 'get' && outcome === 'done')
      const before = (late: Operation): Operation | undefined =>
        reads.find(
          ({ key, revision, answeredMs }) =>
            key === late.key && revision !== late.revision && answeredMs + 500 < late.invokedMs,
        )
      const late = reads.findLast((read) => before(read) !== undefined)
      const early = late && before(late)
      if (!late || !early) throw new Error('no object was read twice in different states')
      const stale = { ...late, value: early.value ?? '', revision: early.revision ?? 0 }
      return { ...history, operations: history.operations.map((one) => (one === late ? stale : one)) }
    },
  },
}

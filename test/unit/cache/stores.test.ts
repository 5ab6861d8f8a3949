import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { type CacheWatchEvent, createFeed } from '../../../lib/cache/index.ts'
import type { Revision } from '../../../lib/object/index.ts'
import { createEmbeddedStore, createMemoryStore, type Store } from '../../../lib/storage/index.ts'
import { allPods, any, encodeObject, latest, resourceOptions } from '../../support/cachekit.ts'
import { eventually } from '../../support/eventually.ts'

const log = silentLogger
const folder = mkdtempSync(join(tmpdir(), 'pilothouse-cache-'))
const stores: Record<string, () => Store | Promise<Store>> = {
  memory: () => createMemoryStore({ clock: systemClock, log }),
  embedded: () => createEmbeddedStore({ clock: systemClock, log, random: systemRandom }, { directory: folder }),
}

describe('a feed', () => {
  after(() => rmSync(folder, { recursive: true }))

  for (const [name, open] of Object.entries(stores))
    it(`a feed over the ${name} store shows each answered write to the next reader, and all to watchers`, async () => {
      const store = await open()
      const feed = createFeed({ store, clock: systemClock, log, metrics: silentMetrics }, { prefix: '/registry/' })
      const pods = feed.attach(resourceOptions())
      await feed.start()
      const seen: Revision[] = []
      const sink = {
        onEvents: (events: readonly CacheWatchEvent[]) => seen.push(...events.map(({ revision }) => revision)) > 0,
        onEnd() {},
      }
      await pods.watch({ ...allPods, from: { kind: 'state', at: any } }, sink)
      const written: Revision[] = []
      const writer = async (number: number): Promise<void> => {
        const key = `/registry/pods/a/p${number}`
        let { revision } = await store.create(key, encodeObject({}))
        for (let round = 0; round < 20; round++) {
          written.push(revision)
          const { entry } = await pods.get(key, { at: latest })
          equal(entry?.revision, revision)
          const result = await store.update(key, encodeObject({ round: String(round) }), revision)
          equal(result.ok, true)
          revision = result.revision
        }
        written.push(revision)
      }
      await Promise.all(Array.from({ length: 20 }, (_, number) => writer(number)))
      const { revision } = await pods.list({ ...allPods, at: latest })
      await eventually(() => (seen.at(-1) ?? 0) >= revision, 'the last event')
      deepEqual(
        seen,
        written.toSorted((a, b) => a - b),
      )
      await store.close()
      await feed.close()
    })
})

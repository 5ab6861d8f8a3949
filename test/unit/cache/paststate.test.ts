import { deepEqual, equal } from 'node:assert/strict'
import type { PastState } from '../../../lib/cache/contract.ts'
import { resourceOptions, startKit } from '../../support/cachekit.ts'

describe('The past state of a feed', () => {
  const lines = (state: PastState | undefined): string[] =>
    (state?.resources ?? []).flatMap(({ after }) => {
      const all: string[] = []
      // Two at a time, as a writer of files reads them.
      for (let last = '', some = after('', 2); some.length > 0; some = after(last, 2))
        for (const { key, modRevision } of some) {
          all.push(`${key.split('/').pop()}@${modRevision}`)
          last = key
        }
      return all
    })

  it('is so many revisions old that watches resume from it', async () => {
    const kit = await startKit({ resumeRevisions: 4 })
    for (const name of ['a', 'b', 'c']) kit.put(`pods/x/${name}`)
    for (let round = 0; round < 6; round++) kit.put('pods/x/a')
    kit.remove('pods/x/b')
    await kit.settle()
    const state = kit.feed.pastState()
    const { revision } = kit.feed
    equal(state?.revision, revision - 4)
    deepEqual(lines(state), [`a@${revision - 4}`, `b@${revision - 8}`, `c@${revision - 7}`])
    await kit.feed.close()
  })

  it('is the state of now where the caches have none that is older', async () => {
    const kit = await startKit({ resumeRevisions: 1000 })
    kit.put('pods/x/a')
    const late = kit.feed.attach(resourceOptions('widgets'))
    await late.whenReady()
    kit.put('pods/x/b')
    await kit.settle()
    const state = kit.feed.pastState()
    equal(state?.revision, kit.feed.revision)
    equal(lines(state).length, 2)
    deepEqual(
      state?.resources.map(({ prefix }) => prefix),
      ['/registry/pods/', '/registry/widgets/'],
    )
    await kit.feed.close()
  })

  it('does not change with the caches, and is unknown while they load', async () => {
    const kit = await startKit({ resumeRevisions: 0 })
    kit.put('pods/x/a')
    await kit.settle()
    const state = kit.feed.pastState()
    const before = lines(state)
    kit.put('pods/x/b')
    await kit.settle()
    deepEqual(lines(state), before)
    await kit.feed.close()
    equal(kit.feed.pastState(), undefined)
  })
})

import { deepEqual, equal } from 'node:assert/strict'
import { createFakeClock, createSeededRandom, type FakeClock, silentLogger } from '../../../../lib/base/index.ts'
import { keepMirror } from '../../../../lib/controlplane/storage/mirrorkeeper.ts'
import { asRevision } from '../../../../lib/object/index.ts'

const minuteMs = 60_000

describe('The keeper of a mirror', () => {
  let clock: FakeClock
  let saves: number[]
  let isReleased: boolean
  let fails: boolean
  const feed = {
    ready: true,
    revision: asRevision(5_000),
    pastState: () => ({ revision: feed.revision, resources: [] }),
  }
  const mirror = {
    savedRevision: asRevision(0),
    release: () => (isReleased = true),
    async save({ revision }: { revision: number }) {
      if (fails) throw new Error('no space')
      saves.push(revision)
      mirror.savedRevision = asRevision(revision)
    },
  }

  beforeEach(() => {
    clock = createFakeClock()
    saves = []
    isReleased = false
    fails = false
    feed.revision = asRevision(5_000)
    mirror.savedRevision = asRevision(0)
  })

  const keep = (writes = true) =>
    keepMirror(
      { clock, random: createSeededRandom(1), log: silentLogger },
      feed as unknown as Parameters<typeof keepMirror>[1],
      mirror as unknown as Parameters<typeof keepMirror>[2],
      writes,
    )

  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      clock.advance(minuteMs)
      await new Promise(setImmediate)
    }
  }

  it('writes the first file after a minute, and then one in ten minutes in which much has changed', async () => {
    const kept = keep()
    await pass(1)
    deepEqual(saves, [5_000])
    feed.revision = asRevision(8_000)
    await pass(8)
    deepEqual(saves, [5_000])
    await pass(4)
    deepEqual(saves, [5_000, 8_000])
    feed.revision = asRevision(8_100)
    await pass(60)
    deepEqual(saves, [5_000, 8_000])
    await kept.close()
    deepEqual(saves, [5_000, 8_000])
  })

  it('writes a file a day when little changes: its fence ends', async () => {
    mirror.savedRevision = asRevision(4_990)
    const kept = keep()
    await pass(24 * 60 - 5)
    deepEqual(saves, [])
    await pass(10)
    deepEqual(saves, [5_000])
    await kept.close()
  })

  it('writes a file at the end when much has changed, even if that fails', async () => {
    await keep().close()
    deepEqual(saves, [5_000])
    feed.revision = asRevision(9_000)
    fails = true
    await keep().close()
    fails = false
    await keep().close()
    deepEqual(saves, [5_000, 9_000])
  })

  it('releases the file a minute or two after all is loaded', async () => {
    feed.ready = false
    const kept = keep()
    await pass(5)
    equal(isReleased, false)
    feed.ready = true
    await pass(1)
    equal(isReleased, false)
    await pass(1)
    equal(isReleased, true)
    await kept.close()
  })

  it('does not keep a server that stops waiting for a store that does not answer', async () => {
    const { save } = mirror
    mirror.save = () => new Promise(() => {})
    const closing = keep().close()
    await new Promise(setImmediate)
    clock.advance(10_000)
    await closing
    mirror.save = save
  })

  it('writes nothing where another process does', async () => {
    const kept = keep(false)
    await pass(30)
    await kept.close()
    deepEqual(saves, [])
    equal(isReleased, true)
  })
})

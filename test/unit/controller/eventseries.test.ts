import assert from 'node:assert/strict'
import type { Event } from '../../../api/gen/events.k8s.io/v1.ts'
import { createFakeClock, createSeededRandom, silentLogger } from '../../../lib/base/index.ts'
import { type Client, RequestError } from '../../../lib/client/index.ts'
import { createSeriesRecorder } from '../../../lib/controller/index.ts'
import { type ApiObject, type Frozen, StatusError } from '../../../lib/object/index.ts'

describe('events of events.k8s.io', () => {
  const pod = (name: string, resourceVersion = '7'): Frozen<ApiObject> => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name, uid: name, resourceVersion },
  })
  const failed = (note: string) =>
    ({ type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note }) as const
  const minute = 60_000
  let clock: ReturnType<typeof createFakeClock>
  let created: Frozen<Event>[]
  let patches: { readonly name: string; readonly series?: { count: number; lastObservedTime: string } }[]
  let failure: Error | undefined
  let patchFailure: Error | undefined
  let recorder: ReturnType<typeof createSeriesRecorder>

  async function settled(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) {
      clock.advance(0)
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }

  async function passes(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed++) {
      clock.advance(minute)
      await settled()
    }
  }

  beforeEach(() => {
    clock = createFakeClock(Date.UTC(2026, 0, 1))
    ;[created, patches, failure, patchFailure] = [[], [], undefined, undefined]
    const events = {
      create: async (event: Frozen<Event>) => {
        if (failure) throw failure
        created.push(event)
        return await Promise.resolve(event)
      },
      patch: async ({ name }: { name: string }, _type: string, patch: object) => {
        if (patchFailure) throw patchFailure
        patches.push(await Promise.resolve({ name, ...patch }))
      },
    }
    // No other method is called.
    const client = { resource: () => events } as unknown as Client
    const means = { clock, random: createSeededRandom(1), log: silentLogger, client }
    recorder = createSeriesRecorder(means, { controller: 'default-scheduler', instance: 'default-scheduler-a' })
  })
  afterEach(async () => await recorder.close())

  it('the first is created, with its action, instance and related object, and without the fields of core events', async () => {
    const related = pod('other')
    recorder.record(pod('a'), { type: 'Normal', reason: 'Preempted', action: 'Preempting', note: 'by', related })
    await settled()
    const [{ metadata, ...event } = assert.fail('not created')] = created
    assert.match(metadata.name ?? '', /^a\.[0-9a-f]{16}$/)
    assert.deepEqual(event, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'default-scheduler',
      reportingInstance: 'default-scheduler-a',
      action: 'Preempting',
      reason: 'Preempted',
      regarding: { apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: 'default', uid: 'a', resourceVersion: '7' },
      related: {
        apiVersion: 'v1',
        kind: 'Pod',
        name: 'other',
        namespace: 'default',
        uid: 'other',
        resourceVersion: '7',
      },
      note: 'by',
      deprecatedSource: {},
      type: 'Normal',
    })
  })

  it('the second of equal events makes a series, and the last count is written when it ends', async () => {
    for (const note of ['one', 'two', 'three', 'four']) {
      recorder.record(pod('a'), failed(note))
      await settled()
      clock.advance(1000)
    }
    assert.deepEqual([created.length, patches.map(({ series }) => series?.count)], [1, [2]])
    await passes(12)
    const lastObservedTime = '2026-01-01T00:00:03.000000Z'
    assert.deepEqual(patches.at(-1), { name: created[0]?.metadata.name, series: { count: 4, lastObservedTime } })
    await passes(40)
    assert.equal(patches.length, 2)
    recorder.record(pod('a'), failed('five'))
    await settled()
    assert.equal(created.length, 2)
  })

  it('a series that goes on is written every half an hour', async () => {
    for (let passed = 0; passed < 40; passed++) {
      recorder.record(pod('a'), failed('again'))
      await passes(1)
    }
    assert.deepEqual([created.length, patches.map(({ series }) => series?.count)], [1, [2, 36]])
  })

  it('a series whose event has expired is created again with its count', async () => {
    recorder.record(pod('a'), failed('one'))
    await settled()
    patchFailure = new StatusError(404, 'NotFound', 'no such event')
    recorder.record(pod('a'), failed('two'))
    await settled()
    assert.deepEqual(
      created.map(({ series }) => series?.count),
      [undefined, 2],
    )
  })

  it('events of other states of the object and of other objects are other events', async () => {
    for (const about of [pod('a'), pod('b'), pod('a', '8')]) recorder.record(about, failed('one'))
    await settled()
    assert.deepEqual([created.length, patches.length], [3, 0])
  })

  it('a creation whose request was lost is tried again', async () => {
    failure = new RequestError('the connection broke')
    recorder.record(pod('a'), failed('one'))
    await settled()
    failure = undefined
    clock.advance(10_000)
    await settled()
    assert.equal(created.length, 1)
  })

  it('at most a thousand events wait while the server does not answer', async () => {
    failure = new RequestError('the connection broke')
    for (let index = 0; index < 1500; index++) recorder.record(pod(`p${index}`), failed('one'))
    await settled()
    failure = undefined
    clock.advance(10_000)
    await settled()
    for (let turns = 0; turns < 10; turns++) await settled()
    assert.equal(created.length, 1008)
  })
})

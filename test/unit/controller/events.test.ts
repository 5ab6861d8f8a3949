import assert from 'node:assert/strict'
import type { Event } from '../../../api/gen/core/v1.ts'
import { createFakeClock, createSeededRandom, silentLogger } from '../../../lib/base/index.ts'
import { type Client, RequestError } from '../../../lib/client/index.ts'
import { createEventSink } from '../../../lib/controller/index.ts'
import { type ApiObject, type Frozen, StatusError } from '../../../lib/object/index.ts'

interface Patch {
  readonly count: number
  readonly message: string
  readonly lastTimestamp: string
}

describe('events of controllers', () => {
  const pod = (name: string): Frozen<ApiObject> => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name, uid: name, resourceVersion: '7' },
  })
  let clock: ReturnType<typeof createFakeClock>
  let created: Frozen<Event>[]
  let patches: (Patch & { readonly name: string })[]
  let failure: Error | undefined
  let patchFailure: Error | undefined
  let isSilent: boolean
  let sink: ReturnType<typeof createEventSink>

  async function settled(): Promise<void> {
    for (let turns = 0; turns < 60; turns++) {
      clock.advance(0)
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }

  beforeEach(() => {
    clock = createFakeClock(Date.UTC(2026, 0, 1))
    ;[created, patches, failure, patchFailure, isSilent] = [[], [], undefined, undefined, false]
    const reach = async (signal?: AbortSignal): Promise<void> => {
      if (failure) throw failure
      if (isSilent)
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
    }
    const events = {
      create: async (event: Frozen<Event>, options?: { readonly signal?: AbortSignal }) => {
        await reach(options?.signal)
        created.push(event)
        return event
      },
      patch: async ({ name }: { name: string }, _type: string, patch: Patch) => {
        await reach()
        if (patchFailure) throw patchFailure
        patches.push({ name, ...patch })
      },
    }
    // No other method is called.
    const client = { resource: () => events } as unknown as Client
    const means = { clock, random: createSeededRandom(1), log: silentLogger, client }
    sink = createEventSink(means, { component: 'job-controller' })
  })
  afterEach(async () => {
    isSilent = false
    await sink.close()
  })

  it('are counted by patches after a creation whose answer was lost', async () => {
    failure = new RequestError('the connection broke')
    sink.event(pod('a'), 'Normal', 'Pulled', 'same')
    await settled()
    failure = new StatusError(409, 'AlreadyExists', 'events "a" already exists')
    clock.advance(10_000)
    await settled()
    failure = undefined
    sink.event(pod('a'), 'Normal', 'Pulled', 'same')
    await settled()
    assert.deepEqual([created.length, patches.map(({ count }) => count)], [0, [2]])
  })

  it('have the same limits when the wall clock is set, and however often each is tried', async () => {
    let skewMs = 0
    const client = { resource: () => ({ create, patch: create }) } as unknown as Client
    const messages: string[] = []
    let tries = 0
    async function create(event: Frozen<Event>): Promise<Frozen<Event>> {
      if (++tries % 2 === 1) throw new RequestError('no connection')
      messages.push(event.message ?? '')
      return await Promise.resolve(event)
    }
    const skewed = { ...clock, now: () => clock.now() + skewMs }
    const means = { clock: skewed, random: createSeededRandom(1), log: silentLogger, client }
    const other = createEventSink(means, { component: 'job-controller' })
    for (let index = 0; index < 40; index++) {
      skewMs += 3_600_000
      other.event(pod('a'), 'Normal', `Reason${index}`, 'It runs')
      await settled()
      clock.advance(10_000)
      await settled()
    }
    await other.close()
    // 25 at once, and one more for each of the five minutes that have passed.
    assert.equal(messages.length, 26)
  })

  it('name their object, their source and their time', async () => {
    sink.event(pod('a'), 'Normal', 'Started', 'It runs')
    await settled()
    const [event] = created
    assert.equal(event?.metadata.namespace, 'default')
    assert.match(event.metadata.name ?? '', /^a\.[0-9a-f]{14,16}$/)
    assert.deepEqual(event.source, { component: 'job-controller' })
    assert.deepEqual([event.type, event.reason, event.message, event.count], ['Normal', 'Started', 'It runs', 1])
    assert.equal(event.firstTimestamp, '2026-01-01T00:00:00Z')
    assert.equal(event.involvedObject.uid, 'a')
    sink.event({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, 'Normal', 'Started', 'It runs')
    await settled()
    assert.equal(created[1]?.metadata.namespace, 'default')
  })

  it('events that are equal raise a count, in one write for those that wait', async () => {
    for (let index = 0; index < 3; index++) sink.event(pod('a'), 'Warning', 'Failed', 'no')
    await settled()
    assert.deepEqual(
      created.map(({ count, firstTimestamp, lastTimestamp }) => [count, firstTimestamp, lastTimestamp]),
      [[3, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z']],
    )
    clock.advance(5000)
    for (let index = 0; index < 2; index++) sink.event(pod('a'), 'Warning', 'Failed', 'no')
    await settled()
    sink.event(pod('a'), 'Warning', 'Failed', 'no')
    await settled()
    assert.deepEqual(patches, [
      { name: created[0]?.metadata.name, count: 5, message: 'no', lastTimestamp: '2026-01-01T00:00:05Z' },
      { name: created[0]?.metadata.name, count: 6, message: 'no', lastTimestamp: '2026-01-01T00:00:05Z' },
    ])
  })

  it('an event that has expired is created again, with its name, count and first time', async () => {
    sink.event(pod('a'), 'Warning', 'Failed', 'no')
    await settled()
    clock.advance(5000)
    patchFailure = new StatusError(404, 'NotFound', 'expired')
    sink.event(pod('a'), 'Warning', 'Failed', 'no')
    await settled()
    const shown = created.map(({ metadata, count, firstTimestamp, lastTimestamp }) => ({
      name: metadata.name,
      count,
      firstTimestamp,
      lastTimestamp,
    }))
    const [first, firstTimestamp] = [created[0]?.metadata.name, '2026-01-01T00:00:00Z']
    assert.deepEqual(shown, [
      { name: first, count: 1, firstTimestamp, lastTimestamp: firstTimestamp },
      { name: first, count: 2, firstTimestamp, lastTimestamp: '2026-01-01T00:00:05Z' },
    ])
  })

  it('events that are similar become one from the tenth on, within ten minutes', async () => {
    for (let index = 0; index < 12; index++) sink.event(pod('a'), 'Warning', 'Failed', `try ${index}`)
    await settled()
    assert.deepEqual(
      created.map(({ message, count }) => [message, count]),
      [...Array.from({ length: 9 }, (_, index) => [`try ${index}`, 1]), ['(combined from similar events): try 11', 3]],
    )
    sink.event(pod('a'), 'Warning', 'Failed', 'try 12')
    await settled()
    assert.deepEqual(
      patches.map(({ count, message }) => [count, message]),
      [[4, '(combined from similar events): try 12']],
    )
    // One of the last messages is no further message.
    sink.event(pod('a'), 'Warning', 'Failed', 'try 12')
    await settled()
    assert.equal(created.at(-1)?.message, 'try 12')
    clock.advance(601_000)
    sink.event(pod('a'), 'Warning', 'Failed', 'try 13')
    await settled()
    assert.equal(created.at(-1)?.message, 'try 13')
  })

  it('events beyond the limit of an object are counted when the next is written', async () => {
    sink.event(pod('a'), 'Normal', 'R', 'm')
    await settled()
    for (let index = 0; index < 24; index++) sink.event(pod('a'), 'Normal', `R${index}`, 'm')
    for (let index = 0; index < 10; index++) sink.event(pod('a'), 'Normal', 'R', 'm')
    await settled()
    assert.deepEqual(patches, [])
    clock.advance(301_000)
    sink.event(pod('a'), 'Normal', 'R', 'm')
    await settled()
    assert.deepEqual(
      patches.map(({ count }) => count),
      [12],
    )
  })

  it('events about one object are limited: twenty-five at once, then one in five minutes', async () => {
    for (let index = 0; index < 40; index++) sink.event(pod('a'), 'Normal', `R${index}`, 'm')
    sink.event(pod('b'), 'Normal', 'R', 'm')
    await settled()
    assert.equal(created.length, 26)
    clock.advance(299_000)
    sink.event(pod('a'), 'Normal', 'X', 'm')
    await settled()
    assert.equal(created.length, 26)
    clock.advance(2000)
    sink.event(pod('a'), 'Normal', 'Y', 'm')
    sink.event(pod('a'), 'Normal', 'Z', 'm')
    await settled()
    assert.equal(created.length, 27)
  })

  it('wait while no server answers, twelve times ten seconds, and are dropped when one refuses', async () => {
    failure = new RequestError('no connection')
    sink.event(pod('a'), 'Normal', 'R', 'm')
    for (let round = 0; round < 5; round++) {
      await settled()
      clock.advance(10_000)
    }
    failure = undefined
    await settled()
    clock.advance(10_000)
    await settled()
    assert.equal(created.length, 1)
    failure = new StatusError(403, 'Forbidden', 'the namespace is terminating')
    sink.event(pod('b'), 'Normal', 'R', 'm')
    await settled()
    failure = undefined
    clock.advance(60_000)
    await settled()
    assert.equal(created.length, 1)
  })

  it('events that wait are a thousand at most', async () => {
    failure = new RequestError('no connection')
    for (let index = 0; index < 1500; index++) sink.event(pod(`p${index}`), 'Normal', 'R', 'm')
    await settled()
    failure = undefined
    clock.advance(10_000)
    for (let round = 0; round < 20; round++) await settled()
    assert.equal(created.length, 1000)
  })

  it('are written at once, eight at most, but equal ones one after the other', async () => {
    const held: { readonly name: string; readonly done: () => void }[] = []
    const hold = async (name: string): Promise<void> => {
      await new Promise<void>((done) => void held.push({ name, done }))
    }
    const events = {
      create: async ({ involvedObject }: Frozen<Event>) => await hold(`create ${involvedObject.name ?? ''}`),
      patch: async (_name: unknown, _type: string, { count }: { count: number }) => await hold(`count ${count}`),
    }
    const client = { resource: () => events } as unknown as Client
    const means = { clock, random: createSeededRandom(1), log: silentLogger, client }
    const slow = createEventSink(means, { component: 'job-controller' })
    for (const name of ['a', 'a', 'b', 'a', 'c']) slow.event(pod(name), 'Normal', 'R', 'm')
    await settled()
    assert.deepEqual(Array.from(held, ({ name }) => name).sort(), ['create a', 'create b', 'create c'])
    for (const name of ['a', 'a']) {
      slow.event(pod(name), 'Normal', 'R', 'm')
      await settled()
    }
    held[0]?.done()
    await settled()
    assert.equal(held.at(-1)?.name, 'count 5')
    held.at(-1)?.done()
    for (let index = 0; index < 20; index++) slow.event(pod(`p${index}`), 'Normal', 'R', 'm')
    await settled()
    // Those of b and c are under way still.
    assert.equal(held.length, 4 + 6)
    const closing = slow.close()
    for (const { done } of held) done()
    await closing
    assert.equal(held.length, 4 + 6)
  })

  it('delay the end for half a second at most', async () => {
    isSilent = true
    sink.event(pod('a'), 'Normal', 'R', 'm')
    await settled()
    let isClosed = false
    void sink.close().then(() => (isClosed = true))
    clock.advance(400)
    await settled()
    assert.equal(isClosed, false)
    clock.advance(100)
    await settled()
    assert.equal(isClosed, true)
  })

  it('have messages of 1,024 bytes at most, cut between characters', async () => {
    sink.event(pod('a'), 'Normal', 'R', 'ä'.repeat(2000))
    sink.event(pod('b'), 'Normal', 'R', `x${'ä'.repeat(2000)}`)
    await settled()
    assert.equal(created[0]?.message, 'ä'.repeat(512))
    assert.equal(created[1]?.message, `x${'ä'.repeat(511)}`)
  })
})

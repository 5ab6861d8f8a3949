import assert from 'node:assert/strict'
import type { ConfigMap } from '../../../api/gen/core/v1.ts'
import { type Closable, createFakeClock, createSeededRandom, silentLogger } from '../../../lib/base/index.ts'
import { RequestError, type ResourceClient, type WatchSink } from '../../../lib/client/index.ts'
import { startReflector } from '../../../lib/controller/reflector.ts'
import { type Frozen, resourceType, StatusError } from '../../../lib/object/index.ts'

async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => void setImmediate(resolve))
}

const map = (name: string, resourceVersion: string): Frozen<ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name, resourceVersion },
})
const bookmark = (resourceVersion: string, isEnd = false) => ({
  type: 'BOOKMARK' as const,
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { resourceVersion, ...(isEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}) },
  },
})

type WatchOptions = Parameters<ResourceClient<ConfigMap>['watch']>[0]

interface OpenWatch {
  readonly options: WatchOptions
  readonly sink: WatchSink<ConfigMap>
  isOpen: boolean
}

describe('reflectors', () => {
  let clock: ReturnType<typeof createFakeClock>
  let watches: OpenWatch[]
  let lists: number
  let told: string[]
  let reflector: Closable
  beforeEach(() => {
    clock = createFakeClock()
    ;[watches, lists, told] = [[], 0, []]
    reflector = follow({})
  })
  afterEach(async () => {
    await reflector.close()
  })

  function follow(options: Parameters<typeof startReflector>[2]): Closable {
    const client = {
      type: resourceType('', 'v1', 'configmaps', 'ConfigMap', true),
      listAll: async () => {
        lists++
        return await Promise.resolve({ metadata: { resourceVersion: '50' }, items: [map('listed', '49')] })
      },
      watch(options: WatchOptions, sink: WatchSink<ConfigMap>) {
        const watch: OpenWatch = { options, sink, isOpen: true }
        watches.push(watch)
        return {
          close() {
            if (!watch.isOpen) return
            watch.isOpen = false
            sink.onEnd()
          },
        }
      },
    }
    const means = { clock, random: createSeededRandom(1), log: silentLogger }
    // No other method is called.
    return startReflector(means, client as unknown as ResourceClient<ConfigMap>, options, {
      replaced: (objects, version) =>
        void told.push(`=${objects.map(({ metadata }) => metadata.name).join()}@${version}`),
      changed: (events) => void told.push(...events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`)),
      failed: (error) => void told.push(`failed: ${error.message}`),
    })
  }

  const last = (): OpenWatch => {
    const watch = watches.at(-1)
    assert.ok(watch)
    return watch
  }
  function end(error?: Error): void {
    const watch = last()
    watch.isOpen = false
    watch.sink.onEnd(error)
  }

  it('pass on the whole state once its stream has ended, then each change', () => {
    assert.equal(last().options.sendInitialEvents, true)
    last().sink.onEvents([{ type: 'ADDED', object: map('a', '3') }])
    assert.deepEqual(told, [])
    last().sink.onEvents([
      { type: 'ADDED', object: map('b', '4') },
      { type: 'DELETED', object: map('a', '5') },
      bookmark('6', true),
      { type: 'MODIFIED', object: map('b', '7') },
    ])
    assert.deepEqual(told, ['=b@6', 'MODIFIED b'])
  })

  it('go on where a watch ended, by its last event or bookmark', async () => {
    last().sink.onEvents([bookmark('6', true), { type: 'ADDED', object: map('b', '7') }, bookmark('9')])
    clock.advance(2000)
    end()
    await settled()
    assert.equal(watches.length, 2)
    assert.equal(last().options.resourceVersion, '9')
    assert.equal(last().options.sendInitialEvents, undefined)
  })

  it('begin again at once where the server no longer has that revision', async () => {
    last().sink.onEvents([bookmark('6', true)])
    clock.advance(2000)
    end(new StatusError(410, 'Expired', 'too old'))
    await settled()
    assert.equal(last().options.sendInitialEvents, true)
    last().sink.onEvents([{ type: 'ADDED', object: map('c', '20') }, bookmark('20', true)])
    assert.deepEqual(told, ['=@6', '=c@20'])
  })

  it('list where the server knows no streaming lists', async () => {
    end(new StatusError(422, 'Invalid', 'sendInitialEvents is forbidden'))
    await settled()
    assert.equal(lists, 1)
    assert.deepEqual(told, ['=listed@50'])
    assert.equal(last().options.resourceVersion, '50')
  })

  it('list at once where a stream would be no better', async () => {
    await reflector.close()
    ;[watches, lists, told] = [[], 0, []]
    reflector = follow({ streams: false })
    await settled()
    assert.equal(lists, 1)
    assert.deepEqual(
      watches.map(({ options }) => options.resourceVersion),
      ['50'],
    )
  })

  it('try again after growing pauses, never for ever, while a server is away', async () => {
    const triedMs: number[] = []
    for (let known = 1; triedMs.length < 12; ) {
      end(new RequestError('no connection'))
      await settled()
      const sinceMs = clock.monotonicMs()
      for (; watches.length === known; await settled()) clock.advance(100)
      known = watches.length
      triedMs.push(clock.monotonicMs() - sinceMs)
    }
    assert.ok((triedMs[0] ?? 0) <= 500)
    assert.ok(
      triedMs.slice(-3).every((ms) => ms >= 30_000 && ms <= 60_100),
      triedMs.join(),
    )
    last().sink.onEvents([bookmark('6', true)])
    clock.advance(2000)
    end(new RequestError('no connection'))
    await settled()
    clock.advance(500)
    await settled()
    assert.equal(last().options.resourceVersion, '6')
  })

  it('pause where watches end gracefully, but at once', async () => {
    last().sink.onEvents([bookmark('6', true)])
    end()
    await settled()
    for (let round = 0; round < 3; round++) {
      if (last().isOpen) end()
      await settled()
    }
    const before = watches.length
    await settled()
    assert.equal(watches.length, before)
    clock.advance(60_000)
    await settled()
    assert.equal(watches.length, before + 1)
  })

  it('treat a watch that outlives its time as dead, and begin another', async () => {
    last().sink.onEvents([bookmark('6', true)])
    const { timeoutSeconds = 0 } = last().options
    assert.ok(timeoutSeconds >= 300 && timeoutSeconds <= 600)
    clock.advance(timeoutSeconds * 1000 + 29_000)
    await settled()
    assert.equal(watches.length, 1)
    clock.advance(1000)
    await settled()
    assert.equal(watches.length, 2)
    assert.equal(last().options.resourceVersion, '6')
  })

  it('end their watch and ask for nothing more when they are closed', async () => {
    last().sink.onEvents([bookmark('6', true)])
    await reflector.close()
    assert.equal(last().isOpen, false)
    clock.advance(3_600_000)
    await settled()
    assert.equal(watches.length, 1)
  })
})

import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import {
  type Clock,
  createFakeClock,
  createSeededRandom,
  type FakeClock,
  type Logger,
  silentLogger,
} from '../../../lib/base/index.ts'
import type { Transport } from '../../../lib/client/index.ts'
import { type ControllerContext, defaultControllerSettings, startControllers } from '../../../lib/controller/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'

type Options = Parameters<ControllerContext['reconcile']>[0]

/** Lets everything that is ready run, timers of the fake clock that are due included. */
async function settle(clock: FakeClock): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await new Promise((resolve) => void setImmediate(resolve))
    clock.advance(0)
  }
}

describe('controller: reconciler', () => {
  async function open(options: Pick<Options, 'turn'> & Partial<Options>) {
    const fake = createFakeClock()
    // Work that holds the loop takes time without letting timers run.
    let heldMs = 0
    const held = (): number => fake.monotonicMs() + heldMs
    const clock: Clock = { ...fake, monotonicMs: held, threadCpuMs: held, now: () => fake.now() + heldMs }
    const warnings: unknown[] = []
    const log: Logger = {
      ...silentLogger,
      named: () => log,
      warn: (message, fields) => warnings.push([message, fields]),
    }
    const metrics = createMetrics()
    const transport: Transport = {
      send: async () => ({ metadata: { name: 'a', resourceVersion: '1' } }),
      watch: () => ({ close() {} }),
      close() {},
    }
    const manager = await startControllers(
      { clock, random: createSeededRandom(1), log, metrics, connect: () => transport, gate: () => true },
      [
        {
          name: 'one',
          account: 'one',
          start(context) {
            queue = context.reconcile({ name: 'things', ...options })
          },
        },
      ],
      { settings: defaultControllerSettings },
    )
    await settle(fake)
    return {
      clock: fake,
      warnings,
      metrics,
      manager,
      close: () => manager.close(),
      hold: (ms: number) => void (heldMs += ms),
    }
  }
  let queue: ReturnType<ControllerContext['reconcile']>

  it('a manager has work at once while a turn waits or is under way, and later where a key is due', async () => {
    const gate = Promise.withResolvers<void>()
    const { clock, manager, close } = await open({
      async turn() {
        await gate.promise
        return { againAfterMs: 700 }
      },
    })
    const seen = [manager.nextWorkMs()]
    queue.add('ns/a')
    seen.push(manager.nextWorkMs())
    await settle(clock)
    seen.push(manager.nextWorkMs())
    gate.resolve()
    await settle(clock)
    seen.push(manager.nextWorkMs())
    assert.deepEqual(seen, [Number.POSITIVE_INFINITY, 0, 0, 700])
    await close()
  })

  it('a key whose turn holds the loop for more than 50 ms is counted, logged, and rests in proportion', async () => {
    const turns: string[] = []
    const { clock, warnings, metrics, close, hold } = await open({
      async turn(key) {
        turns.push(key)
        if (key === 'ns/large') hold(60)
      },
    })
    queue.add('ns/large')
    queue.add('ns/small')
    await settle(clock)
    assert.deepEqual(turns, ['ns/large', 'ns/small'])
    const fields = { queue: 'things', key: 'ns/large', heldMs: 60, restMs: 1200 }
    assert.deepEqual(warnings, [['a turn held the event loop; its key is delayed', fields]])
    assert.match((await metrics.exposition()).body, /workqueue_long_turns_total\{name="things"\} 1\n/)
    queue.add('ns/large')
    queue.add('ns/small')
    await settle(clock)
    assert.deepEqual(turns.slice(2), ['ns/small'], 'what changes meanwhile does not end the rest')
    clock.advance(1200)
    await settle(clock)
    assert.deepEqual(turns.slice(3), ['ns/large'])
    assert.deepEqual((warnings[1] as [string, unknown])[1], { ...fields, restMs: 2400 })
    await close()
  })

  it('a turn is measured after the answers that it awaits, too, and not while it awaits them', async () => {
    const { clock, warnings, close, hold } = await open({
      async turn(key, { client }) {
        hold(30)
        await client.resource(resources.core.v1.pods).get({ namespace: 'ns', name: 'a' })
        hold(key === 'late' ? 70 : 30)
      },
    })
    for (const key of ['even', 'late']) queue.add(key)
    await settle(clock)
    assert.deepEqual(
      warnings.map((warning) => (warning as [string, { key: string; heldMs: number }])[1]),
      [{ queue: 'things', key: 'late', heldMs: 70, restMs: 1400 }],
    )
    await close()
  })

  it('turns that wait for ten seconds give their workers to other keys, and their keys to no other turn', async () => {
    const turns: string[] = []
    const slow = Promise.withResolvers<void>()
    const { clock, close } = await open({
      workers: 2,
      async turn(key) {
        turns.push(key)
        if (key.startsWith('slow')) await slow.promise
      },
    })
    for (const key of ['slow-1', 'slow-2', 'quick']) queue.add(key)
    await settle(clock)
    queue.add('slow-1')
    await settle(clock)
    assert.deepEqual(turns, ['slow-1', 'slow-2'])
    clock.advance(10_000)
    await settle(clock)
    assert.deepEqual(turns, ['slow-1', 'slow-2', 'quick'])
    slow.resolve()
    await settle(clock)
    assert.deepEqual(turns, ['slow-1', 'slow-2', 'quick', 'slow-1'])
    await close()
  })

  it('a key that fails again and again does not delay another key', async () => {
    const turns: string[] = []
    const { clock, manager, close } = await open({
      workers: 1,
      async turn(key) {
        turns.push(key)
        if (key === 'bad') throw new Error('it can not be planned')
      },
    })
    queue.add('bad')
    await settle(clock)
    for (let round = 0; round < 20; round++) {
      queue.add(`good-${round}`)
      await settle(clock)
      assert.equal(turns.includes(`good-${round}`), true)
      clock.advance(5)
    }
    assert.equal(turns.filter((key) => key === 'bad').length <= 8, true)
    const [failure] = manager.failures()
    assert.deepEqual(
      [failure?.queue, failure?.key, failure?.message, failure?.isOver],
      ['things', 'bad', 'it can not be planned', false],
    )
    await close()
  })
})

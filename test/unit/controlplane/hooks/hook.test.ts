import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, type FakeClock, silentLogger } from '../../../../lib/base/index.ts'
import { createHook, type Hook, type HookDefinition } from '../../../../lib/controlplane/hooks/hook.ts'

/** Lets everything run that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a post-start hook', () => {
  let clock: FakeClock
  let runs: number
  /** The outcomes of runs to come; after them runs succeed. */
  let failures: Error[]
  let hook: Hook

  beforeEach(() => {
    clock = createFakeClock()
    runs = 0
    failures = []
  })
  afterEach(() => hook.close())

  function create(definition: Partial<HookDefinition> = {}): Hook {
    hook = createHook(
      { clock, random: createSeededRandom(1), log: silentLogger },
      {
        name: 'work',
        retry: 'in-background',
        async run() {
          runs++
          const failure = failures.shift()
          if (failure) throw failure
        },
        ...definition,
      },
    )
    return hook
  }

  async function advance(ms: number): Promise<void> {
    clock.advance(ms)
    await settle()
  }

  /** Runs it, and resolves when the server may be ready. */
  async function start(definition: Partial<HookDefinition> = {}): Promise<void> {
    const ready = create(definition).run()
    await advance(0)
    await ready
  }

  it('runs once without a period', async () => {
    await start()
    await advance(3_600_000)
    assert.equal(runs, 1)
  })

  it('runs once a period', async () => {
    await start({ repeatMs: 1000 })
    for (let second = 0; second < 3; second++) await advance(1000)
    assert.equal(runs, 4)
  })

  it('a hook in the background lets the server be ready after a failure, and runs again within 100 ms', async () => {
    failures = [new Error('1')]
    await start({ repeatMs: 60_000 })
    assert.equal(runs, 1)
    await advance(49)
    assert.equal(runs, 1)
    await advance(51)
    assert.equal(runs, 2)
    await advance(59_000)
    assert.equal(runs, 2)
  })

  it('pauses no longer than ten seconds after failures, and no longer than its period', async () => {
    failures = Array.from({ length: 40 }, () => new Error('no'))
    await start({ repeatMs: 2000 })
    for (let second = 0; second < 20; second++) await advance(1000)
    assert.ok(runs >= 10 && runs <= 30, `${runs} runs`)
  })

  it('a hook before the server is ready runs until it succeeds', async () => {
    failures = [new Error('1'), new Error('2')]
    let isReady = false
    const ready = create({ retry: 'before-ready' })
      .run()
      .then(() => (isReady = true))
    await advance(0)
    assert.equal(isReady, false)
    await advance(100)
    assert.equal(isReady, false)
    await advance(200)
    await ready
    assert.equal(runs, 3)
  })

  it('fails the start with its last failure when its time is over', async () => {
    failures = Array.from({ length: 40 }, (_, index) => new Error(String(index)))
    const outcome = create({ retry: 'before-ready', giveUpMs: 30_000 })
      .run()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    for (let second = 0; second < 45; second++) await advance(1000)
    const error = await outcome
    assert.ok(error instanceof Error && Number(error.message) >= 5, String(error))
  })

  it('is followed once its first run has ended, until it is closed', async () => {
    const followers = new Set<() => void>()
    const follow: HookDefinition['follow'] = (again) => {
      followers.add(again)
      return { close: () => void followers.delete(again) }
    }
    const ready = create({ follow }).run()
    assert.equal(followers.size, 0)
    await ready
    assert.equal(followers.size, 1)
    for (const again of followers) again()
    await advance(0)
    assert.equal(runs, 2)
    await hook.close()
    assert.equal(followers.size, 0)
  })

  it('releases its resources also where it never ran', async () => {
    let released = 0
    await create({ close: () => void released++ }).close()
    await hook.close()
    assert.deepEqual([runs, released], [0, 1])
  })

  it('a hook that is closed before it succeeds delays nothing', async () => {
    failures = Array.from({ length: 40 }, () => new Error('no'))
    const ready = create({ retry: 'before-ready' }).run()
    await advance(0)
    await hook.close()
    await ready
    await advance(60_000)
    assert.equal(runs, 1)
  })
})

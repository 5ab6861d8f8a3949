import assert from 'node:assert/strict'
import {
  createFakeClock,
  createSeededRandom,
  type FakeClock,
  type Logger,
  silentLogger,
} from '../../../../lib/base/index.ts'
import { createHook, type Hook, type HookDefinition } from '../../../../lib/controlplane/hooks/hook.ts'

/** Lets everything run that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('work after the start', () => {
  let clock: FakeClock
  let runs: number
  /** The outcome of runs to come; without one they succeed. */
  let failures: Error[]
  let warnings: string[]
  let hook: Hook
  const log: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) }

  beforeEach(() => {
    clock = createFakeClock()
    runs = 0
    failures = []
    warnings = []
  })
  afterEach(() => hook.close())

  function create(definition: Partial<HookDefinition> = {}): Hook {
    hook = createHook(
      { clock, random: createSeededRandom(1), log },
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

  it('is done once where no period is given', async () => {
    await create().run()
    await advance(3_600_000)
    assert.equal(runs, 1)
  })

  it('is repeated at its period, however long a run takes', async () => {
    const begun: number[] = []
    const run = async (signal: AbortSignal): Promise<void> => {
      begun.push(clock.now())
      await clock.sleep(300, signal)
    }
    const started = create({ repeatMs: 1000, run }).run()
    await settle()
    await advance(300)
    await started
    for (let steps = 0; steps < 27; steps++) await advance(100)
    assert.deepEqual(begun, [0, 1000, 2000, 3000])
  })

  it('in the background lets the server be ready after a failure, and is tried again after pauses that double', async () => {
    failures = [new Error('1'), new Error('2'), new Error('3')]
    await create({ repeatMs: 60_000 }).run()
    assert.equal(runs, 1)
    await advance(49)
    assert.equal(runs, 1)
    await advance(51)
    assert.equal(runs, 2)
    await advance(99)
    assert.equal(runs, 2)
    await advance(101)
    assert.equal(runs, 3)
    await advance(400)
    assert.equal(runs, 4)
    assert.deepEqual(warnings, Array(3).fill('work failed and is tried again'))
    await advance(59_000)
    assert.equal(runs, 4)
    await advance(1000)
    assert.equal(runs, 5)
  })

  it('pauses no longer than ten seconds, and no longer than its period', async () => {
    failures = Array.from({ length: 40 }, () => new Error('no'))
    await create({ repeatMs: 2000 }).run()
    for (let second = 0; second < 20; second++) await advance(1000)
    assert.ok(runs >= 10 && runs <= 30, `${runs} runs`)
  })

  it('before the server is ready is tried until it succeeds', async () => {
    failures = [new Error('1'), new Error('2')]
    let ready = false
    const done = create({ retry: 'before-ready' })
      .run()
      .then(() => (ready = true))
    await settle()
    assert.equal(ready, false)
    await advance(100)
    assert.equal(ready, false)
    await advance(200)
    await done
    assert.equal(runs, 3)
  })

  it('fails the start with the last failure when its time is over', async () => {
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

  it('never overlaps: many calls during a run are one more run', async () => {
    let under = 0
    let again = (): void => assert.fail('not followed')
    const gates: (() => void)[] = []
    const started = create({
      async run() {
        runs++
        assert.equal(++under, 1)
        await new Promise<void>((resolve) => gates.push(resolve))
        under--
      },
      follow(call) {
        again = call
        return { close() {} }
      },
    }).run()
    await settle()
    gates.shift()?.()
    await started
    again()
    await settle()
    assert.equal(runs, 2)
    for (let calls = 0; calls < 100; calls++) again()
    await settle()
    assert.equal(runs, 2)
    gates.shift()?.()
    await settle()
    assert.equal(runs, 3)
    gates.shift()?.()
    await settle()
    assert.equal(runs, 3)
  })

  it('ends in order: the run under way is aborted and awaited, and nothing follows', async () => {
    let ended = false
    let followed = true
    await create({
      repeatMs: 1000,
      async run(signal) {
        if (++runs < 2) return
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => setImmediate(resolve)))
        ended = true
        throw signal.reason
      },
      follow: () => ({ close: () => void (followed = false) }),
    }).run()
    await advance(1000)
    assert.equal(runs, 2)
    await hook.close()
    assert.deepEqual([ended, followed], [true, false])
    await advance(60_000)
    assert.equal(runs, 2)
    assert.deepEqual(warnings, [])
  })

  it('releases what it was given also where it never ran', async () => {
    let released = 0
    await create({ close: () => void released++ }).close()
    await hook.close()
    assert.deepEqual([runs, released], [0, 1])
  })

  it('is closed all the same when its run does not heed the signal', async () => {
    await create({ run: () => (++runs < 2 ? Promise.resolve() : new Promise(() => {})), repeatMs: 1000 }).run()
    await advance(1000)
    const closed = hook.close()
    await settle()
    await advance(1000)
    await closed
  })
})

import assert from 'node:assert/strict'
import {
  createFakeClock,
  createRepeatedWork,
  createSeededRandom,
  type FakeClock,
  type Logger,
  type RepeatedWork,
  type RepeatedWorkOptions,
  silentLogger,
} from '../../../lib/base/index.ts'

/** Lets everything run that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('repeated work', () => {
  let clock: FakeClock
  /** When each run began. */
  let begun: number[]
  /** The outcomes of runs to come; after them runs succeed. */
  let failures: Error[]
  let logged: string[]
  let work: RepeatedWork
  const log: Logger = {
    ...silentLogger,
    warn: (message) => void logged.push(message),
    info: (message) => void logged.push(message),
  }

  beforeEach(() => {
    clock = createFakeClock()
    begun = []
    failures = []
    logged = []
  })
  afterEach(() => work.close())

  async function run(): Promise<void> {
    begun.push(clock.now())
    const failure = failures.shift()
    if (failure) throw failure
  }

  function create(options: Partial<RepeatedWorkOptions> = {}): void {
    work = createRepeatedWork({ clock, random: createSeededRandom(1), log }, { name: 'work', run, ...options })
  }

  /** In steps of `stepMs`, so that what follows a run is planned at its end. */
  async function advance(ms: number, stepMs = ms): Promise<void> {
    await settle()
    for (let left = ms; left >= 0; left -= Math.max(1, stepMs)) {
      clock.advance(Math.min(stepMs, left))
      await settle()
    }
  }

  it('does not run before the first call, and once each time without a period', async () => {
    create()
    await advance(60_000)
    assert.deepEqual(begun, [])
    work.again()
    await advance(60_000)
    work.again()
    await advance(60_000)
    assert.deepEqual(begun, [60_000, 120_000])
  })

  it('begins once a period, however long a run takes', async () => {
    create({
      periodMs: 1000,
      async run(signal) {
        begun.push(clock.now())
        await clock.sleep(300, signal)
      },
    })
    work.again()
    await advance(3500, 100)
    assert.deepEqual(begun, [0, 1000, 2000, 3000])
  })

  it('begins at random within the spread of its period', async () => {
    create({ periodMs: 1000, periodSpread: [0.9, 1] })
    work.again()
    await advance(10_000, 5)
    const gaps = begun.slice(1).map((at, index) => at - (begun[index] ?? 0))
    assert.ok(
      gaps.every((gap) => gap >= 900 && gap <= 1005),
      String(gaps),
    )
    assert.ok(new Set(gaps).size > 5, String(gaps))
  })

  it('pauses twice as long after each failure, up to the maximum', async () => {
    failures = Array.from({ length: 6 }, (_, index) => new Error(String(index)))
    create({ backoff: { firstMs: 100, maxMs: 400, spread: [1, 1] } })
    work.again()
    await advance(0)
    await advance(10_000, 10)
    assert.deepEqual(begun, [0, 100, 300, 700, 1100, 1500, 1900])
  })

  it('pauses at random within the spread', async () => {
    failures = Array.from({ length: 30 }, () => new Error('no'))
    create({ backoff: { firstMs: 1000, maxMs: 1000, spread: [0.5, 1] } })
    work.again()
    await advance(10_000, 5)
    const gaps = begun.slice(1).map((at, index) => at - (begun[index] ?? 0))
    assert.ok(
      gaps.every((gap) => gap >= 500 && gap <= 1005),
      String(gaps),
    )
    assert.ok(new Set(gaps).size > 5, String(gaps))
  })

  it('waits for its next period after a failure where no backoff is given', async () => {
    failures = [new Error('no')]
    create({ periodMs: 1000 })
    work.again()
    await advance(2500, 100)
    assert.deepEqual(begun, [0, 1000, 2000])
  })

  it('logs the first failure in a row and the recovery, not each attempt', async () => {
    failures = [new Error('1'), new Error('2'), new Error('3')]
    create({ backoff: { firstMs: 100 } })
    work.again()
    await advance(10_000, 10)
    assert.equal(begun.length, 4)
    assert.deepEqual(logged, ['work failed and is tried again', 'work succeeded again'])
  })

  it('runs at once when it is called during a pause, and its pauses begin again', async () => {
    failures = Array.from({ length: 5 }, () => new Error('no'))
    create({ backoff: { firstMs: 100, spread: [1, 1] } })
    work.again()
    await advance(0)
    await advance(1000, 10)
    assert.deepEqual(begun, [0, 100, 300, 700])
    work.again()
    await advance(0)
    await advance(200, 10)
    assert.deepEqual(begun, [0, 100, 300, 700, 1000, 1100])
  })

  it('is called many times in a delay and runs once, at the earliest of them', async () => {
    create()
    work.againAfter(50)
    work.againAfter(20)
    work.againAfter(80)
    await advance(200, 5)
    assert.deepEqual(begun, [20])
  })

  it('never runs twice at the same time: many calls during a run are one more run', async () => {
    let underWay = 0
    const gates: (() => void)[] = []
    create({
      async run() {
        begun.push(clock.now())
        assert.equal(++underWay, 1)
        await new Promise<void>((resolve) => gates.push(resolve))
        underWay--
      },
    })
    work.again()
    await advance(0)
    for (let calls = 0; calls < 100; calls++) work.again()
    await advance(100)
    assert.deepEqual(begun, [0])
    gates.shift()?.()
    await settle()
    await advance(0)
    assert.deepEqual(begun, [0, 100])
    gates.shift()?.()
    await advance(1000)
    assert.deepEqual(begun, [0, 100])
  })

  it('never runs twice at the same time although a run begins by asking for another one', async () => {
    let underWay = 0
    create({
      async run() {
        assert.equal(++underWay, 1)
        begun.push(clock.now())
        if (begun.length < 3) work.again()
        await clock.sleep(100)
        underWay--
      },
    })
    work.again()
    await advance(1000, 50)
    assert.deepEqual([begun, logged], [[0, 100, 200], []])
  })

  it('ends the run under way when it is closed, waits for it, and logs nothing', async () => {
    let ended = false
    create({
      periodMs: 1000,
      async run(signal) {
        begun.push(clock.now())
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => setImmediate(resolve)))
        ended = true
        throw signal.reason
      },
    })
    work.again()
    await advance(0)
    await work.close()
    assert.ok(ended)
    work.again()
    await advance(60_000)
    assert.deepEqual([begun, logged], [[0], []])
  })

  it('is closed after a second although its run ignores the signal', async () => {
    create({ run: () => new Promise(() => {}) })
    work.again()
    await advance(0)
    let closed = false
    const closing = work.close().then(() => (closed = true))
    await advance(999)
    assert.equal(closed, false)
    await advance(1)
    await closing
  })
})

import assert from 'node:assert/strict'
import { type Child, ProcessGroup } from '../../../../cmd/apiserver/processes/group.ts'
import type { FromChild, FromParent, Question, Reply } from '../../../../cmd/apiserver/processes/messages.ts'
import { createFakeClock, createSeededRandom, silentLogger } from '../../../../lib/base/index.ts'
import { createMetrics, type FamilySnapshot } from '../../../../lib/observe/index.ts'

/** A child in this process: it does what the test says. */
class FakeChild implements Child {
  readonly index: number
  readonly pid = 1
  readonly got: FromParent[] = []
  readonly #end = Promise.withResolvers<number | string>()
  readonly ended = this.#end.promise
  isAlive = true
  /** Answers a question; undefined: it hangs. */
  answer: ((question: Question) => FromChild[]) | undefined = () => []
  #receive: (message: FromChild) => void = () => {}

  constructor(index: number) {
    this.index = index
  }
  send(message: FromParent): void {
    this.got.push(message)
    if (message.kind !== 'question' || !this.answer) return
    const { id, question } = message
    for (const part of this.answer(question)) this.say({ ...part, id } as FromChild)
    if (question.about !== 'health') this.say({ kind: 'answered', id, failing: [] })
  }
  onMessage(receive: (message: FromChild) => void): void {
    this.#receive = receive
  }
  say(message: FromChild): void {
    this.#receive(message)
  }
  kill(): void {
    this.end('SIGKILL')
  }
  end(how: number | string): void {
    this.isAlive = false
    this.#end.resolve(how)
  }
  was(kind: FromParent['kind']): boolean {
    return this.got.some((message) => message.kind === kind)
  }
}

class World {
  readonly clock = createFakeClock()
  readonly started: FakeChild[] = []
  readonly group: ProcessGroup
  readonly over: Promise<number>
  code: number | undefined

  constructor(count: number) {
    this.group = new ProcessGroup(
      {
        clock: this.clock,
        random: createSeededRandom(1),
        log: silentLogger,
        metrics: createMetrics({}, this.clock),
        start: (index) => {
          const child = new FakeChild(index)
          this.started.push(child)
          return child
        },
      },
      { count, drainMsMax: 60_000 },
    )
    this.over = this.group.run()
    void this.over.then((code) => (this.code = code))
  }
  /** The latest child of this index. */
  child(index: number): FakeChild {
    const found = this.started.findLast((child) => child.index === index)
    assert(found, `child ${index} was not started`)
    return found
  }
  /** Lets what is due happen. */
  async pass(ms = 0): Promise<void> {
    for (let round = 0; round < 20; round++) {
      await new Promise((resolve) => setImmediate(resolve))
      this.clock.advance(round === 0 ? ms : 0)
    }
  }
  serve(index: number): void {
    this.child(index).say({ kind: 'listening', port: 6443 })
    this.child(index).say({ kind: 'ready' })
  }
  async ask(from: number, question: Question): Promise<Reply> {
    const child = this.child(from)
    const before = child.got.length
    child.say({ kind: 'question', id: 7, question })
    for (let round = 0; round < 50; round++) {
      await this.pass(round < 5 ? 0 : 1000)
      const reply = child.got.slice(before).find((message) => message.kind === 'reply')
      if (reply) return reply.reply
    }
    throw new Error('no reply')
  }
  async metric(from: number, name: string, names?: readonly string[]): Promise<string[]> {
    const reply = await this.ask(from, { about: 'metrics', format: 'text', names })
    assert('exposition' in reply)
    return reply.exposition.body.split('\n').filter((line) => line.startsWith(name))
  }
}

async function serving(count: number): Promise<World> {
  const world = new World(count)
  for (let index = 0; index < count; index++) world.serve(index)
  await world.pass()
  return world
}

function requests(value: number): (question: Question) => FromChild[] {
  const families: FamilySnapshot[] = [
    { name: 'requests_total', type: 'counter', help: 'Requests.', across: 'sum', numbers: [['{code="200"}', value]] },
    { name: 'objects', type: 'gauge', help: 'Objects.', across: 'max', numbers: [['', value]] },
    {
      name: 'took',
      type: 'histogram',
      help: 'Time.',
      across: 'sum',
      histograms: {
        bounds: Float64Array.of(1, 2),
        cells: [{ labels: 'verb="GET"', counts: Float64Array.of(value, 0, 1), sum: value }],
      },
    },
  ]
  return ({ about }) => (about === 'metrics' ? [{ kind: 'metrics', id: 0, families }] : [])
}

const failing =
  (...names: string[]) =>
  ({ about }: Question): FromChild[] =>
    about === 'health' ? [{ kind: 'answered', id: 0, failing: names }] : []

describe('the processes of one server', () => {
  it('start after the first one listens, on its port', async () => {
    const world = new World(3)
    assert.equal(world.started.length, 1)
    world.serve(0)
    assert.deepEqual(
      world.started.map(({ index }) => index),
      [0, 1, 2],
    )
    const [begin] = world.child(2).got
    assert(begin?.kind === 'begin')
    assert.equal(begin.place.port, 6443)
  })

  it('are not started where the first one fails, whose exit code is that of the server', async () => {
    const world = new World(3)
    world.child(0).end(3)
    await world.pass(100_000)
    assert.equal(world.code, 3)
    assert.equal(world.started.length, 1)
  })

  it('end with the first one where it fails before it was ready', async () => {
    const world = new World(2)
    world.child(0).say({ kind: 'listening', port: 1 })
    world.child(0).end(1)
    await world.pass()
    assert.equal(world.code, 1)
    assert.equal(world.child(1).isAlive, false)
  })

  it('are started again when they end, after pauses that grow', async () => {
    const world = await serving(2)
    const starts: number[] = []
    for (let time = 0; time < 4; time++) {
      world.child(1).end('SIGKILL')
      const { length } = world.started
      await world.pass()
      const fromMs = world.clock.now()
      while (world.started.length === length) await world.pass(10)
      starts.push(world.clock.now() - fromMs)
    }
    assert(
      starts.every((pause, at) => at === 0 || pause > (starts[at - 1] ?? 0)),
      String(starts),
    )
    assert.equal(world.code, undefined)
    assert.match(String(await world.metric(0, 'pilothouse_process_restarts_total')), /process="1"} 4/)
  })

  it('pause shortly again after one that served for a while', async () => {
    const world = await serving(2)
    for (let time = 0; time < 6; time++) {
      world.child(1).end(1)
      await world.pass(30_000)
    }
    world.serve(1)
    await world.pass(20_000)
    const { length } = world.started
    world.child(1).end(1)
    await world.pass()
    await world.pass(200)
    assert.equal(world.started.length, length + 1)
  })

  it('are unready together when they stop, and drain one after the other, the first one last', async () => {
    const world = await serving(3)
    world.group.stop()
    assert(world.started.every((child) => child.was('stop')))
    const order: number[] = []
    for (const index of [0, 1, 2]) world.child(index).say({ kind: 'waiting' })
    for (let turn = 0; turn < 3; turn++) {
      const draining = world.started.filter((child) => child.isAlive && child.was('drain'))
      assert.equal(draining.length, 1)
      order.push(draining[0]?.index ?? -1)
      draining[0]?.end(0)
      await world.pass()
    }
    assert.deepEqual(order.at(-1), 0)
    assert.equal(world.code, 0)
    assert.equal(world.started.length, 3)
  })

  it('drain together when one of them takes too long', async () => {
    const world = await serving(3)
    world.group.stop()
    for (const index of [0, 1, 2]) world.child(index).say({ kind: 'waiting' })
    await world.pass(60_000)
    assert(world.started.every((child) => child.was('drain')))
  })

  it('stop in the pause before a restart, too', async () => {
    const world = await serving(2)
    world.child(1).end(1)
    await world.pass()
    world.group.stop()
    world.child(0).say({ kind: 'waiting' })
    assert(world.child(0).was('drain'))
    world.child(0).end(0)
    await world.pass(100_000)
    assert.equal(world.code, 0)
    assert.equal(world.started.length, 2)
  })

  it('are replaced one after the other when each gets a signal', async () => {
    const world = await serving(2)
    const old = [world.child(0), world.child(1)]
    for (const child of old) child.say({ kind: 'signal' })
    assert.deepEqual(
      old.map((child) => child.was('stop')),
      [true, false],
    )
    old[0]?.say({ kind: 'waiting' })
    assert.equal(old[0]?.was('drain'), true)
    old[0]?.end(0)
    await world.pass()
    assert.equal(old[1]?.was('stop'), false, 'the second one stops before the first one serves again')
    world.serve(0)
    assert(old[1]?.was('stop'))
    assert.equal(world.code, undefined)
  })

  it('answer for each other: one that fails a check, or hangs, makes all fail', async () => {
    const world = await serving(3)
    for (const index of [0, 1, 2]) world.child(index).answer = failing()
    assert.deepEqual(await world.ask(0, { about: 'health', page: 'readyz' }), { problem: '' })
    world.child(2).answer = failing('etcd', 'ping')
    assert.deepEqual(await world.ask(0, { about: 'health', page: 'readyz' }), {
      problem: 'process 2: etcd, ping failed',
    })
    world.child(2).answer = undefined
    assert.deepEqual(await world.ask(0, { about: 'health', page: 'livez' }), { problem: 'process 2 does not answer' })
    world.child(2).end('SIGKILL')
    await world.pass()
    assert.deepEqual(await world.ask(0, { about: 'health', page: 'readyz' }), { problem: '' })
  })

  it('add up what they count, and show the largest of what each sees alike', async () => {
    const world = await serving(2)
    world.child(0).answer = requests(3)
    world.child(1).answer = requests(4)
    assert.deepEqual(await world.metric(0, 'requests_total'), ['requests_total{code="200"} 7'])
    assert.deepEqual(await world.metric(1, 'objects'), ['objects 4'])
    assert.deepEqual(await world.metric(1, 'took'), [
      'took_bucket{verb="GET",le="1"} 7',
      'took_bucket{verb="GET",le="2"} 7',
      'took_bucket{verb="GET",le="+Inf"} 9',
      'took_sum{verb="GET"} 7',
      'took_count{verb="GET"} 9',
    ])
  })

  it('show the parts of a histogram that are named, and its buckets again to who asks for all', async () => {
    const world = await serving(2)
    world.child(0).answer = requests(3)
    world.child(1).answer = requests(4)
    assert.deepEqual(await world.metric(0, 'took', ['took_sum', 'objects']), ['took_sum{verb="GET"} 7'])
    // What each said last counts on, and was asked for by a part.
    for (const index of [0, 1]) world.child(index).answer = undefined
    assert.deepEqual(await world.metric(0, 'took_count', ['took_count']), ['took_count{verb="GET"} 9'])
    assert.equal((await world.metric(1, 'took_bucket')).length, 3)
  })

  it('count on from what a process had counted that ended or hangs', async () => {
    const world = await serving(2)
    world.child(0).answer = requests(3)
    world.child(1).answer = requests(4)
    await world.metric(0, 'requests_total')
    world.child(1).answer = undefined
    assert.deepEqual(await world.metric(0, 'requests_total'), ['requests_total{code="200"} 7'])
    world.child(1).end('SIGKILL')
    await world.pass(1000)
    assert.deepEqual(await world.metric(0, 'requests_total'), ['requests_total{code="200"} 7'])
    assert.deepEqual(await world.metric(0, 'objects'), ['objects 3'])
    world.serve(1)
    world.child(1).answer = requests(1)
    assert.deepEqual(await world.metric(0, 'requests_total'), ['requests_total{code="200"} 8'])
    await world.ask(0, { about: 'reset', names: undefined })
    assert.deepEqual(await world.metric(0, 'requests_total'), ['requests_total{code="200"} 4'])
  })

  it('refuse further questions where too many wait for an answer', async () => {
    const world = await serving(2)
    world.child(1).answer = undefined
    for (let id = 0; id < 1_000; id++)
      world.child(0).say({ kind: 'question', id, question: { about: 'health', page: 'livez' } })
    await world.pass()
    assert.equal(world.child(1).got.filter(({ kind }) => kind === 'question').length, 1_000)
    assert.deepEqual(await world.ask(0, { about: 'health', page: 'livez' }), { problem: 'process 1 does not answer' })
    assert.equal(world.child(1).got.filter(({ kind }) => kind === 'question').length, 1_000)
  })
})

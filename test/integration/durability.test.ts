import assert from 'node:assert/strict'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { findEtcd } from '../../hack/programs.ts'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { type EtcdServer, startEtcd } from '../support/etcd.ts'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { runProgram } from '../support/program.ts'

const program = 'cmd/apiserver/main.ts'
const collection = '/api/v1/namespaces/default/configmaps'

interface Written {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
  readonly data: { readonly n: string }
}

/** Clients that create and change objects until they are stopped, and remember what was answered. */
class Load {
  /** By name, the last state that was answered. */
  readonly states = new Map<string, Written>()
  /** Of every answered write. */
  readonly revisions = new Set<number>()
  /** Where to write; may change meanwhile. */
  target: { url: string }
  readonly #stopping = new AbortController()
  readonly #lanes: Promise<void>[]

  constructor(target: { url: string }, lanes = 8) {
    this.target = target
    this.#lanes = Array.from({ length: lanes }, (_, lane) => this.#write(lane))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#lanes)
  }

  /** Resolves when so many more writes have been answered. */
  async answered(more: number): Promise<void> {
    const goal = this.revisions.size + more
    await eventually(() => this.revisions.size >= goal, `${more} more writes`)
  }

  /** A new object every tenth time, else a change of the newest. */
  async #write(lane: number): Promise<void> {
    for (let n = 0; !this.#stopping.signal.aborted; n++) {
      const name = `lane-${lane}-${n - (n % 10)}`
      const body = JSON.stringify({ metadata: { name }, data: { n: String(n) } })
      const create = !this.states.has(name)
      const answer = await request(this.target, create ? collection : `${collection}/${name}`, {
        method: create ? 'POST' : 'PATCH',
        body,
        headers: { 'content-type': create ? 'application/json' : 'application/merge-patch+json' },
      }).catch(() => undefined)
      if (answer === undefined || answer.status >= 300) {
        await sleep(10)
        continue
      }
      const state = JSON.parse(answer.body) as Written
      this.states.set(name, state)
      this.revisions.add(Number(state.metadata.resourceVersion))
    }
  }
}

/** A watcher that goes on from the last version that it saw, however often it is cut off. */
class Follower {
  /** In the order in which they came. */
  readonly revisions: number[] = []
  target: { url: string }
  breaks = -1
  #last: string
  #stopped = false
  #call: ReturnType<typeof https.get> | undefined
  readonly #done: Promise<void>

  constructor(target: { url: string }, from: string) {
    this.target = target
    this.#last = from
    this.#done = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#call?.destroy()
    await this.#done
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.breaks++
      await this.#follow().catch(() => {})
      await sleep(20)
    }
  }

  async #follow(): Promise<void> {
    const path = `${collection}?watch=1&allowWatchBookmarks=true&resourceVersion=${this.#last}`
    await new Promise<void>((resolve, reject) => {
      this.#call = https.get(
        this.target.url + path,
        { rejectUnauthorized: false, agent: false, headers: { authorization: `Bearer ${adminToken}` } },
        (answer) => {
          let rest = ''
          answer.on('data', (chunk) => {
            const lines = (rest + String(chunk)).split('\n')
            rest = lines.pop() ?? ''
            if (answer.statusCode === 200) for (const line of lines) this.#take(line)
          })
          answer.on('error', reject)
          answer.on('end', resolve)
        },
      )
      this.#call.on('error', reject)
    })
  }

  #take(line: string): void {
    const { type, object } = JSON.parse(line) as { type: string; object: Written }
    assert.notEqual(type, 'ERROR', line)
    this.#last = object.metadata.resourceVersion
    if (type !== 'BOOKMARK') this.revisions.push(Number(this.#last))
  }
}

async function version(server: ServerProcess): Promise<string> {
  return JSON.parse((await request(server, `${collection}?limit=1`)).body).metadata.resourceVersion
}

/** Everything answered is there, in the last state answered or one that an unanswered write left; nothing went back. */
async function expectAll(server: ServerProcess, load: Load): Promise<void> {
  const list = JSON.parse((await request(server, collection)).body) as {
    metadata: { resourceVersion: string }
    items: Written[]
  }
  const found = new Map(list.items.map((item) => [item.metadata.name, item]))
  for (const [name, { metadata, data }] of load.states) {
    const item = found.get(name)
    assert.ok(item, `${name} was answered and is gone`)
    assert.ok(Number(item.data.n) >= Number(data.n), `${name} went back from ${data.n} to ${item.data.n}`)
    assert.ok(Number(item.metadata.resourceVersion) >= Number(metadata.resourceVersion))
  }
  assert.ok(Number(list.metadata.resourceVersion) >= Math.max(...load.revisions))
}

/** The follower receives every answered write, each once and in order. */
async function expectWhole(follower: Follower, load: Load): Promise<void> {
  const missing = (): number[] => {
    const seen = new Set(follower.revisions)
    return [...load.revisions].filter((revision) => !seen.has(revision))
  }
  await eventuallyEquals(() => missing().length, 0, 'the rest of the events').catch(() =>
    assert.deepEqual(missing(), []),
  )
  const sorted = [...new Set(follower.revisions)].sort((a, b) => a - b)
  assert.deepEqual(follower.revisions, sorted)
}

describe('durability', function () {
  this.timeout(120_000)
  const folder = scratchFolder('durability')
  const running: ServerProcess[] = []
  after(async () => {
    await Promise.all(running.map((server) => server.kill()))
    folder.remove()
  })

  async function start(...flags: string[]): Promise<ServerProcess> {
    const server = await startServer(program, flags, folder.path)
    running.push(server)
    return server
  }

  describe('of a server on the embedded store', () => {
    const dataDir = `--data-dir=${folder.path}/embedded`

    it('loses no answered write and no event when it is killed under load, repeatedly', async () => {
      let server = await start(dataDir)
      const follower = new Follower(server, await version(server))
      const load = new Load(server)
      for (let round = 0; round < 3; round++) {
        await load.answered(150)
        await server.kill()
        const before = Math.max(...load.revisions)
        server = await start(dataDir)
        load.target = follower.target = server
        await load.answered(50)
        assert.ok(Number(await version(server)) > before)
      }
      await load.stop()
      await expectAll(server, load)
      await expectWhole(follower, load)
      assert.ok(follower.breaks >= 3)
      await follower.stop()
    })

    it('is refused to a second process, with one line, and the first keeps serving', async () => {
      const first = running.at(-1)
      assert.ok(first)
      const second = await runProgram(program, [dataDir, '--secure-port=16443', '--bind-address=127.0.0.1'])
      assert.equal(second.code, 1)
      assert.match(second.stderr, /used by|in use/)
      assert.equal(second.stderr.trim().split('\n').length, 1, second.stderr)
      assert.equal((await request(first, '/readyz')).status, 200)
      assert.equal(await first.stop(), 0)
    })
  })

  describe('of replicas on one etcd', () => {
    let etcd: EtcdServer
    let first: ServerProcess
    let second: ServerProcess
    before(async function () {
      if ((await findEtcd()) === undefined) this.skip()
      etcd = await startEtcd()
      ;[first, second] = await Promise.all([start(`--etcd-servers=${etcd.url}`), start(`--etcd-servers=${etcd.url}`)])
    })
    after(async () => await etcd?.stop())

    it("shows one replica's answered write in the very next get and list of the other", async () => {
      const lanes = Array.from({ length: 4 }, async (_, lane) => {
        const name = `seen-${lane}`
        const path = `${collection}/${name}`
        for (let n = 0; n < 25; n++) {
          const [method, target] = n === 0 ? ['POST', collection] : ['PUT', path]
          const body = JSON.stringify({ metadata: { name }, data: { n: String(n) } })
          const written = await request(first, target, { method, body })
          assert.ok(written.status < 300, written.body)
          const [got, list] = await Promise.all([request(second, path), request(second, collection)])
          assert.equal((JSON.parse(got.body) as Written).data.n, String(n))
          const item = (JSON.parse(list.body) as { items: Written[] }).items.find((each) => each.metadata.name === name)
          assert.equal(item?.data.n, String(n))
        }
        assert.equal((await request(first, path, { method: 'DELETE' })).status, 200)
        assert.equal((await request(second, path)).status, 404)
      })
      await Promise.all(lanes)
    })

    it('loses nothing when the written replica is killed', async () => {
      const follower = new Follower(second, await version(second))
      const load = new Load(first)
      await load.answered(150)
      await first.kill()
      await expectAll(second, load)
      load.target = second
      await load.answered(50)
      await load.stop()
      await expectWhole(follower, load)
      assert.equal(follower.breaks, 0)
      await follower.stop()
      await expectAll(second, load)
    })

    it('keeps answered writes when etcd restarts under load, is not ready meanwhile, and recovers', async () => {
      const follower = new Follower(second, await version(second))
      const load = new Load(second)
      const ready = async (): Promise<number> => (await request(second, '/readyz')).status
      await load.answered(100)
      await etcd.kill()
      await eventuallyEquals(() => ready(), 500, 'not being ready')
      const { body } = await request(second, '/readyz?verbose')
      assert.match(body, /^\[-\]etcd failed/m)
      assert.equal((await request(second, '/livez/ping')).status, 200)
      await etcd.start()
      await eventuallyEquals(() => ready(), 200, 'being ready again')
      await load.answered(100)
      await load.stop()
      await expectAll(second, load)
      await expectWhole(follower, load)
      await follower.stop()
    })

    it('exits with 0 while watches are open', async () => {
      const followers = Array.from({ length: 20 }, () => new Follower(second, ''))
      await eventually(() => followers.every((each) => each.revisions.length > 0), 'open watches')
      const stopped = second.stop()
      assert.equal(await stopped, 0)
      await Promise.all(followers.map((each) => each.stop()))
    })
  })
})

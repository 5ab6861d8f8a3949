import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import http2 from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Cluster, findPrograms, startCluster } from '../../hack/ha/cluster.ts'
import { findLeaders } from '../../hack/ha/leaders.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { type Identity, identityIn } from '../support/identity.ts'
import { findKubectl } from '../support/kubectl.ts'
import { approveAndSign, rollOutAndDelete } from '../support/kubectlcontrollers.ts'
import { ask } from '../support/plane.ts'
import { freeClusterPorts } from '../support/ports.ts'

const run = promisify(execFile)
const configMaps = '/api/v1/namespaces/default/configmaps'
/** Short enough for a test; a real cluster keeps the defaults. */
const shortLease = [
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=500ms',
]

/** Answers 201, or says why not. Throws where no answer came. */
type Create = (name: string) => Promise<string | undefined>

const bodyOf = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of: 'writers' } } })

/** Each request on a connection of its own. */
function createAlone(url: string, identity: Identity): Create {
  return async (name) => {
    const { status, text } = await ask(url, configMaps, { body: bodyOf(name), ...identity })
    return status === 201 ? undefined : `${status} ${text.slice(0, 200)}`
  }
}

/**
 * One HTTP/2 connection that is kept until the server says GOAWAY or it breaks, as clients of Kubernetes do it. Streams that
 * the server says it has not begun go to the next connection.
 */
class Kept {
  readonly #url: string
  readonly #identity: Identity
  #session: http2.ClientHttp2Session | undefined
  sessions = 0

  constructor(url: string, identity: Identity) {
    this.#url = url
    this.#identity = identity
  }

  #open(): http2.ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session
    const session = http2.connect(this.#url, { rejectUnauthorized: false, ...this.#identity })
    const leave = (): void => {
      if (this.#session === session) this.#session = undefined
    }
    session.on('error', leave)
    session.on('goaway', leave)
    session.on('close', leave)
    this.#session = session
    this.sessions++
    return session
  }

  stream(headers: http2.OutgoingHttpHeaders, body?: string): http2.ClientHttp2Stream {
    const stream = this.#open().request(headers, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    return stream
  }

  readonly create: Create = async (name) => {
    const headers = { ':method': 'POST', ':path': configMaps, 'content-type': 'application/json' }
    for (;;) {
      const stream = this.stream(headers, bodyOf(name))
      const answer = await new Promise<string | undefined>((resolve, reject) => {
        let status = 0
        let text = ''
        stream.on('response', (fields) => (status = Number(fields[':status'])))
        stream.on('data', (chunk) => (text += String(chunk)))
        stream.on('end', () => status > 0 && resolve(status === 201 ? undefined : `${status} ${text.slice(0, 200)}`))
        stream.on('error', reject)
        stream.on('close', () => reject(new Error(`the stream ended with code ${stream.rstCode}`)))
      }).catch((error: unknown) => {
        if (stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM || stream.pending) return 'again'
        throw error
      })
      if (answer !== 'again') return answer
    }
  }

  close(): void {
    this.#session?.destroy()
  }
}

/** Creates objects one after the other until it is stopped. */
class Writer {
  readonly acknowledged: string[] = []
  readonly failures: string[] = []
  readonly #name: string
  readonly #create: Create
  #isStopping = false
  readonly #done: Promise<void>

  constructor(name: string, create: Create) {
    this.#name = name
    this.#create = create
    this.#done = this.#write()
  }

  async #write(): Promise<void> {
    for (let index = 0; !this.#isStopping; index++) {
      const name = `${this.#name}-${index}`
      try {
        const refused = await this.#create(name)
        if (refused === undefined) this.acknowledged.push(name)
        else this.failures.push(`${name}: ${refused}`)
      } catch (error) {
        this.failures.push(`${name}: ${String(error)}`)
      }
      await sleep(50)
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#done
  }
}

/** Follows the writers' objects, and begins again where it was when its watch ends. */
class Watcher {
  readonly seen = new Map<string, number>()
  readonly problems: string[] = []
  readonly #connection: Kept
  #revision: number
  #isStopping = false
  #stream: http2.ClientHttp2Stream | undefined

  constructor(connection: Kept, revision: number) {
    this.#connection = connection
    this.#revision = revision
    void this.#follow()
  }

  async #follow(): Promise<void> {
    while (!this.#isStopping) {
      await this.#watch().catch(() => {})
      await sleep(100)
    }
  }

  #watch(): Promise<void> {
    const path = `${configMaps}?watch=true&allowWatchBookmarks=true&labelSelector=of%3Dwriters&resourceVersion=${this.#revision}`
    return new Promise((resolve) => {
      const stream = this.#connection.stream({ ':path': path })
      this.#stream = stream
      let rest = ''
      stream.on('data', (chunk) => {
        const lines = (rest + String(chunk)).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#take(line)
      })
      stream.on('error', () => {})
      stream.on('close', resolve)
    })
  }

  #take(line: string): void {
    const { type, object } = JSON.parse(line) as {
      type: string
      object: { metadata: { name: string; resourceVersion: string } }
    }
    const revision = Number(object.metadata?.resourceVersion)
    if (type === 'ERROR' || revision < this.#revision) return void this.problems.push(line)
    this.#revision = revision
    if (type !== 'ADDED') return
    if (this.seen.has(object.metadata.name)) this.problems.push(`${object.metadata.name} came twice`)
    this.seen.set(object.metadata.name, revision)
  }

  stop(): void {
    this.#isStopping = true
    this.#stream?.close()
  }
}

const writersOfEach = 3
const watchedConnections = 8
const watchersOfEach = 4

/** Writers on connections of their own and on kept ones, and several watchers on each of more kept connections. */
class Load {
  readonly writers: readonly Writer[]
  readonly watchers: readonly Watcher[]
  readonly connections: readonly Kept[]

  constructor(name: string, url: string, identity: Identity, revision: number) {
    const kept = Array.from({ length: writersOfEach + watchedConnections }, () => new Kept(url, identity))
    const alone = Array.from({ length: writersOfEach }, () => createAlone(url, identity))
    this.connections = kept
    this.writers = [...alone, ...kept.slice(0, writersOfEach).map(({ create }) => create)].map(
      (create, index) => new Writer(`${name}${index}`, create),
    )
    const watched = kept.slice(writersOfEach)
    this.watchers = watched.flatMap((each) => Array.from({ length: watchersOfEach }, () => new Watcher(each, revision)))
  }

  get failures(): string[] {
    return this.writers.flatMap(({ failures }) => failures)
  }

  async stopWriting(): Promise<void> {
    await Promise.all(this.writers.map((writer) => writer.stop()))
  }

  close(): void {
    for (const watcher of this.watchers) watcher.stop()
    for (const connection of this.connections) connection.close()
  }
}

describe('a highly available control plane behind a balancer', function () {
  this.timeout(180_000)
  const folder = scratchFolder('ha')
  let cluster: Cluster
  let url: string
  let identity: Identity
  before(async function () {
    const programs = findKubectl() ? await findPrograms() : undefined
    if (!programs && process.env['CI']) assert.fail('etcd, haproxy, prometheus and kubectl are needed')
    if (!programs) return this.skip()
    const options = { managerFlags: shortLease, apiFlags: ['--goaway-chance=0.001'], etcdFlags: ['--unsafe-no-fsync'] }
    cluster = await startCluster(folder.path, await freeClusterPorts(), programs, options)
    url = `https://127.0.0.1:${cluster.ports.balancer}`
    identity = identityIn(cluster.kubeconfig)
  })
  after(async () => {
    await cluster?.stop()
    folder.remove()
  })

  const kubectl = async (...line: string[]): Promise<string> =>
    (await run('kubectl', line, { env: { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: folder.path } })).stdout

  const pods = async (): Promise<number> =>
    (await ask(url, '/api/v1/namespaces/default/pods', identity)).body.items.length

  const leaders = (): ReturnType<typeof findLeaders> => findLeaders(cluster.folder, cluster.ports)

  it('serves kubectl through the balancer, and its controllers act', async () => {
    await kubectl('create', 'deployment', 'web', '--image=web', '--replicas=2')
    await eventuallyEquals(pods, 2, 'its pods are there')
    const { body } = await ask(url, '/api/v1/namespaces/default/endpoints/kubernetes', identity)
    assert.equal(body.subsets[0].addresses.length, 3)
  })

  it('rolls out, back and out again, while the leading manager is killed', async () => {
    await rollOutAndDelete(kubectl, async () => {
      const { manager } = await leaders()
      assert.ok(manager !== undefined)
      cluster.signal(manager, 'SIGKILL')
    })
  })

  it('signs approved requests', async () => {
    await approveAndSign(kubectl, folder.path)
  })

  it('is scraped by Prometheus, every part of it', async () => {
    const query = `http://127.0.0.1:${cluster.ports.prometheus}/api/v1/query?query=up`
    await eventually(async () => {
      const answer = (await (await fetch(query)).json()) as { data: { result: { value: [number, string] }[] } }
      const values = answer.data.result.map(({ value }) => value[1])
      return values.length === 8 && values.every((value) => value === '1')
    }, 'three replicas, three members and two managers are up')
  })

  const loads: Load[] = []
  // A test that failed must not go on writing beside the next one.
  afterEach(async () => {
    for (const load of loads.splice(0)) {
      await load.stopWriting()
      load.close()
    }
  })
  let started = 0
  async function startLoad(name: string): Promise<Load> {
    const { body } = await ask(url, configMaps, identity)
    // A second try of a test makes objects of its own.
    const load = new Load(`${name}${++started}-`, url, identity, Number(body.metadata.resourceVersion))
    loads.push(load)
    return load
  }

  async function restart(name: string): Promise<void> {
    const before = cluster.pid(name)
    cluster.signal(name, 'SIGTERM')
    await eventually(
      () => cluster.pid(name) !== before && cluster.pid(name) !== undefined,
      `${name} ends and comes back`,
    )
    await cluster.working(name)
  }

  it('restarts its replicas one by one: no request fails, no event is missed', async () => {
    const load = await startLoad('rolling')
    for (const name of ['api1', 'api2', 'api3']) {
      await restart(name)
      // The balancer takes a moment to see it.
      await sleep(1500)
    }
    await load.stopWriting()
    assert.deepEqual(load.failures, [])
    await allSeen(load)
    assert.ok(
      load.connections.some(({ sessions }) => sessions > 1),
      'kept connections moved',
    )
  })

  it('restarts the members of etcd one by one: no request fails, no event is missed', async () => {
    const load = await startLoad('members')
    for (const name of ['etcd1', 'etcd2', 'etcd3']) {
      await restart(name)
      await sleep(500)
    }
    await load.stopWriting()
    assert.deepEqual(load.failures, [])
    await allSeen(load)
  })

  it('loses a replica, a leader of etcd and a manager at work: nothing acknowledged is lost', async () => {
    const load = await startLoad('faults')
    const { etcd: member } = await leaders()
    assert.ok(member, 'etcd has a leader')
    for (const name of ['api2', member]) {
      cluster.signal(name, 'SIGKILL')
      await sleep(1500)
      await cluster.working(name)
      await sleep(500)
    }
    let leader = ''
    await eventually(async () => (leader = (await leaders()).manager ?? '') !== '', 'a manager works')
    const before = cluster.pid(leader)
    cluster.signal(leader, 'SIGKILL')
    await eventually(() => cluster.pid(leader) !== before, 'the manager is gone')
    const enough = load.writers.map(({ acknowledged }) => acknowledged.length + 5)
    await eventually(
      () => load.writers.every(({ acknowledged }, index) => acknowledged.length >= (enough[index] ?? 0)),
      'every writer goes on',
    )
    await load.stopWriting()
    await allSeen(load)
    // Requests under way when the process was killed, and writes while etcd elects a leader.
    assert.ok(load.failures.length <= 30, load.failures.join('\n'))
    await kubectl('scale', 'deployment', 'web', '--replicas=4')
    await eventuallyEquals(pods, 4, 'a manager acts again', 30_000)
  })

  /** Every acknowledged object is stored, and each watcher has seen each exactly once, in the order of revisions. */
  async function allSeen(load: Load): Promise<void> {
    const { writers, watchers } = load
    const acknowledged = writers.flatMap((writer) => writer.acknowledged)
    const { body } = await ask(url, configMaps, identity)
    const stored = new Set(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name))
    assert.deepEqual(
      acknowledged.filter((name) => !stored.has(name)),
      [],
    )
    const missing = (): string[] => watchers.flatMap(({ seen }) => acknowledged.filter((name) => !seen.has(name)))
    await eventuallyEquals(() => missing().length, 0, 'every watcher sees every acknowledged write')
    load.close()
    assert.deepEqual(
      watchers.flatMap(({ problems }) => problems),
      [],
    )
  }
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Cluster, findPrograms, startCluster } from '../../hack/ha/cluster.ts'
import type { Ports } from '../../hack/ha/parts.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { eventually } from '../support/eventually.ts'
import { findKubectl } from '../support/kubectl.ts'
import { ask } from '../support/plane.ts'
import { freePorts } from '../support/ports.ts'

const run = promisify(execFile)
const configMaps = '/api/v1/namespaces/default/configmaps'
/** Short enough for a test; a real cluster keeps the defaults. */
const shortLease = [
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=500ms',
]

async function choosePorts(): Promise<Ports> {
  const [balancer = 0, prometheus = 0, ...rest] = await freePorts(16)
  const at = (index: number): number => rest[index] ?? 0
  return {
    balancer,
    prometheus,
    api: [at(0), at(1), at(2)],
    managers: [at(3), at(4)],
    etcd: [5, 8, 11].map((first) => ({ client: at(first), peer: at(first + 1), metrics: at(first + 2) })),
  }
}

/** The client certificate in the administrator's kubeconfig. */
function administrator(kubeconfig: string): { cert: string; key: string } {
  const text = readFileSync(kubeconfig, 'utf8')
  const field = (name: string): string =>
    Buffer.from(new RegExp(`${name}: (\\S+)`).exec(text)?.[1] ?? '', 'base64').toString()
  return { cert: field('client-certificate-data'), key: field('client-key-data') }
}

/** Creates objects one after the other until it is stopped; each request on a connection of its own. */
class Writer {
  readonly acknowledged: string[] = []
  readonly failures: string[] = []
  readonly #name: string
  readonly #url: string
  readonly #identity: { cert: string; key: string }
  #isStopping = false
  readonly #done: Promise<void>

  constructor(name: string, url: string, identity: { cert: string; key: string }) {
    this.#name = name
    this.#url = url
    this.#identity = identity
    this.#done = this.#write()
  }

  async #write(): Promise<void> {
    for (let index = 0; !this.#isStopping; index++) {
      const name = `${this.#name}-${index}`
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of: 'writers' } } }
      try {
        const answer = await ask(this.#url, configMaps, { body, ...this.#identity })
        if (answer.status === 201) this.acknowledged.push(name)
        else this.failures.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
      } catch (error) {
        this.failures.push(`${name}: ${String(error)}`)
      }
      await sleep(10)
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
  readonly #url: string
  readonly #identity: { cert: string; key: string }
  #revision: number
  #isStopping = false
  #response: IncomingMessage | undefined

  constructor(url: string, identity: { cert: string; key: string }, revision: number) {
    this.#url = url
    this.#identity = identity
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
    return new Promise((resolve, reject) => {
      const request = https.get(
        this.#url + path,
        { rejectUnauthorized: false, agent: false, ...this.#identity },
        (response) => {
          this.#response = response
          let rest = ''
          response.on('data', (chunk) => {
            const lines = (rest + String(chunk)).split('\n')
            rest = lines.pop() ?? ''
            for (const line of lines) this.#take(line)
          })
          response.on('close', resolve)
        },
      )
      request.on('error', reject)
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
    this.#response?.destroy()
  }
}

describe('a highly available control plane behind a balancer', function () {
  this.timeout(180_000)
  const folder = scratchFolder('ha')
  let cluster: Cluster
  let url: string
  let identity: { cert: string; key: string }
  before(async function () {
    const programs = findKubectl() ? await findPrograms() : undefined
    if (!programs) return this.skip()
    const options = { managerFlags: shortLease, apiFlags: ['--goaway-chance=0'], etcdFlags: ['--unsafe-no-fsync'] }
    cluster = await startCluster(folder.path, await choosePorts(), programs, options)
    url = `https://127.0.0.1:${cluster.ports.balancer}`
    identity = administrator(cluster.kubeconfig)
  })
  after(async () => {
    await cluster?.stop()
    folder.remove()
  })

  const kubectl = async (...line: string[]): Promise<string> =>
    (await run('kubectl', line, { env: { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: folder.path } })).stdout

  /** The manager that works; '' while none does. */
  async function leadingManager(): Promise<string> {
    for (const [index, port] of cluster.ports.managers.entries()) {
      const answer = await ask(`https://127.0.0.1:${port}`, '/metrics', identity).catch(() => undefined)
      if (/^leader_election_master_status\{[^}]*\} 1$/m.test(answer?.text ?? '')) return `manager${index + 1}`
    }
    return ''
  }

  async function etcdLeader(): Promise<string> {
    for (const [index, { metrics }] of cluster.ports.etcd.entries()) {
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text().catch(() => '')
      if (/^etcd_server_is_leader 1$/m.test(text)) return `etcd${index + 1}`
    }
    throw new Error('no leader')
  }

  it('serves kubectl through the balancer, and its controllers act', async () => {
    await kubectl('create', 'deployment', 'web', '--image=web', '--replicas=2')
    await eventually(
      async () => (await kubectl('get', 'pods', '-o', 'name')).split('\n').length === 3,
      'its pods are there',
    )
    const { body } = await ask(url, '/api/v1/namespaces/default/endpoints/kubernetes', identity)
    assert.equal(body.subsets[0].addresses.length, 3)
  })

  it('is scraped by Prometheus, every part of it', async () => {
    const query = `http://127.0.0.1:${cluster.ports.prometheus}/api/v1/query?query=up`
    await eventually(async () => {
      const answer = (await (await fetch(query)).json()) as { data: { result: { value: [number, string] }[] } }
      const values = answer.data.result.map(({ value }) => value[1])
      return values.length === 8 && values.every((value) => value === '1')
    }, 'three replicas, three members and two managers are up')
  })

  it('restarts its replicas one by one: no request fails, no event is missed', async () => {
    const { body } = await ask(url, configMaps, identity)
    const writers = [1, 2, 3].map((index) => new Writer(`rolling${index}`, url, identity))
    const watchers = Array.from({ length: 12 }, () => new Watcher(url, identity, Number(body.metadata.resourceVersion)))
    for (const name of ['api1', 'api2', 'api3']) {
      const before = cluster.pid(name)
      cluster.signal(name, 'SIGTERM')
      await eventually(
        () => cluster.pid(name) !== before && cluster.pid(name) !== undefined,
        `${name} ends and comes back`,
      )
      await cluster.working(name)
      // The balancer takes a moment to see it.
      await sleep(1500)
    }
    await Promise.all(writers.map((writer) => writer.stop()))
    assert.deepEqual(
      writers.flatMap(({ failures }) => failures),
      [],
    )
    await allSeen(writers, watchers)
  })

  it('loses a replica, a leader of etcd and a manager at work: nothing acknowledged is lost', async () => {
    const { body } = await ask(url, configMaps, identity)
    const writers = [1, 2, 3].map((index) => new Writer(`faults${index}`, url, identity))
    const watchers = Array.from({ length: 12 }, () => new Watcher(url, identity, Number(body.metadata.resourceVersion)))
    for (const name of ['api2', await etcdLeader()]) {
      cluster.signal(name, 'SIGKILL')
      await sleep(1500)
      await cluster.working(name)
      await sleep(500)
    }
    await eventually(async () => (await leadingManager()) !== '', 'a manager works')
    const leader = await leadingManager()
    const before = cluster.pid(leader)
    cluster.signal(leader, 'SIGKILL')
    await eventually(() => cluster.pid(leader) !== before, 'the manager is gone')
    await Promise.all(writers.map((writer) => writer.stop()))
    await allSeen(writers, watchers)
    for (const { acknowledged } of writers) assert.ok(acknowledged.length > 20, 'writing went on')
    await kubectl('scale', 'deployment', 'web', '--replicas=4')
    await eventually(
      async () => (await kubectl('get', 'pods', '-o', 'name')).split('\n').length === 5,
      'a manager acts again',
      30_000,
    )
  })

  /** Every acknowledged object is stored, and each watcher has seen each exactly once, in the order of revisions. */
  async function allSeen(writers: readonly Writer[], watchers: readonly Watcher[]): Promise<void> {
    const acknowledged = writers.flatMap((writer) => writer.acknowledged)
    const { body } = await ask(url, configMaps, identity)
    const stored = new Set(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name))
    assert.deepEqual(
      acknowledged.filter((name) => !stored.has(name)),
      [],
    )
    const missing = (): string[] => watchers.flatMap(({ seen }) => acknowledged.filter((name) => !seen.has(name)))
    await eventually(() => missing().length === 0, 'every watcher sees every acknowledged write')
    for (const watcher of watchers) watcher.stop()
    assert.deepEqual(
      watchers.flatMap(({ problems }) => problems),
      [],
    )
  }
})

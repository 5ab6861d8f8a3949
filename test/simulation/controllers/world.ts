import { makeCredentials, signersOf } from '../../../cmd/pilothouse/credentials.ts'
import { planeConfig } from '../../../cmd/pilothouse/planeconfig.ts'
import { processEnvironment } from '../../../cmd/processenvironment.ts'
import {
  createSeededRandom,
  type Random,
  silentLogger,
  silentMetrics,
  systemClock,
  systemRandom,
} from '../../../lib/base/index.ts'
import { type Client, createClient, createLoopbackTransport, type Transport } from '../../../lib/client/index.ts'
import type { ControllerSettings } from '../../../lib/controller/index.ts'
import {
  type Apiserver,
  type ApiserverConfig,
  composeApiserver,
  startLocalControllers,
} from '../../../lib/controlplane/index.ts'
import type { MetricsRegistry } from '../../../lib/observe/index.ts'
import { servingNames } from '../../../lib/pki/index.ts'
import { createSimClock, type SimClock } from '../../support/simclock.ts'
import { RealWork } from './realwork.ts'
import { followed, Truth } from './truth.ts'

/** The time of day at which every seed begins. */
const wallStartMs = Date.UTC(2026, 0, 5, 12)

/** The groups that the simulated controllers use; the garbage collector follows no more than what is served. */
const servedVersions = [
  'v1',
  'apps/v1',
  'batch/v1',
  'autoscaling/v2',
  'policy/v1',
  'discovery.k8s.io/v1',
  'storage.k8s.io/v1',
  'coordination.k8s.io/v1',
  'rbac.authorization.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'networking.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'apiregistration.k8s.io/v1',
]

const firstControllers = ['serviceaccount-controller', 'root-ca-certificate-publisher-controller']

/** Nobody reads metrics here; keeping them takes time. */
const noMetrics: MetricsRegistry = {
  ...silentMetrics,
  exposition: () => Promise.reject(new Error('nothing is kept')),
  async *snapshot() {},
  reset() {},
  formatFor: () => 'text',
}

/** Chance whose beginning can be set again. */
class Reseeded implements Random {
  /** No seed begins as the server did: their objects would have the same uids. */
  #random: Random = createSeededRandom(0xf00d_0001)

  reseed(seed: number): void {
    this.#random = createSeededRandom(seed)
  }

  bytes(count: number): Uint8Array {
    return this.#random.bytes(count)
  }

  uuid(): string {
    return this.#random.uuid()
  }

  fraction(): number {
    return this.#random.fraction()
  }

  below(below: number): number {
    return this.#random.below(below)
  }
}

/**
 * A whole API server in memory, on the clock and the chance of the simulation, and what it holds as it changes. One world
 * serves many seeds, one after the other: what is left of a seed at its end would be found by the next.
 */
export class World {
  readonly clock: SimClock
  readonly client: Client
  readonly truth: Truth
  readonly settings: Partial<ControllerSettings>
  readonly gate: (name: string) => boolean
  readonly #server: Apiserver
  readonly #random: Reseeded
  readonly #realWork = new RealWork()

  /** `servesAll`: also the groups that no simulated user makes objects of. */
  static async open({ servesAll = false } = {}): Promise<World> {
    const surroundings = { clock: systemClock, random: systemRandom }
    const credentials = makeCredentials(surroundings, servingNames({ more: ['127.0.0.1'] }))
    const random = new Reseeded()
    const clock = createSimClock(wallStartMs)
    // Without what only takes turns of its own: the server's identity and its queues of requests.
    const featureGates = { APIServerIdentity: false }
    const plane = planeConfig(
      { runtimeConfig: servesAll ? {} : onlyServed(), controllers: true, featureGates },
      credentials,
    )
    const config: ApiserverConfig = {
      ...plane,
      authorization: { modes: ['RBAC'] },
      priorityAndFairness: false,
      admission: { ...plane.admission, tolerationSeconds: { notReadySeconds: 30, unreachableSeconds: 30 } },
    }
    const observed = { log: silentLogger, metrics: noMetrics }
    const composed = composeApiserver(config, { ...processEnvironment, clock: clock.coarse, random, ...observed })
    const server = await stepUntil(clock, composed)
    await stepUntil(clock, server.started)
    const settings = {
      rootCa: credentials.caCertificate,
      clusterSigning: signersOf(credentials),
      serviceAccountPrivateKey: credentials.tokenKey,
    }
    const world = new World(server, clock, random, settings, (name) => config.gates.gate(name))
    // The namespaces that every cluster has get theirs now: else the first seed would have more to do than others.
    const services = { clock, random, log: silentLogger, metrics: silentMetrics }
    const manager = await world.until(
      startLocalControllers(server.local, services, { wanted: firstControllers, settings, gate: world.gate }),
    )
    await world.pass(10_000)
    await world.until(manager.close())
    return world
  }

  private constructor(
    server: Apiserver,
    clock: SimClock,
    random: Reseeded,
    settings: Partial<ControllerSettings>,
    gate: (name: string) => boolean,
  ) {
    this.#server = server
    this.gate = gate
    this.clock = clock
    this.#random = random
    this.settings = settings
    this.client = createClient(this.connect('simulation', ['system:masters']))
    this.truth = new Truth(clock)
    for (const type of followed) this.truth.follow(this.client, type)
  }

  /** The way in of one user, without faults. */
  connect(name: string, groups: readonly string[]): Transport {
    const user = { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} }
    return createLoopbackTransport(this.#server.local, { user, userAgent: name })
  }

  /** Brings clock and chance to where every run of that seed begins. */
  async begin(seed: number): Promise<void> {
    await this.settle()
    this.#random.reseed(seed)
    this.clock.restart(wallStartMs)
    this.truth.clear()
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    await new Promise(setImmediate)
    await this.#realWork.done()
    this.truth.catchUp()
  }

  /** Lets time pass, timer by timer; `stop` ends it early. */
  async pass(ms: number, stop: () => boolean = () => false): Promise<void> {
    const untilMs = this.clock.monotonicMs() + ms
    do await this.settle()
    while (!stop() && this.clock.step(untilMs))
    await this.settle()
  }

  /** Lets time pass until the promise is settled. */
  async until<T>(promise: Promise<T>, limitMs = 600_000): Promise<T> {
    const settled = async (): Promise<void> => {
      await this.#realWork.done()
      this.truth.catchUp()
    }
    return await stepUntil(this.clock, promise, limitMs, settled)
  }

  async close(): Promise<void> {
    await this.client.close()
    let isStopped = false
    const stopping = this.#server.stop().finally(() => (isStopped = true))
    // Threads take real time to end.
    while (!isStopped) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      this.clock.step(this.clock.monotonicMs() + 1000)
    }
    await stopping
    this.#realWork.close()
  }
}

async function stepUntil<T>(
  clock: SimClock,
  promise: Promise<T>,
  limitMs = 600_000,
  settled: () => Promise<void> = async () => {},
): Promise<T> {
  let isSettled = false
  const settle = (): void => void (isSettled = true)
  promise.then(settle, settle)
  const untilMs = clock.monotonicMs() + limitMs
  while (!isSettled) {
    await new Promise(setImmediate)
    await settled()
    if (!isSettled && !clock.step(untilMs)) throw new Error('a request was never answered')
  }
  return await promise
}

function onlyServed(): Record<string, boolean> {
  return { 'api/all': false, ...Object.fromEntries(servedVersions.map((version) => [version, true])) }
}

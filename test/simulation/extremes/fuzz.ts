import { resources } from '../../../api/gen/resources.ts'
import { createSeededRandom, type Logger, type Random, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import { withRetryAfter } from '../../../lib/client/index.ts'
import {
  type ControllerDefinition,
  defaultControllerSettings,
  type Manager,
  startControllers,
} from '../../../lib/controller/index.ts'
import { type ApiObject, copyObject, type Frozen, type ResourceType, StatusError } from '../../../lib/object/index.ts'
import { collectGarbage } from '../../support/collectgarbage.ts'
import { threadCpuMs } from '../../support/cputime.ts'
import { Violation } from '../controllers/violation.ts'
import type { World } from '../controllers/world.ts'
import { bystanders, checkBystanders } from './bystanders.ts'
import { extremeStatus, withExtremes } from './values.ts'

interface FuzzOptions {
  readonly seed: number
  readonly definitions: readonly ControllerDefinition[]
  /** Kinds of which the seed makes objects, with an object of each that the server takes. */
  readonly kinds: ReadonlyMap<ResourceType<ApiObject>, Frozen<ApiObject>>
  /** CPU for which a turn may hold the event loop. */
  readonly heldMsMax: number
  readonly heapBytesMax: number
}

/** What was done, so that a seed that does nothing can't pass for a success. */
export interface FuzzTally {
  admitted: number
  refused: number
  /** Of the longest turn. */
  heldMs: number
}

/** That the heap may grow during a seed. */
export const heapBytesMax = 300 * 2 ** 20
const objects = 24
const changesMax = 4
const tries = 4
/** The answer of a store, in etcd's words. */
const tooLarge = /request is too large/
const actMs = 3000
/** Longer than two passes of controllers that go over everything. */
const restMs = 120_000

/**
 * Makes objects with extreme values while all controllers run. Throws Violation where one of their turns holds the event
 * loop, where memory grows, or where other objects of the namespace are not looked after.
 */
export async function fuzz(world: World, options: FuzzOptions): Promise<FuzzTally> {
  const run = new Fuzz(world, options)
  try {
    return await run.whole()
  } catch (error) {
    const text = error instanceof Violation ? error.message : String((error as Error).stack)
    throw new Violation(`seed ${options.seed}: ${text}\n${run.made.join('\n')}`, { cause: error })
  }
}

class Fuzz {
  /** What the server has taken, shortened. */
  readonly made: string[] = []
  readonly #world: World
  readonly #options: FuzzOptions
  readonly #random: Random
  readonly #namespace: string
  readonly #heapBytes = process.memoryUsage().heapUsed
  readonly #tally: FuzzTally = { admitted: 0, refused: 0, heldMs: 0 }
  #longest = ''

  constructor(world: World, options: FuzzOptions) {
    this.#world = world
    this.#options = options
    this.#random = createSeededRandom(options.seed)
    this.#namespace = `x${options.seed}`
  }

  async whole(): Promise<FuzzTally> {
    await this.#world.begin(this.#options.seed)
    await this.#make(resources.core.v1.namespaces, namespaceOf(this.#namespace))
    // Sets of so many replicas would go on for as long as the simulation does.
    await this.#make(resources.core.v1.resourcequotas, quotaOf(this.#namespace))
    const manager = await this.#world.until(this.#start())
    try {
      for (let made = 0; made < objects; made++) await this.#act(made)
      for (const [type, object] of bystanders(this.#namespace)) await this.#make(type, object)
      await this.#pass(restMs)
      checkBystanders(this.#world.truth, this.#namespace)
    } finally {
      await this.#world.until(manager.close())
    }
    return this.#tally
  }

  async #make(type: unknown, object: Frozen<ApiObject>): Promise<void> {
    // Types differ in what they hold; these objects are as users write them.
    await this.#world.until(this.#world.client.resource(type as ResourceType<ApiObject>).create(object))
  }

  /** The controllers' clock counts the CPU of their turns, as that of a server does. */
  async #start(): Promise<Manager> {
    const { world, random } = { world: this.#world, random: this.#random }
    const clock = { ...world.clock, threadCpuMs }
    const connect = (account: string) =>
      withRetryAfter(world.connect(account || 'manager', ['system:masters']), { clock: world.clock })
    return await startControllers(
      { clock, random, log: this.#log(), metrics: silentMetrics, connect, gate: world.gate },
      this.#options.definitions,
      { settings: { ...defaultControllerSettings, ...world.settings, nodeMonitorPeriod: 10_000 } },
    )
  }

  /** Receives the log lines about long turns. */
  #log(): Logger {
    const log: Logger = {
      ...silentLogger,
      named: () => log,
      warn: (_message, fields) => {
        const heldMs = Number(fields?.['heldMs'] ?? 0)
        if (heldMs <= this.#tally.heldMs) return
        this.#tally.heldMs = heldMs
        this.#longest = `${String(fields?.['queue'])} ${String(fields?.['key'])}`
      },
    }
    return log
  }

  async #act(number: number): Promise<void> {
    const kinds = [...this.#options.kinds]
    const chosen = kinds[this.#random.below(kinds.length)]
    if (!chosen) return
    const [type, valid] = chosen
    const name = `x${number}`
    for (let left = tries; left > 0; left--) {
      const changed = withExtremes(valid, 1 + this.#random.below(changesMax), this.#random)
      if (await this.#create(type, changed as ApiObject, name)) break
    }
    await this.#pass(this.#random.below(actMs))
  }

  async #create(type: ResourceType<ApiObject>, changed: ApiObject, name: string): Promise<boolean> {
    const place = type.namespaced ? { name, namespace: this.#namespace } : { name: `${this.#namespace}-${name}` }
    const { annotations = {}, labels = {} } = changed.metadata
    const object = { ...changed, metadata: { annotations, labels, ...place } }
    const resource = this.#world.client.resource(type)
    if (!(await this.#isTaken(resource.create(object)))) return false
    this.made.push(JSON.stringify(object).slice(0, 600))
    const status = this.#random.below(3) > 0 ? extremeStatus(changed.kind ?? '', this.#random) : undefined
    if (status && (await this.#isTaken(resource.patchStatus(place, 'merge', { status }))))
      this.made.push(`${name} ${JSON.stringify(status).slice(0, 600)}`)
    return true
  }

  /** A refusal is no fault. */
  async #isTaken(work: Promise<unknown>): Promise<boolean> {
    try {
      await this.#world.until(work)
      this.#tally.admitted++
      return true
    } catch (error) {
      if (!(error instanceof StatusError) || (error.code === 500 && !tooLarge.test(error.message))) throw error
      this.#tally.refused++
      return false
    }
  }

  async #pass(ms: number): Promise<void> {
    await this.#world.pass(ms, () => this.#isAmiss())
    const { heldMs } = this.#tally
    if (heldMs > this.#options.heldMsMax)
      throw new Violation(`a turn held the event loop for ${heldMs.toFixed()} ms: ${this.#longest}`)
    const grown = (): number => process.memoryUsage().heapUsed - this.#heapBytes
    if (grown() <= this.#options.heapBytesMax) return
    // Garbage of large objects is no memory that is kept.
    collectGarbage()
    if (grown() > this.#options.heapBytesMax) throw new Violation(`the heap has grown by ${grown()} bytes`)
  }

  #isAmiss(): boolean {
    return this.#tally.heldMs > this.#options.heldMsMax
  }
}

function namespaceOf(name: string): Frozen<ApiObject> {
  return copyObject({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
}

/** Counts pods without requests alone: those of bystanders have some. */
function quotaOf(namespace: string): Frozen<ApiObject> {
  const metadata = { name: 'pods', namespace }
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { pods: '40' }, scopes: ['BestEffort'] } }
}

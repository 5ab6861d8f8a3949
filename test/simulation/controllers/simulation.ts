import { resources } from '../../../api/gen/resources.ts'
import { createSeededRandom, type Random } from '../../../lib/base/index.ts'
import type { ApiObject, ResourceType } from '../../../lib/object/index.ts'
import type { ControllerDefinition } from '../../../lib/controller/index.ts'
import { controllers } from '../../../lib/controllers/index.ts'
import type { Canary } from './canaries.ts'
import { checkConverged, checkEmpty } from './converged.ts'
import { type ManagerProcess, startManager } from './manager.ts'
import { type FaultRates, Network, noFaults } from './network.ts'
import { Nodes } from './nodes.ts'
import { Rules } from './rules.ts'
import { isFinished } from './rules/jobs.ts'
import { Trace } from './trace.ts'
import type { Truth } from './truth.ts'
import { type Theme, themes, User } from './user.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

/** The controllers that take part: those that act on what the user makes. */
const names = [
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'namespace-controller',
  'garbage-collector-controller',
  'resourcequota-controller',
  'pod-garbage-collector-controller',
  'ttl-after-finished-controller',
  'node-lifecycle-controller',
  'taint-eviction-controller',
  'deployment-controller',
  'replicaset-controller',
  'replicationcontroller-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'disruption-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
]

export interface RunOptions {
  readonly seed: number
  /** Instead of those that the seed chooses. */
  readonly themes?: readonly Theme[]
  readonly canary?: Canary
  /** The whole trace is kept. */
  readonly keepsTrace?: boolean
  /** Takes the trace, however it ends. */
  onEnd?(lines: readonly string[]): void
}

/** What was done, so that a simulation that does nothing can't pass for a success. */
export interface Tally {
  writes: number
  crashes: number
  overlaps: number
  jumps: number
  /** The same for each run of the seed. */
  digest: string
}

/** Most seeds are short, so that there may be many: few faults need more than some deeds. */
const shortActs = { min: 3, more: 6 }
const longActs = { min: 8, more: 14 }
const longOneOf = 4
const pauseMsMax = 8000
/** Longer than a clock may be ahead: ended jobs that have a time to live count it from when they say that they ended. */
const convergeMsMax = 4_500_000
/** Some seeds are watched for longer once they have come to rest. */
const restsOneOf = 4
const quietMs = 200_000
/** Longer than an event of the time before the calm may still be on its way. */
const lagsMs = 30_000
/** How long the end of everything may take; budgets and unready nodes hold nothing up. */
const goneMsMax = 600_000
const goneLookMs = 1000
/** After so long without a write everything is as it will stay. */
const restMs = 90_000

/** Runs one seed in the world. Throws Violation with the seed and the last writes at the first thing amiss. */
export async function simulate(world: World, options: RunOptions): Promise<Tally> {
  const run = new Run(world, options)
  try {
    return await run.whole()
  } catch (error) {
    const text = error instanceof Violation ? error.message : String((error as Error).stack)
    throw new Violation(`seed ${options.seed} (${run.themes.join(', ')}): ${text}\n${run.trace.lines.join('\n')}`, {
      cause: error,
    })
  } finally {
    options.onEnd?.(run.trace.lines)
  }
}

class Run {
  readonly trace: Trace
  readonly themes: readonly Theme[]
  readonly #world: World
  readonly #options: RunOptions
  readonly #random: Random
  readonly #rules: Rules
  readonly #nodes: Nodes
  readonly #user: User
  readonly #rates: FaultRates
  readonly #definitions: readonly ControllerDefinition[]
  readonly #managers = new Set<ManagerProcess>()
  readonly #networks: Network[] = []
  readonly #prefix: string
  readonly #tally: Tally = { writes: 0, crashes: 0, overlaps: 0, jumps: 0, digest: '' }
  #spent: ManagerProcess | undefined
  #ratesNow: FaultRates
  #failure: unknown
  #started = 0

  constructor(world: World, options: RunOptions) {
    this.#world = world
    this.#options = options
    this.#random = createSeededRandom(options.seed)
    this.#prefix = `s${options.seed}`
    this.trace = new Trace(world.clock)
    this.trace.keepsAll = options.keepsTrace ?? false
    this.themes = options.themes ?? options.canary?.themes ?? this.#chooseThemes()
    this.#rates = this.#chooseRates()
    this.#ratesNow = this.#rates
    this.#rules = new Rules(world.truth, world.clock)
    this.#nodes = new Nodes(world, this.#fork(), this.trace)
    this.#nodes.onError = (error) => void (this.#failure ??= error)
    const parts = { world, nodes: this.#nodes, random: this.#fork(), trace: this.trace, rules: this.#rules }
    this.#user = new User(parts, this.#prefix, this.themes)
    const { canary } = options
    this.#definitions = controllers
      .filter(({ name }) => names.includes(name))
      .map((each) => (each.account === canary?.account ? (canary.change?.(each) ?? each) : each))
  }

  async whole(): Promise<Tally> {
    await this.#world.begin(this.#options.seed)
    this.trace.begin()
    const isSlow = this.#rates.late > 0 || this.#rates.refused > 0
    this.#rules.begin(isSlow ? 20_000 : 500)
    const { onWrite } = this.#world.truth
    this.#world.truth.onWrite = (write) => {
      this.#nodes.look()
      onWrite?.(write)
    }
    try {
      await this.#do(this.#user.open())
      await this.#do(this.#nodes.open(['1', '2', '3'].map((number) => `${this.#prefix}-${number}`)))
      await this.#start()
      for (let acts = this.#chooseActs(); acts > 0; acts--) await this.#act()
      await this.#calm()
      await this.#converge()
      checkConverged(this.#world.truth, this.#prefix)
      if (this.#random.below(restsOneOf) === 0) await this.#rest()
      await this.#leave()
    } finally {
      await this.#close()
    }
    this.#tally.writes = this.#world.truth.writes
    this.#tally.digest = this.trace.digest()
    return this.#tally
  }

  /** One deed of the user, or of fate, and some time after it. */
  async #act(): Promise<void> {
    const dice = this.#random.below(20)
    if (dice < 14) await this.#do(this.#user.act())
    else if (dice === 14) this.#crashSoon()
    else if (dice === 15) await this.#overlap()
    else if (dice === 16) this.#jump()
    else if (dice === 17) this.#nodes.look()
    await this.#pass(this.#random.below(pauseMsMax))
    if (this.#spent) await this.#restart()
  }

  #crashSoon(): void {
    const manager = this.#pickManager()
    if (!manager) return
    manager.network.writesLeft = 1 + this.#random.below(12)
    manager.network.onSpent = () => {
      this.#spent = manager
      this.trace.note(manager.network.name, 'CRASH', '', '')
    }
  }

  async #restart(): Promise<void> {
    const spent = this.#spent
    this.#spent = undefined
    if (!spent) return
    this.#tally.crashes++
    this.#end(spent)
    await this.#pass(this.#random.below(10_000))
    if (this.#managers.size === 0) await this.#start()
  }

  /** A second manager leads while the first does not know yet. */
  async #overlap(): Promise<void> {
    const [first] = this.#managers
    if (!first || this.#managers.size > 1) return
    this.#tally.overlaps++
    await this.#start()
    await this.#pass(this.#random.below(10_000))
    this.trace.note(first.network.name, 'LOST ITS LEASE', '', '')
    this.#end(first)
    this.#spent = undefined
    if (this.#managers.size === 0) await this.#start()
  }

  /** The clock of the manager's machine is set. */
  #jump(): void {
    const manager = this.#pickManager()
    if (!manager) return
    this.#tally.jumps++
    const skewMs = this.#random.below(7_200_000) - 3_600_000
    manager.setSkew(skewMs)
    this.trace.note(manager.network.name, 'CLOCK', String(skewMs), '')
  }

  #end(manager: ManagerProcess): void {
    manager.crash()
    this.#managers.delete(manager)
  }

  async #start(): Promise<void> {
    const random = this.#fork()
    const name = `manager-${++this.#started}`
    const network = new Network(
      {
        clock: this.#world.clock,
        random,
        trace: this.trace,
        check: (account, request) => this.#rules.asked(account, request),
        settledRevision: () => this.#world.truth.settledRevision,
      },
      name,
      this.#ratesNow,
    )
    this.#networks.push(network)
    this.#rules.view.networks = this.#networks
    this.trace.note(name, 'START', '', '')
    this.#managers.add(
      await this.#do(startManager(this.#world, network, this.#definitions, this.#fork(), this.#options.canary)),
    )
  }

  /** The faults are over, and the user waits. */
  async #calm(): Promise<void> {
    this.trace.note('simulation', 'CALM', '', '')
    this.#ratesNow = noFaults
    for (const { network } of this.#managers) {
      network.rates = noFaults
      network.writesLeft = Number.POSITIVE_INFINITY
    }
    for (const manager of this.#managers) manager.setSkew(0)
    if (this.#spent) await this.#restart()
    this.#nodes.isCalm = true
    if (this.#world.truth.all(resources.core.v1.nodes).length === 0)
      await this.#do(this.#nodes.add(`${this.#prefix}-1`))
    await this.#do(this.#nodes.revive())
    await this.#do(this.#user.calm())
    await this.#pass(lagsMs)
    await this.#do(this.#user.mend())
  }

  /** Waits until nothing is written any more. */
  async #converge(): Promise<void> {
    const { clock } = this.#world
    const endMs = clock.monotonicMs() + convergeMsMax
    let writes: number
    do {
      writes = this.#countable
      await this.#pass(restMs)
      if (clock.monotonicMs() > endMs) throw new Violation('it does not come to rest')
    } while (this.#countable !== writes || hasExpiringJobs(this.#world.truth))
  }

  /** Nothing is written while nothing happens. */
  async #rest(): Promise<void> {
    const writes = this.#countable
    this.trace.note('simulation', 'REST', '', '')
    await this.#pass(quietMs)
    if (this.#countable !== writes) throw new Violation(`${this.#countable - writes} writes while nothing happens`)
    checkConverged(this.#world.truth, this.#prefix)
  }

  get #countable(): number {
    return this.#world.truth.writes
  }

  async #leave(): Promise<void> {
    this.trace.note('simulation', 'LEAVE', '', '')
    // Nodes end the pods of the namespaces; then they go, too.
    await this.#do(this.#user.leave())
    await this.#untilGone([resources.core.v1.namespaces])
    this.#nodes.close()
    await this.#do(this.#user.leaveCluster())
    await this.#untilGone([resources.core.v1.nodes, resources.core.v1.persistentvolumes])
    checkEmpty(this.#world.truth, this.#prefix)
  }

  /** Waits until nothing of the seed is left of these resources. */
  async #untilGone(types: readonly ResourceType<ApiObject>[]): Promise<void> {
    const { clock, truth } = this.#world
    const endMs = clock.monotonicMs() + goneMsMax
    const isLeft = (type: ResourceType<ApiObject>): boolean =>
      truth.all(type).some(({ metadata }) => metadata.name?.startsWith(`${this.#prefix}-`))
    while (types.some(isLeft)) {
      if (clock.monotonicMs() > endMs) return checkEmpty(truth, this.#prefix)
      await this.#pass(goneLookMs)
    }
  }

  async #close(): Promise<void> {
    this.#nodes.close()
    this.#world.truth.onWrite = undefined
    for (const manager of this.#managers) await this.#world.until(manager.stop())
    this.#managers.clear()
  }

  async #pass(ms: number): Promise<void> {
    await this.#world.pass(ms, () => this.#rules.failure !== undefined || this.#spent !== undefined)
    this.#raise()
  }

  async #do<T>(work: Promise<T>): Promise<T> {
    const result = await this.#world.until(work)
    this.#raise()
    return result
  }

  #raise(): void {
    const failure = this.#rules.failure ?? this.#failure
    if (failure !== undefined) throw failure as Error
  }

  #pickManager(): ManagerProcess | undefined {
    return [...this.#managers][this.#random.below(this.#managers.size)]
  }

  #chooseThemes(): readonly Theme[] {
    const left = [...themes]
    const chosen: Theme[] = []
    for (let count = 1 + this.#random.below(3); count > 0; count--)
      chosen.push(...left.splice(this.#random.below(left.length), 1))
    return chosen
  }

  #chooseActs(): number {
    const { min, more } = this.#random.below(longOneOf) === 0 ? longActs : shortActs
    return min + this.#random.below(more)
  }

  /** Some seeds are in peace, most have some kinds of faults. */
  #chooseRates(): FaultRates {
    const some = (most: number): number => (this.#random.below(2) === 0 ? 0 : this.#random.fraction() * most)
    if (this.#random.below(8) === 0) return noFaults
    return {
      refused: some(0.15),
      lost: some(0.15),
      conflicts: some(0.15),
      late: some(0.3),
      cut: some(0.05),
      lagging: some(0.4),
    }
  }

  #fork(): Random {
    return createSeededRandom(this.#random.below(2 ** 32))
  }
}

function hasExpiringJobs(truth: Truth): boolean {
  return truth
    .all(resources.batch.v1.jobs)
    .some((job) => job.spec.ttlSecondsAfterFinished !== undefined && isFinished(job))
}

import { resources } from '../../../api/gen/resources.ts'
import { createSeededRandom, type Random } from '../../../lib/base/index.ts'
import type { ApiObject, ResourceType } from '../../../lib/object/index.ts'
import type { Canary } from './canaries.ts'
import { lease } from './candidate.ts'
import { checkConverged, checkEmpty } from './converged.ts'
import { definitionsFor } from './definitions.ts'
import { Managers } from './managers.ts'
import { MetricsServer } from './metricsserver.ts'
import { type FaultRates, noFaults } from './network.ts'
import { Nodes, quietly } from './nodes.ts'
import { isFinished } from './rules/jobs.ts'
import { Rules } from './rules.ts'
import { Trace } from './trace.ts'
import type { Truth } from './truth.ts'
import type { HandDependencies } from './user/hand.ts'
import { type Theme, themes, User } from './user.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

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
const convergeMsMax = 8_000_000
/** Events cost much time: some seeds keep them, the others check those that would be written. */
const eventsOneOf = 6
/** Of so many seeds one has managers that elect their leader. */
const electsOneOf = 6
/** How long a new leader is watched. */
const lookMs = 10_000
/** Some seeds are watched for longer once they have come to rest. */
const restsOneOf = 4
const quietMs = 200_000
/** Longer than an event of the time before the calm may still be on its way. */
const lagsMs = 30_000
/** How long the end of everything may take; budgets and unready nodes hold nothing up. */
const goneMsMax = 600_000
const goneLookMs = 1000
const scaleDownMs = 400_000
/** No key waits longer for its next turn (`DefaultTypedControllerRateLimiter` of client-go). */
const retryMsMax = 1_000_000
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
  readonly #metrics: MetricsServer
  readonly #user: User
  readonly #rates: FaultRates
  readonly #managers: Managers
  readonly #prefix: string
  readonly #tally: Tally = { writes: 0, crashes: 0, overlaps: 0, jumps: 0, digest: '' }
  #failure: unknown

  constructor(world: World, options: RunOptions) {
    this.#world = world
    this.#options = options
    this.#random = createSeededRandom(options.seed)
    this.#prefix = `s${options.seed}`
    this.trace = new Trace(world.clock)
    this.trace.keepsAll = options.keepsTrace ?? false
    this.themes = options.themes ?? options.canary?.themes ?? this.#chooseThemes()
    this.#rates = this.#chooseRates()
    this.#rules = new Rules(world.truth, world.clock)
    this.#nodes = new Nodes(world, this.#fork(), this.trace)
    this.#nodes.onError = (error) => void (this.#failure ??= error)
    this.#metrics = new MetricsServer(world.truth, world.clock)
    const { trace } = this
    const parts = { world, trace, rules: this.#rules, metrics: this.#metrics }
    this.#user = new User({ ...parts, nodes: this.#nodes, random: this.#fork() }, this.#prefix, this.themes)
    this.#managers = this.#createManagers(parts)
  }

  #createManagers(parts: Pick<HandDependencies, 'world' | 'trace' | 'rules' | 'metrics'>): Managers {
    const { canary } = this.#options
    const means = {
      ...parts,
      random: this.#fork(),
      canary,
      definitions: definitionsFor(canary),
      tally: this.#tally,
      fork: () => this.#fork(),
      pass: (ms: number) => this.#pass(ms),
      do: <T>(work: Promise<T>) => this.#do(work),
    }
    const isElected = this.#random.below(electsOneOf) === 0 || canary?.isElected === true
    const keepsEvents = this.#random.below(eventsOneOf) === 0
    return new Managers(means, { rates: this.#rates, isElected, keepsEvents })
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
      await this.#managers.open()
      for (let acts = this.#chooseActs(); acts > 0; acts--) await this.#act()
      await this.#calm()
      await this.#converge()
      this.#check()
      if (this.#random.below(restsOneOf) === 0) await this.#rest()
      // Autoscalers have forgotten their past then, and may say so.
      await this.#relieve()
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
    else if (dice === 14) this.#managers.crashSoon()
    else if (dice === 15) await this.#managers.change()
    else if (dice === 16) this.#managers.jump()
    else if (dice === 17) this.#nodes.look()
    await this.#pass(this.#random.below(pauseMsMax))
    if (this.#managers.spent) await this.#managers.restart()
  }

  /** The faults are over, and the user waits. */
  async #calm(): Promise<void> {
    this.trace.note('simulation', 'CALM', '', '')
    await this.#managers.calm()
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
    // Autoscalers wait for five minutes before they make anything smaller.
    if (this.#world.truth.all(resources.autoscaling.v2.horizontalpodautoscalers).length > 0)
      await this.#pass(scaleDownMs)
    // Each refusal makes a controller wait twice as long for its next try.
    if (this.trace.quotaRefusals > 0) await this.#pass(Math.min(retryMsMax, 5 * 2 ** this.trace.quotaRefusals))
    do {
      writes = this.#countable
      await this.#pass(restMs)
      if (clock.monotonicMs() > endMs) throw new Violation('it does not come to rest')
    } while (this.#countable !== writes || hasExpiringJobs(this.#world.truth))
  }

  /** Other leaders find nothing to do. */
  async #relieve(): Promise<void> {
    const writes = this.#countable
    if (!(await this.#managers.changeLeaders())) return
    await this.#pass(lookMs)
    if (this.#countable !== writes) throw new Violation(`${this.#countable - writes} writes of a leader at rest`)
  }

  /** Nothing is written while nothing happens. */
  async #rest(): Promise<void> {
    const writes = this.#countable
    this.trace.note('simulation', 'REST', '', '')
    await this.#pass(quietMs)
    if (this.#countable !== writes) throw new Violation(`${this.#countable - writes} writes while nothing happens`)
    this.#check()
  }

  #check(): void {
    checkConverged(this.#world.truth, this.#prefix, this.#metrics.loads)
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
    await this.#managers.close()
    await this.#world.until(quietly(this.#world.client.resource(resources.coordination.v1.leases).delete(lease)))
  }

  async #pass(ms: number): Promise<void> {
    await this.#world.pass(ms, () => this.#rules.failure !== undefined || this.#managers.spent !== undefined)
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

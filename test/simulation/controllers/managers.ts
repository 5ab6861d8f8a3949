import type { Random } from '../../../lib/base/index.ts'
import type { Transport } from '../../../lib/client/index.ts'
import type { ControllerDefinition } from '../../../lib/controller/index.ts'
import { type Canary, electionAccount } from './canaries.ts'
import { Candidate } from './candidate.ts'
import { type ManagerProcess, startManager } from './manager.ts'
import type { MetricsServer } from './metricsserver.ts'
import { type FaultRates, Network, noFaults } from './network.ts'
import type { Rules } from './rules.ts'
import type { Tally } from './simulation.ts'
import type { Trace } from './trace.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

interface ManagersDependencies {
  readonly world: World
  readonly random: Random
  readonly trace: Trace
  readonly rules: Rules
  readonly metrics: MetricsServer
  readonly definitions: readonly ControllerDefinition[]
  readonly canary: Canary | undefined
  readonly tally: Tally
  fork(): Random
  /** Lets time pass; a failure or a crash ends it early. */
  pass(ms: number): Promise<void>
  do<T>(work: Promise<T>): Promise<T>
}

interface ManagersOptions {
  readonly rates: FaultRates
  /** The managers elect a leader of two; else one runs, and its successor is started when it is known to be gone. */
  readonly isElected: boolean
  readonly keepsEvents: boolean
}

/** A candidate that leads. */
interface Leader {
  readonly candidate: Candidate
  readonly manager: ManagerProcess
}

const candidates = 2
/** From the start of candidates, under faults, to a leader. */
const firstLeaderMsMax = 60_000
/** A Lease that is given back is taken at the next look, one that is not once it has run out, seen as late as may be. */
const retryMsMax = 4400
const releasedMsMax = 1000 + retryMsMax
const takeoverMsMax = 15_000 + 2 * retryMsMax
/** A process that has lost the Lease lives no longer. */
const leavingMsMax = 2000

/** The processes of the controller manager, as they start, crash, and follow each other. */
export class Managers {
  /** A manager whose connections have broken for good: its process is to be ended. */
  spent: ManagerProcess | undefined
  readonly #parts: ManagersDependencies
  readonly #options: ManagersOptions
  readonly #running = new Set<ManagerProcess>()
  readonly #candidates = new Set<Candidate>()
  readonly #networks: Network[] = []
  /** Their ways to the Lease. */
  readonly #leaseNetworks: Network[] = []
  #leader: Leader | undefined
  /** From the moment at which it has the Lease. */
  #leading: Candidate | undefined
  #rates: FaultRates
  #started = 0

  constructor(parts: ManagersDependencies, options: ManagersOptions) {
    this.#parts = parts
    this.#options = options
    this.#rates = options.rates
  }

  async open(): Promise<void> {
    if (!this.#options.isElected) return await this.#start()
    for (let count = 0; count < candidates; count++) this.#nominate()
    await this.#untilLed(firstLeaderMsMax)
  }

  /** One of them is going to crash between two of its next writes. */
  crashSoon(): void {
    const manager = this.#pick()
    if (!manager) return
    manager.network.writesLeft = 1 + this.#parts.random.below(12)
    manager.network.onSpent = () => {
      this.spent = manager
      this.#parts.trace.note(manager.network.name, 'CRASH', '', '')
    }
  }

  async restart(): Promise<void> {
    const { spent } = this
    this.spent = undefined
    if (!spent) return
    this.#parts.tally.crashes++
    this.#end(spent)
    await this.#parts.pass(this.#parts.random.below(10_000))
    if (this.#options.isElected) this.#nominate()
    else if (this.#running.size === 0) await this.#start()
  }

  /** Another one leads: one that was asked to, or one that begins while the first does not know yet. */
  async change(): Promise<void> {
    if (this.#options.isElected) return await this.#handOver()
    const [first] = this.#running
    if (!first || this.#running.size > 1) return
    this.#parts.tally.overlaps++
    await this.#start()
    await this.#parts.pass(this.#parts.random.below(10_000))
    this.#parts.trace.note(first.network.name, 'LOST ITS LEASE', '', '')
    this.#end(first)
    this.spent = undefined
    if (this.#running.size === 0) await this.#start()
  }

  /** The clock of a manager's machine is set. */
  jump(): void {
    const manager = this.#pick()
    if (!manager) return
    this.#parts.tally.jumps++
    const skewMs = this.#parts.random.below(7_200_000) - 3_600_000
    manager.setSkew(skewMs)
    this.#parts.trace.note(manager.network.name, 'CLOCK', String(skewMs), '')
  }

  /** Nothing goes wrong any more. */
  async calm(): Promise<void> {
    this.#rates = noFaults
    for (const network of this.#leaseNetworks) network.rates = noFaults
    for (const { network } of this.#running) {
      network.rates = noFaults
      network.writesLeft = Number.POSITIVE_INFINITY
    }
    for (const manager of this.#running) manager.setSkew(0)
    if (this.spent) await this.restart()
  }

  /** In the calm the Lease is taken over in time, be it given back or not. False: there is none. */
  async changeLeaders(): Promise<boolean> {
    if (!this.#options.isElected) return false
    await this.#untilLed(takeoverMsMax)
    await this.#handOver()
    await this.#untilLed(releasedMsMax)
    const leader = this.#leader
    if (!leader) return true
    this.#parts.trace.note(leader.manager.network.name, 'CRASH', '', '')
    this.#end(leader.manager)
    this.#nominate()
    await this.#untilLed(takeoverMsMax)
    return true
  }

  async close(): Promise<void> {
    const { world } = this.#parts
    for (const candidate of this.#candidates) await world.until(candidate.stop())
    for (const network of this.#leaseNetworks) network.cutOff()
    for (const manager of this.#running) await world.until(manager.stop())
    this.#running.clear()
  }

  #pick(): ManagerProcess | undefined {
    return [...this.#running][this.#parts.random.below(this.#running.size)]
  }

  #end(manager: ManagerProcess): void {
    manager.crash()
    this.#running.delete(manager)
    const leader = this.#leader
    if (leader?.manager !== manager) return
    this.#candidates.delete(leader.candidate)
    leader.candidate.crash()
  }

  async #handOver(): Promise<void> {
    const leader = this.#leader
    if (!leader) return
    this.#parts.trace.note(leader.manager.network.name, 'STOP', '', '')
    this.#nominate()
    this.#candidates.delete(leader.candidate)
    await this.#parts.do(leader.candidate.stop())
  }

  async #untilLed(msMax: number): Promise<void> {
    const { clock } = this.#parts.world
    const endMs = clock.monotonicMs() + msMax
    while (!this.#leader && clock.monotonicMs() < endMs) await this.#parts.pass(100)
    if (!this.#leader && this.#rates === noFaults) throw new Violation(`nobody leads after ${msMax} ms`)
  }

  /** Another process that waits for the Lease. */
  #nominate(): void {
    const { world, canary, fork } = this.#parts
    const identity = `candidate-${++this.#started}`
    const network = this.#network(identity)
    this.#leaseNetworks.push(network)
    const transport = network.wrap(world.connect('system:kube-controller-manager', ['system:masters']), electionAccount)
    const seen: Transport = canary?.account === electionAccount ? (canary.wrap?.(transport) ?? transport) : transport
    const candidate: Candidate = new Candidate(
      {
        clock: world.clock,
        random: fork(),
        transport: seen,
        cutOff: () => network.cutOff(),
        lead: (signal) => this.#lead(candidate, identity, signal),
        onLost: () => {
          this.#candidates.delete(candidate)
          network.cutOff()
          this.#nominate()
        },
      },
      identity,
    )
    this.#candidates.add(candidate)
  }

  async #lead(candidate: Candidate, identity: string, signal: AbortSignal): Promise<void> {
    const { trace, rules, world } = this.#parts
    trace.note(identity, 'LEADS', '', '')
    if (this.#leading) rules.failure ??= new Violation(`${identity} leads while another one does`)
    this.#leading = candidate
    signal.addEventListener('abort', () => this.#leadsNoMore(candidate, identity), { once: true })
    const manager = await this.#make()
    if (!signal.aborted) {
      this.#leader = { candidate, manager }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    }
    await Promise.race([manager.stop(), world.clock.sleep(leavingMsMax)])
    manager.crash()
    this.#running.delete(manager)
  }

  #leadsNoMore(candidate: Candidate, identity: string): void {
    this.#parts.trace.note(identity, 'LEADS NO MORE', '', '')
    if (this.#leading === candidate) this.#leading = undefined
    if (this.#leader?.candidate === candidate) this.#leader = undefined
  }

  async #start(): Promise<void> {
    await this.#parts.do(this.#make())
  }

  async #make(): Promise<ManagerProcess> {
    const { world, rules, trace, definitions, canary, fork } = this.#parts
    const name = `manager-${++this.#started}`
    const network = this.#network(name)
    network.keepsEvents = this.#options.keepsEvents
    this.#networks.push(network)
    rules.view.networks = this.#networks
    trace.note(name, 'START', '', '')
    const manager = await startManager(world, network, definitions, { random: fork(), log: rules.log }, canary)
    this.#running.add(manager)
    return manager
  }

  #network(name: string): Network {
    const { world, trace, rules, metrics, fork } = this.#parts
    return new Network(
      {
        clock: world.clock,
        random: fork(),
        trace,
        check: (account, request) => rules.asked(name, account, request),
        document: (url) => metrics.answer(url),
        settledRevision: () => world.truth.settledRevision,
      },
      name,
      this.#rates,
    )
  }
}

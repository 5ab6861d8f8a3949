import { backoffMs, type Clock, type Closable, type Logger, nextTurn, type Random } from '../../../lib/base/index.ts'
import { type MetricsRegistry, writeExposition } from '../../../lib/observe/index.ts'
import { MergedMetrics } from './mergedmetrics.ts'
import type { FromChild, FromParent, Question, Reply } from './messages.ts'
import { type Answer, Questions } from './questions.ts'

/** A child, as the group needs it. */
export interface Child {
  readonly pid: number | undefined
  /** Without effect once it has ended. */
  send(message: FromParent): void
  onMessage(receive: (message: FromChild) => void): void
  /** Resolves with how it ended: its exit code, or a signal. */
  readonly ended: Promise<number | string>
  /** Ends it at once. */
  kill(): void
}

interface GroupDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: MetricsRegistry
  start(index: number): Child
}

interface GroupOptions {
  readonly count: number
  /** How long the others wait for one that drains. */
  readonly drainMsMax: number
}

/**
 * `starting`, until it listens; `serving`; `stopping`, from the request to stop on; `waiting` for its turn to drain;
 * `draining`.
 */
type State = 'starting' | 'serving' | 'stopping' | 'waiting' | 'draining'

interface Member {
  readonly index: number
  child: Child | undefined
  state: State
  /** Ends in a row. */
  failures: number
  /** When it began to serve; undefined: not yet. */
  servingSinceMs: number | undefined
  /** It is to be replaced by another one, which starts when it has ended. */
  isReplaced: boolean
  restart: Closable | undefined
}

const restarts = { firstMs: 100, maxMs: 30_000 }
/** One that has served for so long starts again without a longer pause. */
const steadyMs = 10_000

/**
 * The processes of one server. The first starts alone: it makes what is missing, and shows whether the server can run at
 * all. Then all serve one port; one that ends is started again. A stop is one of all: each is unready at once, and they
 * drain one after the other.
 */
export class ProcessGroup {
  readonly #dependencies: GroupDependencies
  readonly #options: GroupOptions
  readonly #runId: string
  readonly #members: readonly Member[]
  readonly #questions: Questions
  readonly #metrics = new MergedMetrics()
  readonly #restarted: (index: number) => void
  readonly #replacements = new Set<Member>()
  readonly #over = Promise.withResolvers<number>()
  #port: number | undefined
  /** A process has been ready: the server can run. */
  #wasReady = false
  #isStopping = false
  #exitCode = 0

  constructor(dependencies: GroupDependencies, options: GroupOptions) {
    const { clock, random, metrics } = dependencies
    this.#dependencies = dependencies
    this.#options = options
    this.#runId = random.uuid()
    this.#questions = new Questions(clock)
    this.#members = Array.from({ length: options.count }, (_, index) => ({
      index,
      child: undefined,
      state: 'starting',
      failures: 0,
      servingSinceMs: undefined,
      isReplaced: false,
      restart: undefined,
    }))
    const total = metrics.counter({
      name: 'pilothouse_process_restarts_total',
      help: 'Processes of the server that were started again after they had ended.',
      labels: ['process'],
    })
    this.#restarted = (index) => total.add([String(index)])
    metrics
      .gauge({ name: 'pilothouse_processes', help: 'Processes of the server that serve.' })
      .collect(() => [{ labels: [], value: this.#serving().length }])
  }

  /** Starts all. Resolves with the exit code of the server when all have ended. */
  run(): Promise<number> {
    const [first] = this.#members
    if (first) this.#start(first)
    return this.#over.promise
  }

  /** Stops all gracefully. */
  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#replacements.clear()
    for (const member of this.#members) {
      void member.restart?.close()
      this.#askToStop(member)
    }
    this.#endIfOver()
  }

  /** Ends all at once. */
  kill(): void {
    for (const { child } of this.#members) child?.kill()
  }

  #serving(): (Member & { readonly child: Child })[] {
    return this.#members.filter(
      (member): member is Member & { child: Child } => member.child !== undefined && member.state === 'serving',
    )
  }

  // Starts and ends

  #start(member: Member): void {
    const child = this.#dependencies.start(member.index)
    const { index } = member
    Object.assign(member, {
      child,
      state: 'starting',
      isReplaced: false,
      servingSinceMs: undefined,
      restart: undefined,
    })
    child.onMessage((message) => this.#receive(member, child, message))
    void child.ended.then((how) => this.#ended(member, child, how))
    child.send({
      kind: 'begin',
      place: { index, count: this.#options.count, runId: this.#runId, port: this.#port },
    })
  }

  #ended(member: Member, child: Child, how: number | string): void {
    const { log, clock, random } = this.#dependencies
    const { index } = member
    this.#questions.forget(child)
    this.#metrics.ended(index)
    member.child = undefined
    if (this.#isStopping) {
      if (how !== 0) this.#exitCode = 1
      this.#grantTurn()
      this.#endIfOver()
      return
    }
    if (!this.#wasReady && index === 0) {
      // It has said why.
      this.kill()
      this.#over.resolve(typeof how === 'number' && how !== 0 ? how : 1)
      return
    }
    this.#restarted(index)
    if (member.isReplaced) {
      this.#start(member)
      return
    }
    const { servingSinceMs } = member
    const wasSteady = servingSinceMs !== undefined && clock.monotonicMs() - servingSinceMs >= steadyMs
    member.failures = wasSteady ? 1 : member.failures + 1
    const pauseMs = backoffMs(restarts, member.failures, random)
    log.error('a process of the server ended and is started again', { process: index, pid: child.pid, how, pauseMs })
    member.restart = clock.after(pauseMs, () => this.#start(member))
  }

  #endIfOver(): void {
    if (this.#isStopping && this.#members.every(({ child }) => child === undefined)) this.#over.resolve(this.#exitCode)
  }

  // Stops

  #askToStop(member: Member): void {
    if (member.state === 'starting' || member.state === 'serving') member.state = 'stopping'
    member.child?.send({ kind: 'stop' })
  }

  /**
   * Lets the next one drain when none does, those with a higher index first. The first child is the last: it withdraws
   * the server's address.
   */
  #grantTurn(): void {
    const alive = this.#members.filter(({ child }) => child !== undefined)
    if (alive.some(({ state }) => state === 'draining')) return
    const next = alive.findLast(({ state }) => state === 'waiting')
    if (!next || (next.index === 0 && alive.length > 1)) return
    this.#drain(next)
    this.#dependencies.clock.after(this.#options.drainMsMax, () => this.#drainAll())
  }

  /** One takes too long: the others don't wait for it, so that the stop ends in time. */
  #drainAll(): void {
    for (const member of this.#members) if (member.state === 'waiting') this.#drain(member)
  }

  #drain(member: Member): void {
    member.state = 'draining'
    member.child?.send({ kind: 'drain' })
  }

  /** Replaces one after the other: the next when the one before serves again. */
  #replaceNext(): void {
    if (this.#isStopping || this.#members.some(({ isReplaced }) => isReplaced)) return
    const [member] = this.#replacements
    if (!member || this.#members.some(({ state }) => state === 'starting')) return
    this.#replacements.delete(member)
    if (member.child === undefined) return
    member.isReplaced = true
    this.#askToStop(member)
  }

  // Messages

  #receive(member: Member, child: Child, message: FromChild): void {
    const { log, clock } = this.#dependencies
    switch (message.kind) {
      case 'listening':
        this.#port ??= message.port
        if (member.state === 'starting') member.state = 'serving'
        for (const other of this.#members) if (!this.#isStopping && isNew(other)) this.#start(other)
        this.#replaceNext()
        return
      case 'ready':
        member.servingSinceMs = clock.monotonicMs()
        this.#wasReady = true
        return
      case 'signal':
        if (this.#isStopping) return
        log.info('a process of the server is replaced', { process: member.index, pid: child.pid })
        this.#replacements.add(member)
        this.#replaceNext()
        return
      case 'waiting':
        member.state = 'waiting'
        if (this.#isStopping) this.#grantTurn()
        else this.#drain(member)
        return
      case 'question':
        void this.#answer(member, message.question).then((reply) =>
          child.send({ kind: 'reply', id: message.id, reply }),
        )
        return
      default:
        this.#questions.receive(message)
    }
  }

  async #answer(from: Member, question: Question): Promise<Reply> {
    const serving = this.#serving()
    const askAll = (asked: readonly (Member & { readonly child: Child })[]): Promise<Answer[]> =>
      Promise.all(asked.map(({ child }) => this.#questions.ask(child, question)))
    if (question.about === 'health') {
      const others = serving.filter(({ index }) => index !== from.index)
      const answers = await askAll(others)
      return {
        problem: others
          .map(({ index }, at) => problemOf(index, answers[at]))
          .filter(Boolean)
          .join('; '),
      }
    }
    if (question.about === 'metrics') return await this.#merge(question, serving)
    if (question.about === 'reset') this.#metrics.reset()
    const answers = await askAll(serving)
    return { problem: answers.every(({ complete }) => complete) ? '' : 'a process of the server does not answer' }
  }

  async #merge(
    question: Extract<Question, { readonly about: 'metrics' }>,
    asked: readonly (Member & { readonly child: Child })[],
  ): Promise<Reply> {
    const { clock, metrics } = this.#dependencies
    await Promise.all(
      asked.map(async (member) => {
        const { child } = member
        const { families, complete } = await this.#questions.ask(child, question)
        // Those of one that has ended meanwhile are among the past ones.
        if (complete && member.child === child) this.#metrics.keep(member.index, families)
      }),
    )
    const own = await Array.fromAsync(metrics.snapshot(question.names))
    const all = this.#metrics.read(own.flat(), question.names, () => nextTurn(clock))
    return { exposition: await writeExposition(all, question.format, question.names) }
  }
}

/** It has not been started before. */
function isNew({ child, restart, failures }: Member): boolean {
  return child === undefined && restart === undefined && failures === 0
}

/** '' where nothing fails. */
function problemOf(index: number, answer: Answer | undefined): string {
  if (!answer?.complete) return `process ${index} does not answer`
  return answer.failing.length === 0 ? '' : `process ${index}: ${answer.failing.join(', ')} failed`
}

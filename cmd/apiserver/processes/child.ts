import type { Clock } from '../../../lib/base/index.ts'
import type { Apiserver, ApiserverConfig, ServerSiblings } from '../../../lib/controlplane/index.ts'
import type { MetricsRegistry } from '../../../lib/observe/index.ts'
import { type FromChild, type FromParent, markName, type Place, type Question, type Reply } from './messages.ts'
import { answerMsMax } from './questions.ts'
import { shareOf } from './share.ts'

/** The own end of a child: its parent asks and stops it. */
export interface ProcessPlace {
  /** Makes the configuration of the server that of this process. */
  share(config: ApiserverConfig): ApiserverConfig
  readonly siblings: ServerSiblings
  /** Resolves when the process is to stop. */
  readonly stopped: Promise<NodeJS.Signals>
  /** The server listens: from now on the parent's questions are answered. */
  serve(server: Apiserver, own: OwnAnswers): void
  /** The hooks after the start are done. */
  markReady(): void
}

/** The sources of a process's own answers. */
interface OwnAnswers {
  readonly metrics: MetricsRegistry
  setVerbosity(level: number): void
}

/** The parent may be busy for a moment beside its own time limit. */
const replyMsMax = 2 * answerMsMax

/** Undefined where this process is no child of a server's. Resolves when the parent has said which one it is. */
export async function joinGroup(clock: Clock): Promise<ProcessPlace | undefined> {
  if (process.env[markName] === undefined || process.send === undefined) return undefined
  // Programs that this one starts are no children of the server.
  delete process.env[markName]
  const child = new ChildEnd(clock)
  const place = await child.begun
  return { ...child.place(place), share: shareOf(place) }
}

class ChildEnd {
  readonly begun: Promise<Place>
  readonly #clock: Clock
  readonly #begin: (place: Place) => void
  readonly #stop = Promise.withResolvers<NodeJS.Signals>()
  readonly #turn = Promise.withResolvers<void>()
  readonly #replies = new Map<number, (reply: Reply) => void>()
  /** Concurrent questions about the same share one answer. */
  readonly #underWay = new Map<string, Promise<Reply>>()
  #lastId = 0
  #server: Apiserver | undefined
  #own: OwnAnswers | undefined

  constructor(clock: Clock) {
    const { promise, resolve } = Promise.withResolvers<Place>()
    this.#clock = clock
    this.begun = promise
    this.#begin = resolve
    process.on('message', (message: FromParent) => this.#receive(message))
    // The parent was killed, and with it the server: another one may be started on the port at once.
    process.once('disconnect', () => process.exit(1))
    // A terminal, or a manager of services, sends signals to the parent as well, which decides.
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => this.#send({ kind: 'signal' }))
  }

  place({ port }: Place): Omit<ProcessPlace, 'share'> {
    return {
      siblings: this.#siblings(port !== undefined),
      stopped: this.#stop.promise,
      serve: (server, own) => {
        this.#server = server
        this.#own = own
        this.#send({ kind: 'listening', port: server.port })
      },
      markReady: () => this.#send({ kind: 'ready' }),
    }
  }

  #siblings(areServing: boolean): ServerSiblings {
    const all = async (question: Question): Promise<void> => {
      const reply = await this.#ask(question)
      if ('problem' in reply && reply.problem !== '') throw new Error(reply.problem)
    }
    return {
      areServing,
      check: (page) => all({ about: 'health', page }),
      resetMetrics: (names) => all({ about: 'reset', names }),
      setVerbosity: (level) => all({ about: 'verbosity', level }),
      exposition: async (accept, names) => {
        const { metrics } = this.#own ?? {}
        const reply = await this.#ask({ about: 'metrics', format: metrics?.formatFor(accept) ?? 'text', names })
        if ('exposition' in reply) return reply.exposition
        throw new Error(reply.problem)
      },
      drainTurn: async () => {
        this.#send({ kind: 'waiting' })
        await this.#turn.promise
      },
    }
  }

  #ask(question: Question): Promise<Reply> {
    const name = JSON.stringify(question)
    const others = this.#underWay.get(name)
    if (others) return others
    const id = ++this.#lastId
    const reply = new Promise<Reply>((resolve) => {
      const end = (given: Reply): void => {
        this.#replies.delete(id)
        this.#underWay.delete(name)
        void timer.close()
        resolve(given)
      }
      const timer = this.#clock.after(replyMsMax, () => end({ problem: 'the parent process does not answer' }))
      this.#replies.set(id, end)
    })
    this.#underWay.set(name, reply)
    this.#send({ kind: 'question', id, question })
    return reply
  }

  #receive(message: FromParent): void {
    switch (message.kind) {
      case 'begin':
        this.#begin(message.place)
        return
      case 'stop':
        this.#stop.resolve('SIGTERM')
        return
      case 'drain':
        this.#turn.resolve()
        return
      case 'reply':
        this.#replies.get(message.id)?.(message.reply)
        return
      case 'question':
        void this.#answer(message.id, message.question)
    }
  }

  async #answer(id: number, question: Question): Promise<void> {
    let failing: readonly string[] = []
    const [server, own] = [this.#server, this.#own]
    if (question.about === 'health') {
      const limit = new AbortController()
      const timer = this.#clock.after(answerMsMax, () => limit.abort())
      failing = (await server?.report.failing(question.page, limit.signal)) ?? ['start']
      void timer.close()
    } else if (question.about === 'metrics') {
      server?.report.flush()
      for await (const families of own?.metrics.snapshot(question.names) ?? [])
        this.#send({ kind: 'metrics', id, families })
    } else if (question.about === 'reset') own?.metrics.reset(question.names)
    else own?.setVerbosity(question.level)
    this.#send({ kind: 'answered', id, failing })
  }

  #send(message: FromChild): void {
    // Failures are those of a channel that closes: the process then stops.
    if (process.connected) process.send?.(message, undefined, undefined, () => {})
  }
}

import type { Clock } from '../../../lib/base/index.ts'
import type { FamilySnapshot } from '../../../lib/observe/index.ts'
import type { FromChild, FromParent, Question } from './messages.ts'

/** A child that answers within this time is not waited for longer. */
export const answerMsMax = 5_000
/** Maximum number of answers that are waited for. */
const openMax = 1_000

/** A child to ask. */
export interface Asked {
  send(message: FromParent): void
}

/** The answer of one child. */
export interface Answer {
  /** False: it ended, or the time was over. */
  readonly complete: boolean
  readonly families: readonly FamilySnapshot[]
  readonly failing: readonly string[]
}

const noAnswer: Answer = { complete: false, families: [], failing: [] }

interface Open {
  readonly asked: Asked
  readonly families: FamilySnapshot[]
  end(answer: Answer): void
}

/** Asks children, and puts their answers together. */
export class Questions {
  readonly #clock: Clock
  readonly #open = new Map<number, Open>()
  #lastId = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Never rejects. Without a complete answer after a while, or where too many are open, it is an incomplete one. */
  ask(asked: Asked, question: Question): Promise<Answer> {
    if (this.#open.size >= openMax) return Promise.resolve(noAnswer)
    const id = ++this.#lastId
    return new Promise((resolve) => {
      const timer = this.#clock.after(answerMsMax, () => this.#open.get(id)?.end(noAnswer))
      this.#open.set(id, {
        asked,
        families: [],
        end: (answer) => {
          this.#open.delete(id)
          void timer.close()
          resolve(answer)
        },
      })
      asked.send({ kind: 'question', id, question })
    })
  }

  receive(message: Extract<FromChild, { readonly kind: 'metrics' | 'answered' }>): void {
    const open = this.#open.get(message.id)
    if (message.kind === 'metrics') for (const family of message.families) open?.families.push(family)
    else open?.end({ complete: true, families: open.families, failing: message.failing })
  }

  /** The child has ended. */
  forget(asked: Asked): void {
    for (const open of this.#open.values()) if (open.asked === asked) open.end(noAnswer)
  }
}

import type { Clock, Closable, Logger } from '../base/index.ts'
import { StatusError } from '../object/index.ts'

interface WorkDependencies {
  readonly clock: Clock
  readonly log: Logger
}

const retryMsMin = 50
const retryMsMax = 30_000

/** Runs one step at a time, again when something has changed meanwhile, and later when it failed. */
export class Work implements Closable {
  readonly #step: () => Promise<void>
  readonly #dependencies: WorkDependencies
  readonly #name: string
  #isRunning = false
  #isOutdated = false
  #isClosed = false
  #retryMs = retryMsMin
  #retry: Closable | undefined

  constructor(step: () => Promise<void>, dependencies: WorkDependencies, name: string) {
    this.#step = step
    this.#dependencies = dependencies
    this.#name = name
  }

  plan(): void {
    this.#isOutdated = true
    if (!this.#isRunning && !this.#isClosed) void this.#run()
  }

  close(): void {
    this.#isClosed = true
    void this.#retry?.close()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Events that come in one piece are handled together.
    await new Promise<void>((resolve) => this.#dependencies.clock.soon(resolve))
    while (this.#isOutdated && !this.#isClosed) {
      this.#isOutdated = false
      try {
        await this.#step()
        this.#retryMs = retryMsMin
      } catch (error) {
        this.#failed(error)
      }
    }
    this.#isRunning = false
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return
    const isGone = error instanceof StatusError && error.code === 404
    if (isGone) return
    const { clock, log } = this.#dependencies
    log.verbose(1, 'a definition of a custom resource could not be worked on', { name: this.#name, error })
    void this.#retry?.close()
    this.#retry = clock.after(this.#retryMs, () => this.plan())
    this.#retryMs = Math.min(retryMsMax, this.#retryMs * 2)
  }
}

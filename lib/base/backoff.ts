import { type Logger, silentLogger } from './log.ts'
import type { Random } from './random.ts'

/** Pauses between attempts of work that fails. */
export interface BackoffOptions {
  /** After the first failure. */
  readonly firstMs: number
  /** Default: none. */
  readonly maxMs?: number
  /** Each pause is this many times as long as the one before. Default 2. */
  readonly factor?: number
  /**
   * Each pause is multiplied by a random number of this range, so that clients that failed together don't all retry
   * together. Default: from 0.5 to 1.
   */
  readonly spread?: readonly [least: number, most: number]
}

/** The pause after this many failures in a row; without random numbers it is not spread. */
export function backoffMs(
  { firstMs, maxMs = Number.POSITIVE_INFINITY, factor = 2, spread = [0.5, 1] }: BackoffOptions,
  failures: number,
  random?: Random,
): number {
  const pauseMs = Math.min(maxMs, firstMs * factor ** (failures - 1))
  return random ? spreadMs(pauseMs, spread, random) : pauseMs
}

export function spreadMs(ms: number, [least, most]: readonly [number, number], random: Random): number {
  return ms * (least + (most - least) * random.fraction())
}

interface BackoffDependencies {
  readonly random?: Random | undefined
  readonly log?: Logger | undefined
}

/** Counts consecutive failures of one piece of work; the log shows the first one and the recovery. */
export class Backoff {
  readonly #random: Random | undefined
  readonly #log: Logger
  readonly #name: string
  readonly #options: BackoffOptions
  /** Since the last success. */
  #failures = 0
  /** Since the last success or restart. */
  #pauses = 0

  constructor({ random, log = silentLogger }: BackoffDependencies, name: string, options: BackoffOptions) {
    this.#random = random
    this.#log = log
    this.#name = name
    this.#options = options
  }

  /** Returns the pause before the next attempt. */
  failed(error: unknown): number {
    this.#failures++
    this.#pauses++
    const pauseMs = backoffMs(this.#options, this.#pauses, this.#random)
    if (this.#failures === 1) this.#log.warn(`${this.#name} failed and is tried again`, { error })
    else this.#log.verbose(2, `${this.#name} failed again`, { error, failures: this.#failures, pauseMs })
    return pauseMs
  }

  succeeded(): void {
    if (this.#failures > 0) this.#log.info(`${this.#name} succeeded again`, { failures: this.#failures })
    this.#failures = 0
    this.#pauses = 0
  }

  /** Something has changed: the next pause is the first one again. */
  restart(): void {
    this.#pauses = 0
  }
}

import type { Clock, Logger, Metrics, Random } from '../../lib/base/index.ts'

/** What parts of a server take from the program that runs it. */
export interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
}

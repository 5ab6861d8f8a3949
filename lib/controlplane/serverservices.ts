import type { LineOutput } from '../audit/index.ts'
import type { Clock, Logger, Metrics, Random, Tracer } from '../base/index.ts'

/** The services that parts of a server take from the program that runs it. */
export interface ServerServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly environment: ProcessEnvironment['environment']
  /** Absent: nothing is traced. */
  readonly tracer?: Tracer | undefined
}

/** The process that a server runs in. */
export interface ProcessEnvironment {
  /** Variables; kubeconfig files and the access of pods depend on them. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where an audit log goes whose path is `-`. */
  readonly standardOutput: LineOutput
}

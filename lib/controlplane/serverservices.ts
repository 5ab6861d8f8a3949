import type { LineOutput } from '../audit/index.ts'
import type { Clock, Logger, Metrics, Random, Tracer } from '../base/index.ts'
import type { Egress } from '../egress/index.ts'

/** The services that the program provides to parts of its server. */
export interface ServerServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly environment: ProcessEnvironment['environment']
  /** Absent: no tracing. */
  readonly tracer?: Tracer | undefined
  readonly egress: Egress
  /** The failure that a test wants of an admission webhook's next call; undefined: it is called. */
  readonly webhookFailure?: ((webhook: string) => Error | undefined) | undefined
}

/** The process of the server. */
export interface ProcessEnvironment {
  /** Environment variables; kubeconfig files and the access of pods depend on them. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Output of an audit log whose path is `-`. */
  readonly standardOutput: LineOutput
}

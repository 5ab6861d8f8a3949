import type { Authenticator } from '../authn/index.ts'
import type { Authorizer } from '../authz/index.ts'
import type { Clock, Logger, Metrics, Random, RequestTracer } from '../base/index.ts'
import type { Fairness } from '../fairness/index.ts'
import type { Profiler } from '../observe/index.ts'
import type { Call, PublicPages, QueryParameters, RequestInfo } from '../request/index.ts'
import type { ServerCall } from './call.ts'
import type { ServerFilter } from './chain.ts'
import type { EncodeStatus } from './errors.ts'
import type { FailureAnswers } from './failure.ts'
import type { HealthCheck, HealthPage, PostStartHook } from './health.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { ServerMetrics } from './metrics.ts'
import type { ServerOptions } from './options.ts'
import type { NonResourceRoute, Routes } from './routes.ts'
import type { TimerWheel } from './timerwheel.ts'
import type { CertificateProvider } from './tls/certificates.ts'

export interface ResourceHandler {
  handle(call: Call): void | Promise<void>
  /** False for a group, version, resource or subresource that isn't served: metrics count it as `other`. */
  serves?(info: RequestInfo): boolean
}

export interface AuditSeam {
  readonly filter: ServerFilter
  /** A request that failed authentication: it never reaches the filter. */
  unauthenticated(call: ServerCall): void
}

/** The other processes of one server. They share its port, and each answers for all. */
export interface Siblings {
  /** They serve already: this process listens when it is ready, as its answers would be worse than theirs before. */
  readonly areServing: boolean
  /** Rejects with what fails, unless all that serve pass the checks of the page. */
  check(page: HealthPage, signal: AbortSignal): Promise<void>
  /** While stopping: resolves when this process is to refuse new requests. */
  drainTurn(): Promise<void>
}

/** The state of this process alone, for its siblings. */
export interface OwnReport {
  /** The names of the checks of the page that fail, those of siblings aside. */
  failing(page: HealthPage, signal: AbortSignal): Promise<readonly string[]>
  /** Hands all that was counted to the metrics. */
  flush(): void
}

export interface ServerDependencies {
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  readonly random: Random
  readonly certificates: CertificateProvider
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  readonly resources: ResourceHandler
  /** Documents and pages that are no resources: discovery, OpenAPI, version. */
  readonly routes: readonly NonResourceRoute[]
  /** Paths that the root page lists in addition to the non-resource routes, such as `/apis/apps/v1`. */
  readonly listPaths?: () => Iterable<string>
  readonly healthChecks: readonly HealthCheck[]
  /** Absent: the server is one process. */
  readonly siblings?: Siblings | undefined
  readonly postStartHooks: readonly PostStartHook[]
  parseRequestInfo(method: string, path: string, query: QueryParameters): RequestInfo
  /** Watches, logs, exec and the like: no deadline, no in-flight limit. */
  readonly isLongRunning?: (info: RequestInfo) => boolean
  readonly encodeStatus?: EncodeStatus
  readonly audit?: AuditSeam
  readonly impersonate?: ServerFilter
  /** Replaces the in-flight limits. */
  readonly fairness?: Fairness
  /** Requests are traced where it is set. */
  readonly tracer?: RequestTracer | undefined
  /** The text of GET /metrics in the format that the Accept header prefers; `names` restricts it to those metrics. */
  readonly exposition?: (
    accept: string | undefined,
    names?: readonly string[],
  ) => Promise<{ contentType: string; body: string }>
  /** Pages that need no credentials, such as the console's files. */
  readonly publicPages?: PublicPages | undefined
  /** Serves DELETE /metrics where profiling is on; `names` restricts it to those metrics. */
  readonly resetMetrics?: (names?: readonly string[]) => void | Promise<void>
  /** Serves the profiles below /debug/pprof. */
  readonly profiler?: Profiler
  /** Serves PUT /debug/flags/v. */
  readonly setVerbosity?: (level: number) => void | Promise<void>
}

export interface ChainParts {
  readonly dependencies: ServerDependencies
  readonly options: ServerOptions
  readonly errors: FailureAnswers
  readonly lifecycle: Lifecycle
  readonly timers: TimerWheel
  readonly metrics: ServerMetrics
  readonly routes: Routes
  /** Only while a test wants faults. */
  readonly faults?: ServerFilter | undefined
}

import type { Authenticator } from '../authn/index.ts'
import type { Authorizer } from '../authz/index.ts'
import type { Clock, Logger, Metrics, Random, RequestTracer } from '../base/index.ts'
import type { Fairness } from '../fairness/index.ts'
import type { Profiler } from '../observe/index.ts'
import type { Call, RequestInfo } from '../request/index.ts'
import type { ServerCall } from './call.ts'
import type { Filter } from './chain.ts'
import type { EncodeStatus } from './errors.ts'
import type { FailureAnswers } from './failure.ts'
import type { HealthCheck, PostStartHook } from './health.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { ServerMetrics } from './metrics.ts'
import type { ServerOptions } from './options.ts'
import type { NonResourceRoute, Routes } from './routes.ts'
import type { TimerWheel } from './timerwheel.ts'
import type { CertificateProvider } from './tls/certificates.ts'

/** Handles requests for resources: the endpoints. */
export interface ResourceHandler {
  handle(call: Call): void | Promise<void>
  /** False for a group, version, resource or subresource that isn't served: metrics count it as `other`. */
  serves?(info: RequestInfo): boolean
}

export interface AuditSeam {
  readonly filter: Filter
  /** A request that failed authentication: it never reaches the filter. */
  unauthenticated(call: ServerCall): void
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
  /** Documents and pages beside the resources: discovery, OpenAPI, version. */
  readonly routes: readonly NonResourceRoute[]
  /** Paths that the root page lists beside the non-resource routes, such as `/apis/apps/v1`. */
  readonly listPaths?: () => Iterable<string>
  readonly healthChecks: readonly HealthCheck[]
  readonly postStartHooks: readonly PostStartHook[]
  parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo
  /** Watches, logs, exec and the like: no deadline, no in-flight limit. */
  readonly isLongRunning?: (info: RequestInfo) => boolean
  readonly encodeStatus?: EncodeStatus
  readonly audit?: AuditSeam
  readonly impersonate?: Filter
  /** Takes the place of the in-flight limits. */
  readonly fairness?: Fairness
  /** Absent: requests are not traced. */
  readonly tracer?: RequestTracer | undefined
  /** The text of GET /metrics, in the format that the Accept header prefers; with names, of those metrics alone. */
  readonly exposition?: (
    accept: string | undefined,
    names?: readonly string[],
  ) => Promise<{ contentType: string; body: string }>
  /** The action of DELETE /metrics where profiling is on; with names, for those metrics alone. */
  readonly resetMetrics?: (names?: readonly string[]) => void
  /** Takes the profiles below /debug/pprof. */
  readonly profiler?: Profiler
  /** The action of PUT /debug/flags/v. */
  readonly setVerbosity?: (level: number) => void
}

/** The parts that the chain is made of. */
export interface ChainParts {
  readonly dependencies: ServerDependencies
  readonly options: ServerOptions
  readonly errors: FailureAnswers
  readonly lifecycle: Lifecycle
  readonly timers: TimerWheel
  readonly metrics: ServerMetrics
  readonly routes: Routes
}

// base: the foundation of every room: clock, random numbers, assertions, small data structures, and the interfaces of
// logs and metrics. Knows nothing of Kubernetes. The only place (with cmd/) that uses the machine's clock and source of
// random numbers.
export { appendAll } from './appendall.ts'
export { AssertionError, assert } from './assert.ts'
export { backoffMs } from './backoff.ts'
export { type Clock, type Closable, systemClock } from './clock.ts'
export { ensureFolder } from './ensurefolder.ts'
export { createFakeClock, type FakeClock } from './fakeclock.ts'
export { type FollowedFiles, type FollowFilesOptions, followFiles } from './follow/files.ts'
export { FileError, type TextOf } from './follow/readfiles.ts'
export { type LogFields, type Logger, silentLogger } from './log.ts'
export {
  type Combination,
  type Counter,
  type Gauge,
  type Histogram,
  type LabelValues,
  type MetricOptions,
  type Metrics,
  silentMetrics,
} from './metrics.ts'
export { createMovableClock, type MovableClock } from './movableclock.ts'
export { networkErrorText } from './networkerror.ts'
export { nodeHttp } from './nodehttp.ts'
export { inOwnMemory, joinedInOwnMemory } from './ownmemory.ts'
export { Pace } from './pace.ts'
export { nextTurn, type PausableWork, Pauses, runWithoutPauses } from './pauses.ts'
export { createSeededRandom, type Random, systemRandom } from './random.ts'
export { isRecord } from './record.ts'
export { createRepeatedWork, type RepeatedWork, type RepeatedWorkOptions } from './repeatedwork.ts'
export { retry } from './retry.ts'
export { awaited, runSteps, type Steps } from './steps.ts'
export type { RequestTracer, SpanAttributes, Tracer } from './tracing.ts'
export { createTree, createTreeOf, type Tree } from './tree.ts'
export { createTtlCache } from './ttlcache.ts'
export { TurnQueue } from './turnqueue.ts'
export { UnorderedSet, type UnorderedSetItem } from './unorderedset.ts'
export { createWorkLimit, TooLongHere, unlimitedWork, type WorkLimit } from './worklimit.ts'

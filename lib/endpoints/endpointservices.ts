import type { Admission } from '../admission/index.ts'
import type { FieldOwnership } from '../apply/index.ts'
import type { Authorizer } from '../authz/index.ts'
import type { Clock, Counter, Gauge, Histogram, Random, Tracer } from '../base/index.ts'
import type { KindCodec } from '../scheme/index.ts'
import type { Batches } from './answer/batch.ts'
import type { TableForms } from './answer/tableframes.ts'
import type { LargeWork } from './largework.ts'

/** The services that all endpoints share. */
export interface EndpointServices {
  readonly kindCodec: KindCodec
  readonly admission: Admission
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly random: Random
  /** Undefined: tracing is off. */
  readonly tracer: Tracer | undefined
  readonly ownership: FieldOwnership | undefined
  /** Watches without a timeout live between this and twice as long. */
  readonly minRequestTimeoutSeconds: number
  /** Gate WatchList: sendInitialEvents is allowed. */
  readonly watchList: boolean
  /** Gate ShardedListAndWatch: clients may ask for a part of a collection. */
  readonly shards: boolean
  /** Gate AllowUnsafeMalformedObjectDeletion. */
  readonly unsafeDeletion: boolean
  /** Undefined: all work is done here, as in a worker thread. */
  readonly largeWork: LargeWork | undefined
  /** Frames of deliveries, joined once for all watchers of one form. */
  readonly batches: Batches
  readonly tableForms: TableForms
  /** Durations of finding out whether a write changes anything, by result. */
  readonly comparisons: Histogram
  readonly watchMetrics: {
    readonly events: Counter
    readonly sizes: Histogram
    readonly untilSynced: Histogram
    /** Undefined: the gate of shards is off. */
    readonly sharded: Gauge | undefined
  }
}

import { type Clock, type Logger, systemClock } from '../../lib/base/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import {
  createLogger,
  createMetrics,
  type LoggerControl,
  type MetricsOptions,
  type MetricsRegistry,
} from '../../lib/observe/index.ts'

/** The configuration of a program's logs and metrics. */
export interface ObserveConfig {
  readonly metrics: MetricsOptions
  readonly logFormat: 'text' | 'json'
  readonly verbosity: number
  /** Levels for components, by patterns of their names. */
  readonly verbosityByModule: ReadonlyMap<string, number>
  /** Informational lines go to the standard output, in writes of so many bytes. */
  readonly splitLog?: { readonly bufferBytes: number }
  readonly logFlushMs: number
}

/** The log and the metrics of a program. */
export interface Observing {
  readonly log: Logger
  readonly metrics: MetricsRegistry
  setVerbosity(level: number): void
  /** Writes buffered lines. */
  close(): void
}

/**
 * Logs go to the standard error output; where the log is split, informational lines go to the standard output. Rejects
 * with FlagError for invalid metric settings.
 */
export async function createObserving(config: ObserveConfig, clock: Clock = systemClock): Promise<Observing> {
  const metrics = openMetrics(config.metrics)
  const control: LoggerControl = await createLogger(clock, {
    format: config.logFormat,
    verbosity: config.verbosity,
    modules: config.verbosityByModule,
    descriptor: 2,
    infoDescriptor: config.splitLog && 1,
    infoBufferBytes: config.splitLog?.bufferBytes,
    pid: process.pid,
    flushPeriodMs: config.logFlushMs,
  })
  return {
    log: control.logger,
    metrics,
    setVerbosity: (level) => control.setVerbosity(level),
    close: () => control.close(),
  }
}

function openMetrics(options: ObserveConfig['metrics']): MetricsRegistry {
  try {
    return createMetrics(options)
  } catch (error) {
    throw new FlagError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

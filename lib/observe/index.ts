// observe: metrics, logs and profiles of a program: the implementation of base's interfaces. Invariant: counting and
// logging never wait, never grow without bound and never show a secret. Must not know what is counted or logged.

export { recordBuild } from './buildinfo.ts'
export { type ComponentFacts, type ComponentPage, flagzPage, statuszPage } from './componentpages.ts'
export { createLogger, type LoggerControl } from './logger.ts'
export {
  createMetrics,
  type Exposition,
  type MetricsOptions,
  type MetricsRegistry,
  writeExposition,
} from './metrics.ts'
export { createProfiler, type Profiler, ProfilerBusy } from './profiling/profiler.ts'
export { redactFields, redactText } from './redact.ts'
export { type ExpositionFormat, type FamilySnapshot, isNamed, mergeFamilies } from './snapshot.ts'
export { openTracing, type Tracing, type TracingOptions } from './tracing.ts'

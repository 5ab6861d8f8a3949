import type { FlagValues } from '../../lib/flags/index.ts'
import { quantityValue } from '../../lib/object/index.ts'
import type { logs } from './flags/observing.ts'
import type { ObserveConfig } from './observing.ts'

export type LogFlags = FlagValues<{ readonly logs: typeof logs }>

/** The settings of the log. */
export function logConfig(flags: LogFlags): Omit<ObserveConfig, 'metrics'> {
  const logFormat = flags['logging-format'] === 'json' ? 'json' : 'text'
  return {
    logFormat,
    verbosity: flags.v,
    verbosityByModule: flags.vmodule,
    splitLog: flags[`log-${logFormat}-split-stream`]
      ? { bufferBytes: Math.max(0, Number(quantityValue(flags[`log-${logFormat}-info-buffer-size`]))) }
      : undefined,
    logFlushMs: Math.max(10, flags['log-flush-frequency']),
  }
}

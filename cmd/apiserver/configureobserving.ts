import { FlagError, type FlagValues } from '../../lib/flags/index.ts'
import { readOptional, withFlagName } from './flagfiles.ts'
import type { metrics } from './flags/observing.ts'
import { type LogFlags, logConfig } from './logconfig.ts'
import type { ObserveConfig } from './observing.ts'

/** The flags of metrics and logs, which every program has. */
type ObservingFlags = FlagValues<{ readonly metrics: typeof metrics }> & LogFlags

/** Throws FlagError. */
export async function configureObserving(flags: ObservingFlags): Promise<ObserveConfig> {
  const allowed = new Map([
    ...(await allowedLabels(flags['allow-metric-labels-manifest'])),
    ...flags['allow-metric-labels'],
  ])
  return {
    metrics: {
      runtime: true,
      disabled: flags['disabled-metrics'],
      allowedLabels: allowed,
      showHiddenFor: flags['show-hidden-metrics-for-version'],
    },
    ...logConfig(flags),
  }
}

/** `metric,label: a,b`, the lines of --allow-metric-labels-manifest. */
async function allowedLabels(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readOptional('allow-metric-labels-manifest', path)
  if (text === undefined) return new Map()
  const { parse } = await import('yaml')
  const parsed = withFlagName<unknown>('allow-metric-labels-manifest', () => parse(text, { prettyErrors: false }))
  if (typeof parsed !== 'object' || parsed === null)
    throw new FlagError('--allow-metric-labels-manifest: the file holds no map of metrics')
  return new Map(Object.entries(parsed).map(([key, values]) => [key, String(values).split(',')]))
}

import type { Clock } from '../base/index.ts'
import type { AdmissionAttributes } from './plugin.ts'
import { refusal } from './refusal.ts'

/** How long a request waits until the stored configurations are loaded. */
const loadingMsMax = 10_000

export interface Loads {
  readonly clock: Clock
  /** Undefined once all stored configurations are loaded. */
  loading(): Promise<void> | undefined
}

/** Runs `run` once the stored configurations are loaded: synchronously when they are. 403 when that takes too long. */
export function onceLoaded(
  loads: Loads,
  attributes: AdmissionAttributes,
  run: () => void | Promise<void>,
): void | Promise<void> {
  const loading = loads.loading()
  return loading ? whenLoaded(loads.clock, attributes, loading).then(run) : run()
}

async function whenLoaded(clock: Clock, attributes: AdmissionAttributes, loading: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<boolean>()
  const timer = clock.after(loadingMsMax, () => late.resolve(false))
  try {
    const isLoaded = await Promise.race([loading.then(() => true), late.promise])
    if (!isLoaded) throw refusal(attributes, 'not yet ready to handle request')
  } finally {
    void timer.close()
  }
}

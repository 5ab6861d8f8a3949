import type { Clock } from '../base/index.ts'
import { refusal } from './about.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** How long a request waits for what others configured to be known. */
const loadingMsMax = 10_000

/** Rejects with 403 when that takes too long. */
export async function whenLoaded(clock: Clock, attributes: AdmissionAttributes, loading: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<boolean>()
  const timer = clock.after(loadingMsMax, () => late.resolve(false))
  try {
    const isLoaded = await Promise.race([loading.then(() => true), late.promise])
    if (!isLoaded) throw refusal(attributes, 'not yet ready to handle request')
  } finally {
    void timer.close()
  }
}

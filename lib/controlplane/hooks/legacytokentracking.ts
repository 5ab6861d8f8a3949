import type { Registry } from '../../registry/index.ts'
import type { Hook, HookServices } from './hook.ts'
import { type ConfigMapData, keepConfigMap } from './keptconfigmap.ts'

/**
 * Maintains the ConfigMap with the day since which the use of service accounts' secret tokens is recorded (KEP-2799).
 * Without it the stock controller manager never cleans up unused tokens.
 */
export function createLegacyTokenTracking(parts: HookServices & { registry: Registry }): Hook {
  return keepConfigMap(parts, {
    name: 'kube-apiserver-legacy-service-account-token-tracking',
    hook: 'start-legacy-token-tracking-controller',
    refreshMs: 30 * 60_000,
    data: (found) => trackedSince(found, parts.clock.now()),
  })
}

/** A map with a day that is not in the future is unchanged; else tracking begins today (UTC). */
function trackedSince(found: ConfigMapData, nowMs: number): ConfigMapData {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const since = found['since'] ?? ''
  const isDay = /^\d{4}-\d\d-\d\d$/.test(since) && !Number.isNaN(Date.parse(since))
  return isDay && since <= today ? found : { ...found, since: today }
}

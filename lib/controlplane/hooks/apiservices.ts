import type { Aggregation } from '../../aggregation/index.ts'
import type { HealthCheck } from '../../server/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'

/** Changes within this time are written together. */
const gatherMs = 20

/** Maintains an APIService for each group version that this server serves itself. */
export function createApiServiceRegistration(services: HookServices, aggregation: Aggregation): Hook {
  return createHook(services, {
    name: 'kube-apiserver-autoregistration',
    retry: 'before-ready',
    run: (signal) => aggregation.register(signal),
    follow: (again) => aggregation.onChange(again),
    gatherMs,
  })
}

/** Discovery of a server that just started must not miss groups. */
export function autoregisterCheck(aggregation: Aggregation): HealthCheck {
  let isComplete = false
  return {
    name: 'autoregister-completion',
    ofStart: true,
    check() {
      const missing = isComplete ? [] : aggregation.missing()
      if (missing.length > 0) throw new Error(`missing APIService: [${missing.join(' ')}]`)
      isComplete = true
    },
  }
}

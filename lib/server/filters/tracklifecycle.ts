import { statusErrors } from '../../object/index.ts'
import type { ServerFilter } from '../chain.ts'
import { sendText } from '../failure.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { ServerOptions } from '../options.ts'

const probes = ['/healthz', '/livez', '/readyz', '/metrics']

/** Counts calls, so that a stop can wait for them. While the server drains, only probes are served. */
export function trackLifecycle(lifecycle: Lifecycle, { shutdownSendRetryAfter }: ServerOptions): ServerFilter {
  return (call, next) => {
    if (lifecycle.draining) {
      call.responder.retire()
      if (!isProbe(call.path)) {
        if (!shutdownSendRetryAfter) throw statusErrors.unavailable('apiserver is shutting down', 1)
        call.responseHeaders.push('retry-after', '5')
        return sendText(call, 429, 'The apiserver is shutting down, please try again later.\n')
      }
    }
    lifecycle.enter(call)
    return next(call)
  }
}

function isProbe(path: string): boolean {
  return probes.some((probe) => path === probe || path.startsWith(`${probe}/`))
}

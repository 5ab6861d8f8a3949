import { type Clock, networkErrorText } from '../base/index.ts'
import { type Backend, forward, forwardedHeaders, sendText, userHeaders } from '../proxy/index.ts'
import type { Call } from '../request/index.ts'

interface PassOptions {
  readonly clock: Clock
  readonly rejectsRedirects: boolean
  isUserHeader(name: string): boolean
}

const discoveryTimeoutMs = 5_000

/** Forwards a call to the server of an APIService, for the user who was authenticated here. */
export function passToBackend(
  call: Call,
  backend: Backend,
  { clock, rejectsRedirects, isUserHeader }: PassOptions,
): Promise<void> {
  return forward(call, backend, {
    clock,
    rejectsRedirects,
    headers: { ...forwardedHeaders(call, isUserHeader), ...userHeaders(call.user), 'audit-id': call.auditId ?? '' },
    timeoutMs: call.info.isResource ? undefined : discoveryTimeoutMs,
    failed: (failed, failure, error) =>
      sendText(
        failed,
        503,
        failure === 'transport' ? `error trying to reach service: ${networkErrorText(error)}` : 'service unavailable',
      ),
  })
}

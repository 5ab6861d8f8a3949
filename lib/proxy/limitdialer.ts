import type { LookupFunction } from 'node:net'
import type { Clock } from '../base/index.ts'
import { hostPort } from '../client/index.ts'
import type { Dialer } from '../egress/index.ts'

/**
 * Bounds the time until a connection through a proxy is open. With `lookup`, names are resolved here, and the proxy
 * gets the checked address: it might resolve the name to another one.
 */
export function limitDialer(
  dialer: Dialer,
  {
    clock,
    timeoutMs,
    lookup,
  }: { readonly clock: Clock; readonly timeoutMs: number; readonly lookup?: LookupFunction | undefined },
): Dialer {
  return async (target, signal) => {
    const late = new AbortController()
    const timer = clock.after(timeoutMs, () => late.abort(new Error(`dial tcp ${hostPort(target)}: i/o timeout`)))
    try {
      const host = lookup ? await resolve(lookup, target.host) : target.host
      return await dialer({ ...target, host }, AbortSignal.any([signal, late.signal]))
    } finally {
      void timer.close()
    }
  }
}

function resolve(lookup: LookupFunction, host: string): Promise<string> {
  return new Promise((done, failed) =>
    lookup(host, { all: false }, (error, address) => (error ? failed(error) : done(String(address)))),
  )
}

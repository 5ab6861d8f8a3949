import { resources } from '../../../api/gen/resources.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'

const pollMs = 500

/**
 * Resolves with the identity of another process once that one has renewed the lease: it lives. One that only holds the
 * lease may be dead. Never resolves otherwise; rejects when `signal` aborts.
 */
export async function rivalOf(
  { clock, client }: { readonly clock: Clock; readonly client: Client },
  lease: { readonly namespace: string; readonly name: string },
  identity: string,
  signal: AbortSignal,
): Promise<string> {
  const leases = client.resource(resources.coordination.v1.leases)
  let seen: { readonly holder: string; readonly renewTime: string | undefined } | undefined
  for (;;) {
    // The lease may not exist yet; a server that can't answer is asked again.
    const found = await leases.get(lease, { signal }).catch(() => undefined)
    const { holderIdentity: holder = '', renewTime } = found?.spec ?? {}
    if (holder !== '' && holder !== identity) {
      if (seen?.holder === holder && seen.renewTime !== renewTime) return holder
      seen = { holder, renewTime }
    } else seen = undefined
    await clock.sleep(pollMs, signal)
  }
}

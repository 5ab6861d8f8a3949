import type { Duplex } from 'node:stream'
import type { EgressSelection } from '../../api/gen/apiserver.k8s.io/v1beta1.ts'

export interface DialTarget {
  /** A name is resolved by the proxy. */
  readonly host: string
  readonly port: number
}

/**
 * Opens a connection to a server through a proxy. Rejects with an Error for a proxy that can't be reached, and with the
 * proxy's own words where it refuses; with the signal's reason when it aborts. The signal does not concern the open
 * connection, which its owner destroys.
 */
export type Dialer = (target: DialTarget, signal: AbortSignal) => Promise<Duplex>

/** The networks that connections may be meant for. */
export const egressNames = ['cluster', 'controlplane', 'etcd'] as const

/** The networks behind a proxy; the absent ones are connected to directly. */
export interface Egress extends Readonly<Partial<Record<(typeof egressNames)[number], Dialer>>> {
  /** The selections that it is made of: plain data, from which another thread makes its own. */
  readonly selections: readonly EgressSelection[]
}

/** All connections are direct. */
export const directEgress: Egress = { selections: [] }

/** One way to a proxy. `connected` is called once the proxy itself is reached. */
export type DialThroughProxy = (target: DialTarget, signal: AbortSignal, connected: () => void) => Promise<Duplex>

export function addressOf({ host, port }: DialTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

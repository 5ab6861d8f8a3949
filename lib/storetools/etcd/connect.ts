import type { Clock } from '../../base/index.ts'
import { createEtcdOperator, type EtcdOperator } from '../../storage/index.ts'
import { reasonOf, StoreToolError } from '../contract.ts'

export interface EtcdAddress {
  readonly endpoints: readonly string[]
  /** PEM content. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

/** Calls to an etcd cluster. Rejections are StoreToolErrors, whose cause is the store's error. */
export interface EtcdConnection {
  readonly endpoints: readonly string[]
  call<Reply>(work: (cluster: EtcdOperator) => Promise<Reply>): Promise<Reply>
  /** The same for work on a single endpoint. */
  callAt<Reply>(endpoint: string, work: (cluster: EtcdOperator) => Promise<Reply>): Promise<Reply>
  /** The parts of one member's database. */
  snapshot(): AsyncIterable<Uint8Array>
  close(): void
}

/** Connects when first used. Throws StoreToolError for an invalid endpoint. */
export function connectEtcd(clock: Clock, { endpoints, tls }: EtcdAddress): EtcdConnection {
  const isSecure = Object.keys(tls).length > 0
  const cluster = openCluster(clock, endpoints, isSecure ? tls : undefined)
  const run = async <Reply>(
    endpoints: readonly string[],
    work: (cluster: EtcdOperator) => Promise<Reply>,
  ): Promise<Reply> => {
    try {
      return await work(cluster)
    } catch (error) {
      throw failed(endpoints, error)
    }
  }
  return {
    endpoints: cluster.endpoints,
    call: (work) => run(cluster.endpoints, work),
    callAt: (endpoint, work) => run([endpoint], work),
    async *snapshot() {
      try {
        yield* cluster.snapshot()
      } catch (error) {
        throw failed(cluster.endpoints, error)
      }
    },
    close: () => cluster.close(),
  }
}

function openCluster(clock: Clock, endpoints: readonly string[], tls: EtcdAddress['tls'] | undefined): EtcdOperator {
  try {
    return createEtcdOperator(clock, { endpoints, tls })
  } catch (error) {
    throw new StoreToolError(reasonOf(error).replace(/^etcd: /, ''), { cause: error })
  }
}

function failed(endpoints: readonly string[], cause: unknown): StoreToolError {
  if (cause instanceof StoreToolError) return cause
  const reason = reasonOf(cause)
    .replace(/^etcd: /, '')
    .replaceAll('\n', ' ')
  return new StoreToolError(`etcd at ${endpoints.join(', ')}: ${reason}`, { cause })
}

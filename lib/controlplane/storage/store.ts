import type { Clock, Closable, Logger, Metrics, Random, Tracer } from '../../base/index.ts'
import type { Egress } from '../../egress/index.ts'
import { formatDuration } from '../../object/index.ts'
import {
  createCompactor,
  createEmbeddedStore,
  createEtcdStore,
  createMemoryStore,
  type DescribeKey,
  type MemoryStore,
  type Store,
  type StoreError,
  unfinishedKey,
} from '../../storage/index.ts'
import type { ApiserverConfig, StoreConfig } from '../config.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import { withTimeout } from '../process/withtimeout.ts'

export interface StoreServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracer?: Tracer | undefined
  readonly egress: Egress
  /** A store's data is damaged; called once a store. */
  onDamage?(error: StoreError): void
}

interface OpenStore {
  readonly store: Store
  /** The store's name in messages: `etcd at https://…`, `the embedded store in …`. */
  readonly description: string
  /** The same store, where it can be brought back to an earlier content. */
  readonly memory?: MemoryStore
  close(): Promise<void>
}

const noticeMs = 1000

/** Opens a store and waits until it answers. Rejects with StartError when it doesn't in time. */
export async function openStore(
  given: StoreConfig,
  config: Pick<ApiserverConfig, 'compactionIntervalMs' | 'storageStartTimeoutMs' | 'storagePrefix'>,
  services: StoreServices,
  describeKey?: DescribeKey,
): Promise<OpenStore> {
  const own = { ...services, log: services.log.named('storage') }
  const opened = await create(given, config, own, describeKey)
  const { clock, log } = services
  const timeoutMs = config.storageStartTimeoutMs
  const notice = clock.after(noticeMs, () => log.warn(`waiting for ${opened.description}`))
  try {
    await withTimeout(
      clock,
      timeoutMs,
      (signal) => opened.store.currentRevision({ signal }),
      (error, isOver) => unreachable(opened.description, isOver ? noAnswerWithin(timeoutMs) : reasonOf(error), error),
    )
    if (given.backend === 'etcd3') await refuseUnfinished(opened)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  } finally {
    await notice.close()
  }
}

/**
 * A partial copy would be taken for all objects: controllers would delete those that seem to have lost their owners.
 */
async function refuseUnfinished({ store, description }: OpenStore): Promise<void> {
  // If only the server's own prefix may be read, the mark is not visible.
  const mark = await store.get(unfinishedKey).catch(() => undefined)
  if (mark?.value)
    throw new StartError(`${description} is not whole: a restore or a migration into it is under way, or was cut short`)
}

function unreachable(description: string, reason: string, cause: unknown): StartError {
  return new StartError(`${description} can't be reached: ${reason}`, { cause })
}

export function noAnswerWithin(timeoutMs: number): string {
  return `no answer within ${formatDuration(BigInt(Math.round(timeoutMs)) * 1_000_000n)}`
}

async function create(
  given: StoreConfig,
  { compactionIntervalMs, storagePrefix }: Pick<ApiserverConfig, 'compactionIntervalMs' | 'storagePrefix'>,
  services: StoreServices,
  describeKey: DescribeKey | undefined,
): Promise<OpenStore> {
  if (given.backend === 'memory') {
    const store = createMemoryStore(services, { compactionIntervalMs })
    return { store, memory: store, description: 'the store in memory', close: () => store.close() }
  }
  if (given.backend === 'embedded') {
    const { directory, encryptionKeys } = given
    const description = `the ${encryptionKeys ? 'encrypted ' : ''}embedded store in ${directory}`
    try {
      const store = await createEmbeddedStore(services, { directory, encryptionKeys, compactionIntervalMs })
      return { store, description, close: () => store.close() }
    } catch (error) {
      throw new StartError(`${description} can't be used: ${reasonOf(error)}`, { cause: error })
    }
  }
  const { endpoints, tls, leaseReuseSeconds } = given
  const store = createEtcdStore(services, {
    endpoints,
    leaseReuseSeconds,
    // Within the prefix: etcd may allow this server no other keys.
    fencePrefix: `${storagePrefix}/fences/`,
    tls,
    dialer: services.egress.etcd,
    describeKey,
  })
  const compactor: Closable | undefined =
    compactionIntervalMs > 0 ? createCompactor(store, services, { intervalMs: compactionIntervalMs }) : undefined
  return {
    store,
    description: `etcd at ${endpoints.join(', ')}`,
    async close() {
      await compactor?.close()
      await store.close()
    },
  }
}

import type { Clock, Closable, Logger, Metrics, Random, Tracer } from '../../base/index.ts'
import type { Egress } from '../../egress/index.ts'
import { formatDuration } from '../../object/index.ts'
import {
  createCompactor,
  createEmbeddedStore,
  createEtcdStore,
  createMemoryStore,
  type DescribeKey,
  type EtcdStore,
  type MemoryStore,
  type Mirror,
  openMirror,
  type Sealing,
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
  /** The file that the store is read from at the start. */
  readonly mirror?: Mirror
  close(): Promise<void>
}

type StoreSettings = Pick<
  ApiserverConfig,
  'compactionIntervalMs' | 'storageStartTimeoutMs' | 'storagePrefix' | 'mirrors' | 'version'
>

/** The mirror of a store: its file's name, and how its values are encrypted. */
interface MirroredBy {
  readonly name: string
  readonly sealing?: Sealing | undefined
}

const noticeMs = 1000

/** Opens a store and waits until it answers. Rejects with StartError when it doesn't in time. */
export async function openStore(
  given: StoreConfig,
  config: StoreSettings,
  services: StoreServices,
  describeKey?: DescribeKey,
  mirrored?: MirroredBy,
): Promise<OpenStore> {
  const own = { ...services, log: services.log.named('storage') }
  const opened = await create(given, config, own, describeKey, mirrored)
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
  config: StoreSettings,
  services: StoreServices,
  describeKey: DescribeKey | undefined,
  mirrored: MirroredBy | undefined,
): Promise<OpenStore> {
  const { compactionIntervalMs, storagePrefix } = config
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
    fencePrefix: fencesOf(storagePrefix),
    tls,
    dialer: services.egress.etcd,
    describeKey,
  })
  const mirror = mirrored && (await openMirrorOf(store, mirrored, config, services))
  const compactor: Closable | undefined =
    compactionIntervalMs > 0 ? createCompactor(store, services, { intervalMs: compactionIntervalMs }) : undefined
  return {
    store: mirror?.store ?? store,
    description: `etcd at ${endpoints.join(', ')}`,
    ...(mirror && { mirror }),
    async close() {
      await mirror?.close()
      await compactor?.close()
      await store.close()
    },
  }
}

async function openMirrorOf(
  store: EtcdStore,
  { name, sealing }: MirroredBy,
  { mirrors, storagePrefix, version }: StoreSettings,
  { clock, random, log }: StoreServices,
): Promise<Mirror | undefined> {
  if (!mirrors) return undefined
  const { directory, writes = true } = mirrors
  const [prefix, fencePrefix] = [`${storagePrefix}/`, fencesOf(storagePrefix)]
  try {
    return await openMirror(
      store,
      { clock, random, log, sealing },
      { directory, name, program: version.gitVersion, prefix, fencePrefix, writes },
    )
  } catch (error) {
    await store.close()
    throw new StartError(`--watch-cache-directory can't be used: ${reasonOf(error)}`, { cause: error })
  }
}

/** Within the prefix: etcd may allow this server no other keys. */
function fencesOf(storagePrefix: string): string {
  return `${storagePrefix}/fences/`
}

import type { Clock, Logger, Metrics } from '../../base/index.ts'
import { createFeed } from '../../cache/index.ts'
import { formatGroupResource, type GroupResource } from '../../object/index.ts'
import type { Backing } from '../../registry/index.ts'
import type { HealthCheck } from '../../server/index.ts'
import {
  createEncryptedStore,
  createSealing,
  type DescribeKey,
  type MemoryStore,
  type TransformerOf,
} from '../../storage/index.ts'
import type { ApiserverConfig, StoreConfig } from '../config.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import { withTimeout } from '../process/withtimeout.ts'
import { keepMirror } from './mirrorkeeper.ts'
import { noAnswerWithin, openStore, type StoreServices } from './store.ts'
import { createTracedStore } from './tracedstore.ts'

/** The stores with their feeds: the main one, and those of single resources. */
export interface OpenStores {
  readonly main: Backing
  readonly overrides: readonly Backing[]
  /** The store of `main`, where it is in memory. */
  readonly memory: MemoryStore | undefined
  /** Where a resource is stored that isn't in `main`. */
  elsewhere(resource: GroupResource): Backing | undefined
  /** The first load of all caches. Rejects with StartError. */
  load(): Promise<void>
  /** All caches are loaded. */
  readonly loaded: Promise<void>
  close(): Promise<void>
}

/**
 * Rejects with StartError when one of them doesn't answer in time; then all are closed. Values are encrypted with
 * `transformerOf` if it is given.
 */
export async function openStores(
  config: ApiserverConfig,
  services: StoreServices,
  describeKey: DescribeKey,
  transformerOf?: TransformerOf,
): Promise<OpenStores> {
  const opened = new AsyncDisposableStack()
  const sealing = transformerOf && createSealing(describeKey, transformerOf)
  const open = async (given: StoreConfig, name: string): Promise<Opened> => {
    const mirrored = { name, sealing }
    const { store: untraced, memory, mirror, close } = await openStore(given, config, services, describeKey, mirrored)
    opened.defer(close)
    const { clock, random, log, metrics, tracer } = services
    const plain = tracer ? createTracedStore(untraced, tracer, describeKey) : untraced
    const store = transformerOf ? createEncryptedStore(plain, { clock, metrics, describeKey, transformerOf }) : plain
    const feed = createFeed(
      { store, clock, random, log: log.named('cache'), metrics, tracer, warmStart: mirror },
      { ...config.caching, prefix: `${config.storagePrefix}/` },
    )
    opened.defer(() => feed.close())
    if (mirror) {
      const kept = keepMirror({ clock, random, log }, feed, mirror, config.mirrors?.writes ?? true)
      opened.defer(() => kept.close())
    }
    return { store, feed, memory }
  }
  try {
    const main = await open(config.store, 'main')
    const overrides = []
    for (const [index, { resources, store }] of (config.storeOverrides ?? []).entries())
      overrides.push({ resources, backing: await open(store, `override-${index}`), used: new Set<GroupResource>() })
    return createStores(main, overrides, config, services, () => opened.disposeAsync())
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

type Opened = Backing & { readonly memory: MemoryStore | undefined }

interface Override {
  readonly resources: readonly GroupResource[]
  readonly backing: Backing
  /** The members of `resources` that exist. */
  readonly used: Set<GroupResource>
}

function createStores(
  main: Opened,
  overrides: readonly Override[],
  config: ApiserverConfig,
  { clock, log }: { clock: Clock; log: Logger; metrics: Metrics },
  close: () => Promise<void>,
): OpenStores {
  const backings = [main, ...overrides.map(({ backing }) => backing)]
  const loaded = Promise.withResolvers<void>()
  return {
    main,
    memory: main.memory,
    loaded: loaded.promise,
    overrides: backings.slice(1),
    elsewhere(resource) {
      // As elsewhere: a rule for the resource comes before one for its group.
      for (const name of [resource.resource, '*'])
        for (const { resources, backing, used } of overrides) {
          const found = resources.find((one) => one.group === resource.group && one.resource === name)
          if (!found) continue
          used.add(found)
          return backing
        }
      return undefined
    },
    async load() {
      for (const { resources, used } of overrides)
        for (const resource of resources)
          if (!used.has(resource))
            log.warn('--etcd-servers-overrides: no such resource is kept', { resource: formatGroupResource(resource) })
      await Promise.all(backings.map((backing) => load(backing, config, clock)))
      loaded.resolve()
    },
    close,
  }
}

async function load({ feed }: Backing, { storageStartTimeoutMs }: ApiserverConfig, clock: Clock): Promise<void> {
  await withTimeout(
    clock,
    storageStartTimeoutMs,
    (signal) => feed.start(signal),
    (cause, isOver) => {
      const reason = isOver ? noAnswerWithin(storageStartTimeoutMs) : reasonOf(cause)
      return new StartError(`what is stored can't be read: ${reason}`, { cause })
    },
  )
}

/** Every page checks the stores, within its own timeout; checks for readiness alone are separate. */
export function healthChecks({ main, overrides }: OpenStores, log: Logger, config: ApiserverConfig): HealthCheck[] {
  const { storageLivenessTimeoutMs, storageReadinessTimeoutMs } = config
  const ask = ({ store }: Backing, timeoutMs: number) => ({ check: (): Promise<void> => store.ping({ timeoutMs }) })
  return [
    { name: 'log', check: () => log.verbose(10, 'health: the log takes lines') },
    { name: 'etcd', ...ask(main, storageLivenessTimeoutMs) },
    { name: 'etcd-readiness', pages: ['readyz'], ...ask(main, storageReadinessTimeoutMs) },
    ...overrides.flatMap((override, index): HealthCheck[] => [
      { name: `etcd-override-${index}`, excludedWith: 'etcd', ...ask(override, storageLivenessTimeoutMs) },
      {
        name: `etcd-override-readiness-${index}`,
        excludedWith: 'etcd-readiness',
        pages: ['readyz'],
        ...ask(override, storageReadinessTimeoutMs),
      },
    ]),
    {
      name: 'informer-sync',
      pages: ['readyz'],
      check() {
        if (![main, ...overrides].every(({ feed }) => feed.ready)) throw new Error('the caches are loading')
      },
    },
  ]
}

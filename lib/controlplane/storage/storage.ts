import { tables } from '../../../api/index.ts'
import { createDefinitionKind } from '../../crd/index.ts'
import { defaultEmulation } from '../../features/index.ts'
import {
  builtInKinds,
  createDeclarativeCheck,
  createKindSet,
  type KindDefinition,
  type KindSet,
} from '../../kinds/index.ts'
import type { GroupResource } from '../../object/index.ts'
import { type Backing, createRegistry, type Registry } from '../../registry/index.ts'
import { createScheme, type Scheme } from '../../scheme/index.ts'
import { groupOrder } from '../api/order.ts'
import type { ApiserverConfig } from '../config.ts'
import { openStoredEncryption, type StoredEncryption } from './encryption.ts'
import { createKeyDescriber, recordStorage } from './storagemetrics.ts'
import type { StoreServices } from './store.ts'
import { type OpenStores, openStores } from './stores.ts'

/** Every group, version and kind as data, and their objects: the stores, their caches, and the writes on top. */
export interface Storage {
  readonly kinds: KindSet
  readonly scheme: Scheme
  readonly stores: OpenStores
  readonly registry: Registry
  readonly encryption: StoredEncryption | undefined
  /** True when a feature gate is on. */
  gate(name: string): boolean
}

/** Resolves when the caches are loaded. Registers everything that it opens with `opened`. Rejects with StartError. */
export async function openStorage(
  config: ApiserverConfig,
  services: StoreServices,
  opened: AsyncDisposableStack,
): Promise<Storage> {
  const gate = (name: string): boolean => config.gates.gate(name)
  const { kinds, scheme } = composeTypes(config, gate)
  const encryption = await openStoredEncryption(config, services)
  opened.defer(() => encryption?.close())
  const describeKey = createKeyDescriber(scheme, config.storagePrefix)
  const stores = await openStores(config, services, describeKey, encryption?.transformerOf)
  opened.defer(() => stores.close())
  const backings = { ...stores.main, elsewhere: (resource: GroupResource) => stores.elsewhere(resource) }
  const registry = composeRegistry(config, services, { kinds, scheme, gate }, backings)
  await stores.load()
  const sizes = recordStorage(services, stores, registry, { sizePeriodMs: config.storageSizePeriodMs })
  opened.defer(() => sizes.close())
  return { kinds, scheme, stores, registry, encryption, gate }
}

/** All built-in kinds with their behaviour, and the encoding of their objects. */
export function composeTypes(
  { storageMediaType, storageVersions }: Pick<ApiserverConfig, 'storageMediaType' | 'storageVersions'>,
  gate: (name: string) => boolean,
): { readonly kinds: KindSet; readonly scheme: Scheme } {
  const kinds = createKindSet(builtInKinds.map((kind) => (isDefinitions(kind) ? createDefinitionKind(kind) : kind)))
  const scheme = createScheme({
    tables,
    order: groupOrder,
    kinds: (group, kind) => kinds.get(group, kind),
    storageMediaType,
    storageVersions,
    gate,
  })
  return { kinds, scheme }
}

/** The room that serves custom resources checks the schemas of definitions. */
function isDefinitions({ group, kind }: KindDefinition): boolean {
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition'
}

type RegistrySettings = Pick<
  ApiserverConfig,
  | 'allowPrivileged'
  | 'deleteCollectionWorkers'
  | 'emulation'
  | 'eventTtlSeconds'
  | 'garbageCollection'
  | 'storagePrefix'
>

/** The registries of all stored resources. `backings`: where they are stored. */
export function composeRegistry(
  config: RegistrySettings,
  services: Pick<StoreServices, 'clock' | 'random' | 'log' | 'metrics'>,
  { kinds, scheme, gate }: Pick<Storage, 'kinds' | 'scheme' | 'gate'>,
  backings: Backing & { elsewhere?(resource: GroupResource): Backing | undefined },
): Registry {
  const { clock, random } = services
  const declarative = createDeclarativeCheck(gate, services)
  return createRegistry(
    { ...backings, scheme, kinds, clock, random, gate, declarative },
    {
      prefix: config.storagePrefix,
      eventTtlSeconds: config.eventTtlSeconds,
      deleteCollectionWorkers: config.deleteCollectionWorkers,
      garbageCollection: config.garbageCollection ?? true,
      settings: {
        allowPrivileged: config.allowPrivileged,
        newExpressionsMinor: (config.emulation ?? defaultEmulation).minCompatibility.minor,
      },
    },
  )
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { tables } from '../../../api/index.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createConfigCodec, groupOrder, reasonOf, StartError } from '../../../lib/controlplane/index.ts'
import { createFeatureGates } from '../../../lib/features/index.ts'
import { FlagError } from '../../../lib/flags/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import {
  type Damage,
  type DataEncryptionKeys,
  openEncryption,
  parseEncryptionConfiguration,
} from '../../../lib/storage/index.ts'
import {
  createEmbeddedTarget,
  createEtcdTarget,
  type EmbeddedStoreReader,
  type EtcdAddress,
  type EtcdReader,
  openEmbeddedStoreReader,
  openEtcdReader,
  openStoredObjects,
  type SnapshotEncryption,
  type StoredObjects,
  type StoreReader,
  type StoreTarget,
} from '../../../lib/storetools/index.ts'
import { dataEncryptionKeys } from '../../apiserver/flagfiles.ts'
import { say } from './output.ts'

export const dependencies = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics }

export interface StoreFlagValues {
  readonly 'etcd-servers': readonly string[]
  readonly 'etcd-cafile': string
  readonly 'etcd-certfile': string
  readonly 'etcd-keyfile': string
  readonly 'etcd-prefix': string
  readonly 'data-dir': string
  readonly 'data-encryption-key-file': string
}

/** Opens the store that the flags name, for reading. */
export async function openReader(values: StoreFlagValues): Promise<EtcdReader | EmbeddedStoreReader> {
  if (isEtcd(values)) return await openEtcdReader(dependencies, await etcdAddress(values, values['etcd-servers']))
  return await openEmbeddedStoreReader(systemClock, storeFolder(values['data-dir']), await encryptionKeys(values))
}

/** Opens the store that the flags name as a target. `purpose` marks a target whose command didn't finish. */
export async function openTarget(values: StoreFlagValues, purpose: string): Promise<StoreTarget> {
  if (!isEtcd(values))
    return createEmbeddedTarget(
      dependencies,
      storeFolder(values['data-dir']),
      (path) => say(`${path} was left by an attempt that was cut short, and is removed`),
      await encryptionKeys(values),
    )
  const reader = await openEtcdReader(dependencies, await etcdAddress(values, values['etcd-servers']))
  return createEtcdTarget(reader, { purpose })
}

/** The keys of an encrypted folder, or of snapshots. */
export async function encryptionKeys(
  values: Pick<StoreFlagValues, 'data-encryption-key-file'>,
): Promise<DataEncryptionKeys | undefined> {
  return await dataEncryptionKeys(values['data-encryption-key-file'])
}

/** With keys, snapshots are encrypted. */
export async function snapshotEncryption(
  values: Pick<StoreFlagValues, 'data-encryption-key-file'>,
): Promise<SnapshotEncryption | undefined> {
  const keys = await encryptionKeys(values)
  return keys && { keys, random: systemRandom }
}

/** Throws FlagError unless the flags name one store. */
export function isEtcd(values: StoreFlagValues): boolean {
  const hasServers = values['etcd-servers'].length > 0
  if (hasServers === (values['data-dir'] !== ''))
    throw new FlagError(`name the store by ${hasServers ? 'either ' : ''}--etcd-servers or --data-dir`)
  return hasServers
}

export async function etcdAddress(values: StoreFlagValues, endpoints: readonly string[]): Promise<EtcdAddress> {
  const read = async (flag: 'etcd-cafile' | 'etcd-certfile' | 'etcd-keyfile'): Promise<string | undefined> =>
    values[flag] === '' ? undefined : await readText(`--${flag}`, values[flag])
  const [ca, cert, key] = [await read('etcd-cafile'), await read('etcd-certfile'), await read('etcd-keyfile')]
  if ((cert === undefined) !== (key === undefined))
    throw new FlagError('--etcd-certfile and --etcd-keyfile go together')
  return { endpoints, tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } }
}

/** The store's folder within a folder of `pilothouse up`, or the folder itself if it is a store's. */
export function storeFolder(dataDir: string): string {
  const folder = resolve(dataDir)
  return existsSync(join(folder, 'data.mdb')) ? folder : join(folder, 'store')
}

/** Prefix of all keys, as the API server's flag. */
export function prefixOf(values: StoreFlagValues): string {
  const prefix = values['etcd-prefix'].replace(/\/+$/, '')
  return prefix === '' || prefix.startsWith('/') ? prefix : `/${prefix}`
}

/** Decodes keys and values as objects during `work`. */
export async function withObjects<Result>(
  reader: StoreReader,
  values: StoreFlagValues & { readonly 'encryption-provider-config': string },
  work: (objects: StoredObjects) => Promise<Result>,
  onDamage?: (damage: Damage) => void,
): Promise<Result> {
  const { gate } = createFeatureGates()
  const scheme = createScheme({ tables, order: groupOrder, kinds: createKindSet(builtInKinds).get, gate })
  const file = values['encryption-provider-config']
  const encryption = file === '' ? undefined : await encryptionOf(file)
  try {
    const transformerOf = encryption?.transformerOf
    return await work(
      await openStoredObjects(reader, { scheme, transformerOf }, { prefix: prefixOf(values), onDamage }),
    )
  } finally {
    encryption?.close()
  }
}

async function encryptionOf(file: string): ReturnType<typeof openEncryption> {
  const text = await readText('--encryption-provider-config', file)
  try {
    const rules = parseEncryptionConfiguration({ text, file }, createConfigCodec(), { reload: false })
    return await openEncryption({ ...dependencies, serverIdHash: '' }, rules)
  } catch (error) {
    throw new StartError(`--encryption-provider-config: ${reasonOf(error)}`, { cause: error })
  }
}

async function readText(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new StartError(`${flag}: ${file} can't be read: ${reasonOf(error)}`, { cause: error })
  }
}

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Revision } from '../../../lib/object/index.ts'
import {
  createEmbeddedStore,
  type DataEncryptionKeys,
  parseDataEncryptionKeys,
  type Store,
} from '../../../lib/storage/index.ts'
import {
  createEmbeddedTarget,
  createEtcdTarget,
  openEmbeddedStoreReader,
  openEtcdReader,
  type StoreReader,
  type StoreTarget,
} from '../../../lib/storetools/index.ts'
import { startEtcd } from '../../support/etcd.ts'
import { dependencies, hasEtcd, openEtcd } from '../storage/kit.ts'

export { hasEtcd }

/** A store of one test: what a server uses, and what reads and fills it beside. */
export interface TestStore {
  /** Throws where it was started empty, until `reopen`. */
  readonly store: Store
  /** The flags that name it. */
  readonly flags: readonly string[]
  openReader(): Promise<StoreReader>
  openTarget(): Promise<StoreTarget>
  /** The store of a target that was filled. */
  reopen(): Promise<Store>
  stop(): Promise<void>
}

interface StartOptions {
  /** It is to be filled as a target: no store has been there. */
  readonly empty?: boolean
}

type Start = (options?: StartOptions) => Promise<TestStore>

export const kinds: Readonly<Record<string, Start>> = {
  embedded: (options) => startEmbedded(options),
  encrypted: startEncrypted,
  ...(hasEtcd ? { etcd: startEtcdStore } : {}),
}

export function openEmbedded(
  directory: string,
  encryptionKeys?: DataEncryptionKeys,
): ReturnType<typeof createEmbeddedStore> {
  return createEmbeddedStore(dependencies, { directory, compactionIntervalMs: 0, encryptionKeys })
}

async function startEncrypted(options?: StartOptions): Promise<TestStore> {
  const folder = temporary()
  const file = join(folder, 'keys')
  const text = randomBytes(32).toString('base64')
  writeFileSync(file, text)
  const started = await startEmbedded(options, parseDataEncryptionKeys(text))
  const { openReader, openTarget, reopen } = started
  return {
    get store() {
      return started.store
    },
    flags: [...started.flags, `--data-encryption-key-file=${file}`],
    openReader,
    openTarget,
    reopen,
    async stop() {
      await started.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function startEmbedded({ empty = false }: StartOptions = {}, keys?: DataEncryptionKeys): Promise<TestStore> {
  const dataDir = temporary()
  const folder = join(dataDir, 'store')
  let store = empty ? undefined : await openEmbedded(folder, keys)
  return {
    get store() {
      if (!store) throw new Error('there is no store yet')
      return store
    },
    flags: [`--data-dir=${dataDir}`],
    openReader: () => openEmbeddedStoreReader(dependencies.clock, folder, keys),
    openTarget: async () => createEmbeddedTarget(dependencies, folder, () => undefined, keys),
    async reopen() {
      store = await openEmbedded(folder, keys)
      return store
    },
    async stop() {
      await store?.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startEtcdStore(): Promise<TestStore> {
  const etcd = await startEtcd()
  const store = openEtcd([etcd.url])
  const address = { endpoints: [etcd.url], tls: {} }
  return {
    store,
    flags: [`--etcd-servers=${etcd.url}`],
    openReader: () => openEtcdReader(dependencies, address),
    openTarget: async () => createEtcdTarget(await openEtcdReader(dependencies, address), { purpose: 'a test' }),
    reopen: async () => store,
    async stop() {
      await store.close()
      await etcd.stop()
    },
  }
}

export function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'pilothouse-store-'))
}

/** Writes values as they are, in their order; answers the revisions. */
export async function write(store: Store, values: Readonly<Record<string, string | Uint8Array>>): Promise<Revision[]> {
  const revisions = []
  for (const [key, value] of Object.entries(values)) {
    const result = await store.create(key, typeof value === 'string' ? Buffer.from(value) : value)
    if (!result.ok) throw new Error(`${key} is there already`)
    revisions.push(result.revision)
  }
  return revisions
}

/** The stored JSON of an object. */
export function stored(
  apiVersion: string,
  kind: string,
  metadata: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ apiVersion, kind, metadata, ...more })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Revision } from '../../../lib/object/index.ts'
import { createEmbeddedStore, type Store } from '../../../lib/storage/index.ts'
import { openEmbeddedStoreReader, openEtcdReader, type StoreReader } from '../../../lib/storetools/index.ts'
import { startEtcd } from '../../support/etcd.ts'
import { dependencies, hasEtcd, openEtcd } from '../storage/kit.ts'

/** A store of one test: what a server uses, and what reads it beside. */
export interface TestStore {
  readonly store: Store
  /** The flags that name it. */
  readonly flags: readonly string[]
  openReader(): Promise<StoreReader>
  stop(): Promise<void>
}

export const kinds = { embedded: startEmbedded, ...(hasEtcd ? { etcd: startEtcdStore } : {}) } as const

async function startEmbedded(): Promise<TestStore & { readonly folder: string }> {
  const dataDir = temporary()
  const folder = join(dataDir, 'store')
  const store = await createEmbeddedStore(dependencies, { directory: folder, compactionIntervalMs: 0 })
  return {
    store,
    folder,
    flags: [`--data-dir=${dataDir}`],
    openReader: () => openEmbeddedStoreReader(dependencies.clock, folder),
    async stop() {
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startEtcdStore(): Promise<TestStore & { readonly url: string }> {
  const etcd = await startEtcd()
  const store = openEtcd([etcd.url])
  return {
    store,
    url: etcd.url,
    flags: [`--etcd-servers=${etcd.url}`],
    openReader: () => openEtcdReader(dependencies, { endpoints: [etcd.url], tls: {} }),
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

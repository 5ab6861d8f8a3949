import type { Store } from '../contract.ts'
import type { StoreContent } from '../local/content.ts'
import { LocalStore, type LocalStoreDependencies } from '../local/store.ts'
import { createMemoryTables } from './tables.ts'

interface MemoryStoreOptions {
  /** Default 5 minutes; 0 keeps all history. */
  compactionIntervalMs?: number
}

/** A store that can be brought back to an earlier content. */
export type MemoryStore = Store & {
  content(): Promise<StoreContent>
  restore(content: StoreContent): Promise<void>
}

/** A Store without durability: for tests, and servers that may lose their state. */
export function createMemoryStore(dependencies: LocalStoreDependencies, options: MemoryStoreOptions = {}): MemoryStore {
  const compactionIntervalMs = options.compactionIntervalMs ?? 5 * 60_000
  return new LocalStore('memory', dependencies, createMemoryTables(), { compactionIntervalMs })
}

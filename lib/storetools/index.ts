// storetools: the work of `pilothouse store …`: reading, checking, copying and maintaining a store, etcd's or the
// embedded one, beside the servers that use it. Invariant: a refused command has changed nothing, and reading writes
// nothing. Knows keys, revisions and stored objects; knows no flags, no output, and no running server.
export { type CheckResult, checkStore, type StoreFinding } from './check.ts'
export {
  type StoreChange,
  type StoredEntry,
  type StoreReader,
  StoreToolError,
} from './contract.ts'
export { compactFolder, defragmentFolder } from './embedded/maintain.ts'
export { type EmbeddedStoreReader, openEmbeddedStoreReader } from './embedded/reader.ts'
export { createEmbeddedTarget } from './embedded/target.ts'
export type { EtcdAddress } from './etcd/connect.ts'
export { compactEtcd, defragmentEtcd } from './etcd/maintain.ts'
export { listMembers, memberStatuses } from './etcd/members.ts'
export { writeNativeSnapshot } from './etcd/nativesnapshot.ts'
export { type EtcdReader, openEtcdReader } from './etcd/reader.ts'
export { createEtcdTarget } from './etcd/target.ts'
export { type MigrateOptions, migrateStore } from './migrate.ts'
export {
  encryptionOf,
  isSecret,
  openStoredObjects,
  type StoredObjects,
  wholeKey,
} from './objects.ts'
export { redactSecret } from './redact.ts'
export { restoreSnapshot } from './restore.ts'
export { openSnapshot } from './snapshot/read.ts'
export { type SnapshotEncryption, writeSnapshot } from './snapshot/write.ts'
export type { StoreTarget } from './target.ts'

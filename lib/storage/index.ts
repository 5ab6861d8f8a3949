// storage: the contract of a revisioned key-value store and its implementations (etcd, embedded, memory). Values are
// opaque bytes. Invariant: an answered write is durable, and a watch neither skips, repeats nor reorders events.
export {
  prefixEnd,
  type RangeOptions,
  type RangeResult,
  type Store,
  type StoredValue,
  StoreError,
  type StoreErrorCode,
  type StoreEvent,
  type StoreMember,
  type StoreWatch,
  type StoreWatchOptions,
  type StoreWatchSink,
  type StoreWriteOptions,
  type UnreadableValue,
  type WriteResult,
} from './contract.ts'
export {
  createFileDataKey,
  type DataEncryptionKeys,
  openDataKey,
  parseDataEncryptionKeys,
} from './dataencryption/keys.ts'
export {
  createRecordCipher,
  createRecordDecrypter,
} from './dataencryption/recordcipher.ts'
export { defragmentEmbeddedStore } from './embedded/defragment.ts'
export { type EmbeddedReader, type EmbeddedSnapshot, openEmbeddedReader } from './embedded/reader.ts'
export { removeEmbeddedStore } from './embedded/remove.ts'
export { createEmbeddedStore, type EmbeddedStore } from './embedded/store.ts'
export type { Damage, EmbeddedEntry } from './embedded/survey.ts'
export { parseEncryptionConfiguration } from './encryption/configuration.ts'
export { createEncryptedStore } from './encryption/encryptedstore.ts'
export { type Encryption, openEncryption } from './encryption/encryption.ts'
export { encryptedProblem } from './encryption/identity.ts'
export { createSealing, type Sealing } from './encryption/sealing.ts'
export { createTransformers, type TransformerOf } from './encryption/transformers.ts'
export { createCompactor } from './etcd/compactor.ts'
export { addressOf as etcdAddressOf } from './etcd/endpoint.ts'
export { createEtcdOperator, type EtcdOperator } from './etcd/operator.ts'
export type { RawRange, RawRangeReply, RawValue } from './etcd/operatormessages.ts'
export { EtcdMessageReader, EtcdMessageWriter, fieldSize } from './etcd/protobuf.ts'
export type { DescribeKey } from './etcd/recorder.ts'
export { createEtcdStore, type EtcdStore, type EtcdStoreOptions } from './etcd/store.ts'
export type { StoreContent } from './local/content.ts'
export { createMemoryStore, type MemoryStore } from './memory/store.ts'
export { type Mirror, openMirror } from './mirror/mirror.ts'
export type { StoredColumn, StoredTable, TableState } from './storedtable.ts'
export { unfinishedKey } from './unfinished.ts'
export { connectUnixGrpc, GrpcCallError } from './unixgrpc.ts'
export { UnreadableObject, untransformable } from './unreadable.ts'

import type { EtcdStore } from '../etcd/store.ts'

/** A store with other reads of ranges, and another watch. */
export function createMirroredStore(store: EtcdStore, own: Pick<EtcdStore, 'range' | 'watch'>): EtcdStore {
  return {
    name: store.name,
    get: (key, options) => store.get(key, options),
    range: (options) => own.range(options),
    create: (key, value, options) => store.create(key, value, options),
    update: (key, value, expected, options) => store.update(key, value, expected, options),
    delete: (key, expected, options) => store.delete(key, expected, options),
    currentRevision: (options) => store.currentRevision(options),
    watch: (options, sink) => own.watch(options, sink),
    compact: (revision) => store.compact(revision),
    ping: (options) => store.ping(options),
    compactedRevision: () => store.compactedRevision(),
    members: () => store.members(),
    putVersion: (key, version, value) => store.putVersion(key, version, value),
    noteCompacted: (revision) => store.noteCompacted(revision),
    clusterId: () => store.clusterId(),
    close: () => store.close(),
  }
}

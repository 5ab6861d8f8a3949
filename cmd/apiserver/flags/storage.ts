import { bool, commaList, durationMs, float, integer, keyValues, text } from '../../../lib/flags/index.ts'
import { without } from './without.ts'

export const storage = {
  'data-dir': text('', 'Folder of the embedded store.'),
  'data-encryption-key-file': text(
    '',
    'File with the keys that encrypt the embedded store, names of objects included: a line each of 32 bytes in base64. The first one encrypts, every one decrypts.',
  ),
  'default-watch-cache-size': integer(100, 'Former size of watch caches.', {
    deprecated: 'caches size themselves',
    hidden: true,
  }),
  'delete-collection-workers': integer(64, 'Objects deleted at once when a collection is deleted.', { min: 1 }),
  'enable-garbage-collector': bool(
    true,
    'Let deletions request that the garbage collector orphans dependents or deletes them first. As in the controller manager.',
  ),
  'encryption-provider-config': text('', 'File that configures which objects are encrypted in the store, and how.'),
  'encryption-provider-config-automatic-reload': bool(false, 'Read that file again when it changes.'),
  'etcd-cafile': text('', 'Certificate authorities of the etcd servers.'),
  'etcd-certfile': text('', 'Client certificate for etcd.'),
  'etcd-compaction-interval': durationMs('5m0s', 'How often old revisions are dropped from the store; 0s: never.'),
  'etcd-count-metric-poll-period': durationMs('1m0s', 'How often stored objects are counted for metrics.', {
    ineffective: 'objects are counted at scrape',
  }),
  'etcd-db-metric-poll-interval': durationMs('30s', 'How often the size of the store is read for metrics; 0s: never.'),
  'etcd-healthcheck-timeout': durationMs('2s', 'Time the store has to answer for /livez.'),
  'etcd-keyfile': text('', 'Key of the client certificate for etcd.'),
  'etcd-prefix': text('/registry', 'Prefix of all keys in the store.'),
  'etcd-readycheck-timeout': durationMs('2s', 'Time the store has to answer for /readyz.'),
  'etcd-servers': commaList([], 'etcd servers, as https://host:port, http://host:port, unix://path or unixs://path.'),
  'etcd-servers-overrides': commaList(
    [],
    'Other etcd servers for some resources: group/resource#url;url. The core group is empty, and * means all resources of a group.',
  ),
  'lease-reuse-duration-seconds': integer(60, 'How long a lease is used for further objects with a lifetime.', {
    min: 1,
  }),
  'storage-backend': text(
    '',
    'Store: etcd3, embedded (in --data-dir) or memory (lost when the server stops). Empty: etcd3 with --etcd-servers, else embedded.',
  ),
  'storage-media-type': text(
    'application/vnd.kubernetes.protobuf',
    'Format of stored objects: application/vnd.kubernetes.protobuf, application/json, application/yaml or, with the gate CBORServingAndStorage, application/cbor.',
  ),
  'watch-cache': bool(true, 'Serve reads and watches from memory.', { ineffective: without.watchCache }),
  'watch-cache-directory': text(
    '',
    "Folder for a file of what the watch cache has read from etcd: a start reads it, and only what has changed since from etcd. The file holds objects as etcd does; the folder must be this user's alone. Empty: none.",
  ),
  'watch-cache-encoded-ratio': float(
    1.5,
    'Bytes of encoded objects kept for gets, lists and watches, for each byte stored; 0: a few only. Never more than a quarter of the memory that the machine or container has.',
  ),
  'watch-cache-sizes': commaList([], 'Cache sizes: resource[.group]#size; 0 for none.', {
    ineffective: without.watchCache,
  }),
} as const

export const enablement = {
  'storage-versions': commaList(
    [],
    'Versions to store objects in, one a group, such as resource.k8s.io/v1beta1: for older servers on the same store. ' +
      'Kinds without it keep their own.',
  ),
  'runtime-config': keyValues(
    'What to serve: group/version[/resource]=true or false, api/all, api/ga, api/beta, api/alpha.',
  ),
} as const

const mebibyte = 1024 * 1024

/** Every limit and period of the cache. Milliseconds, bytes and counts as the names end. */
export interface CacheOptions {
  /**
   * Keys of the first page when a resource is loaded. Later ones have as many as fit into the bytes by the values so far,
   * at least that number and at most `Max`. `loadsAtOnceMax`: pages in flight at once.
   */
  readonly loadPageKeys: number
  readonly loadPageKeysMax: number
  readonly loadPageBytes: number
  readonly loadsAtOnceMax: number
  /** The first load begins this many revisions before the store's, so that watches from before the start can resume. */
  readonly resumeRevisions: number
  /** First and longest pause between attempts to load. */
  readonly retryMs: number
  readonly retryMsMax: number
  /** Events kept while one resource loads late; beyond, the load starts again. */
  readonly lateLoadEventsMax: number

  /**
   * Budgets of the whole feed: encoded entries, decoded entries (estimated), encoded event frames. Encoded entries may
   * have this many bytes for each stored byte, at least `Min` and at most `Max`.
   */
  readonly entryBytesPerStored: number
  readonly entryBytesMin: number
  readonly entryBytesMax: number
  readonly objectBytesMax: number
  readonly frameBytesMax: number
  /**
   * Labels and fields that selectors read, and indexes of labels, of the whole feed: as many bytes for each stored byte,
   * at least `Min`. The budget of encoded entries has them less.
   */
  readonly selectedBytesPerStored: number
  readonly selectedBytesMin: number

  /** Indexes of labels of one resource, and after how many lists of one period a key gets one. */
  readonly labelIndexesMax: number
  readonly labelIndexAsksMin: number
  readonly labelIndexPeriodMs: number
  /** A list reads an index that leaves at most this share of the entries: others cost less in order of keys. */
  readonly indexedShareMax: number

  /** Recent events of one resource: at least `Min` are kept, then only fresh ones, at most `Max` or the bytes. */
  readonly historyEventsMin: number
  readonly historyEventsMax: number
  readonly historyFreshMs: number
  readonly historyBytesMax: number

  /** Snapshots of one resource for exact reads: how long and how many are kept, and how often one is taken. */
  readonly snapshotKeepMs: number
  readonly snapshotsMax: number
  readonly snapshotEveryEvents: number
  readonly snapshotEveryMs: number

  /** How long a read waits for a revision. */
  readonly readWaitMs: number
  /** When a waiting read first asks the store for progress, and how often reads ask at most. */
  readonly progressDelayMs: number
  readonly progressPeriodMs: number
  /** How long a `latest` read waits for the stream when the store can't report progress, before it reads the store. */
  readonly noProgressWaitMs: number

  /** How long one slice of work may hold the event loop, and the longest rest after a burst of slices. */
  readonly sliceMs: number
  readonly restMsMax: number
  /** Changes that are routed in one slice, and events that one watcher gets in one batch. */
  readonly batchEventsMax: number
  /**
   * The same in stored bytes of the objects; the last object may exceed it. Limits the memory that a slow client holds.
   */
  readonly batchBytesMax: number
  readonly watchersMax: number
  /** How long a watcher's sink may refuse events. */
  readonly stallMsMax: number
  readonly bookmarkPeriodMs: number
  /** How long before the end of a watch its last bookmark is sent. */
  readonly bookmarkBeforeEndMs: number

  /** Hints whose events have not arrived yet, per resource. */
  readonly writeHintsMax: number
}

export const defaultCacheOptions: CacheOptions = {
  loadPageKeys: 1000,
  loadPageKeysMax: 10_000,
  loadPageBytes: 32 * mebibyte,
  loadsAtOnceMax: 4,
  resumeRevisions: 1000,
  retryMs: 100,
  retryMsMax: 5_000,
  lateLoadEventsMax: 10_000,
  entryBytesPerStored: 1.5,
  entryBytesMin: 48 * mebibyte,
  entryBytesMax: 4096 * mebibyte,
  objectBytesMax: 16 * mebibyte,
  frameBytesMax: 8 * mebibyte,
  selectedBytesPerStored: 0.5,
  selectedBytesMin: 64 * mebibyte,
  labelIndexesMax: 16,
  labelIndexAsksMin: 2,
  labelIndexPeriodMs: 60_000,
  indexedShareMax: 1 / 16,
  historyEventsMin: 128,
  historyEventsMax: 100 * 1024,
  historyFreshMs: 75_000,
  historyBytesMax: 32 * mebibyte,
  snapshotKeepMs: 75_000,
  snapshotsMax: 512,
  snapshotEveryEvents: 256,
  snapshotEveryMs: 5_000,
  readWaitMs: 3_000,
  progressDelayMs: 5,
  progressPeriodMs: 100,
  noProgressWaitMs: 50,
  sliceMs: 5,
  restMsMax: 10,
  batchEventsMax: 256,
  batchBytesMax: mebibyte / 2,
  watchersMax: 100_000,
  stallMsMax: 30_000,
  bookmarkPeriodMs: 60_000,
  bookmarkBeforeEndMs: 2_000,
  writeHintsMax: 1_024,
}

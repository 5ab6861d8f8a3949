import { join } from 'node:path'
import type { Clock, Closable, Logger, Random } from '../../base/index.ts'
import { noRevision, type Revision } from '../../object/index.ts'
import { prefixEnd, type StoredValue, StoreError } from '../contract.ts'
import type { Sealing } from '../encryption/sealing.ts'
import type { EtcdStore } from '../etcd/store.ts'
import type { TableState } from '../storedtable.ts'
import { prepareMirrorFolder, removeUnfinished } from './folder.ts'
import type { MirrorFence } from './footer.ts'
import { MirroredReads, type TableOptions } from './mirroredreads.ts'
import { createMirroredStore } from './mirroredstore.ts'
import { type ReadMirror, readMirror } from './readmirror.ts'
import { StreamHistory } from './streamhistory.ts'
import type { MirrorValue } from './value.ts'
import { type MirrorSource, writeMirror } from './writemirror.ts'

interface MirrorDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Absent: all values are stored as they are. */
  readonly sealing?: Sealing | undefined
}

export interface MirrorOptions {
  readonly directory: string
  /** The file's name. */
  readonly name: string
  /** Mirrors of other versions of the program are not read. */
  readonly program: string
  /** The prefix of all keys, with the closing slash. */
  readonly prefix: string
  /** The prefix of the fences. */
  readonly fencePrefix: string
  /** False: another process writes it. */
  readonly writes: boolean
}

/** The state to be written: every value of each prefix at one revision, in order of keys. */
export interface MirrorState {
  readonly revision: Revision
  readonly resources: readonly MirrorResource[]
}

interface MirrorResource {
  readonly prefix: string
  /** Names of the texts of each value. They are written where the store does not encrypt the values. */
  readonly columns: readonly string[]
  /** Values that are not encrypted, some at a time, after `after` ('': the first ones); none: all have been returned. */
  after(after: string, limit: number): readonly MirrorValue[]
}

/**
 * A file that holds what a store holds, for starts that read the file instead of the store.
 *  A file is of no use by its revision alone: a store that was restored from a backup may have gone on to other writes
 *  under the same revisions. So each file names a fence: a key of random name, which was created in the store after the
 *  state was taken. A store that has this key at its revision has the same history up to there, as a store's history is
 *  one line and a backup is a beginning of it. Deletions of fences, by their time to live, only make starts cold.
 */
export interface Mirror extends Closable {
  /** The store; reads of whole prefixes take values from the file until `release`. */
  readonly store: EtcdStore
  /**
   * Called before all is loaded, with a revision that the store has reached. Resolves with the revision of the file where
   * a load at that revision is answered by it, and a watch from there brings few events.
   */
  beginLoad(current: Revision): Promise<Revision | undefined>
  /**
   * All values of a prefix at a revision, for one reader, from a load's beginning to `release`. Undefined: they are read from
   * `store`. Rejects with StoreError.
   */
  table(prefix: string, options: TableOptions): Promise<TableState | undefined>
  /** Later reads go to the store. */
  release(): void
  /** Newest revision in the file; 0: none is known. */
  readonly savedRevision: Revision
  /** Writes the file. Rejects when it can't be written, or the state can't be shown to be that of the store. */
  save(state: MirrorState): Promise<void>
  close(): Promise<void>
}

/** A load from the file is followed by at most so many events. Beyond, only the keys are read from the store. */
const eventsMax = 10_000
/** A machine that is not started for so long starts cold. */
const fenceSeconds = 7 * 24 * 3600
/** The fence of a load is replaced by that of the first file. */
const loadFenceSeconds = 2 * 24 * 3600
const valuesAtOnce = 256
const keysAtOnce = 10_000

/** Begins to read the file. Rejects with Error for a folder that others may use. */
export async function openMirror(
  store: EtcdStore,
  dependencies: MirrorDependencies,
  options: MirrorOptions,
): Promise<Mirror> {
  await prepareMirrorFolder(options.directory)
  if (options.writes) await removeUnfinished(options.directory, options.name)
  return new FileMirror(store, dependencies, options)
}

class FileMirror implements Mirror {
  readonly store: EtcdStore
  readonly #plain: EtcdStore
  readonly #dependencies: MirrorDependencies
  readonly #options: MirrorOptions
  readonly #reads: MirroredReads
  readonly #history: StreamHistory
  readonly #closing = new AbortController()
  /** The file as it was found; undefined: none that is of use. */
  #found: Promise<ReadMirror | undefined>
  #isFirstLoad = true
  #saving: Promise<void> | undefined
  /** The fence of the file in the folder. */
  #fence: MirrorFence | undefined
  savedRevision: Revision = noRevision

  constructor(store: EtcdStore, dependencies: MirrorDependencies, options: MirrorOptions) {
    this.#plain = store
    this.#dependencies = dependencies
    this.#options = options
    this.#history = new StreamHistory()
    this.#reads = new MirroredReads(store, dependencies.sealing)
    this.#found = this.#read()
    this.store = createMirroredStore(store, {
      range: async (range) => (await this.#reads.range(range)) ?? (await store.range(range)),
      watch: (range, sink) => store.watch(range, this.#history.following(sink)),
    })
  }

  async beginLoad(current: Revision): Promise<Revision | undefined> {
    if (this.#options.writes) this.#history.begin(await this.#fenceOfLoad())
    if (!this.#isFirstLoad) {
      this.release()
      return undefined
    }
    this.#isFirstLoad = false
    const found = await this.#found
    this.#found = Promise.resolve(undefined)
    if (!found || !(await this.#isOfThisHistory(found, current))) return undefined
    const { revision, fence } = found.footer
    this.#reads.use(found)
    this.savedRevision = revision
    this.#fence = fence
    this.#dependencies.log.info('values are read from the mirror', { path: this.#path, revision })
    return current - revision <= eventsMax && (await this.#isReadable(revision)) ? revision : undefined
  }

  table(prefix: string, options: TableOptions): Promise<TableState | undefined> {
    return this.#reads.table(prefix, options)
  }

  release(): void {
    this.#reads.release()
  }

  async save(state: MirrorState): Promise<void> {
    this.#saving ??= this.#save(state).finally(() => (this.#saving = undefined))
    await this.#saving
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the mirror is closed'))
    this.release()
    await Promise.allSettled([this.#saving, this.#found])
  }

  get #path(): string {
    return join(this.#options.directory, this.#options.name)
  }

  /** Never rejects: a file that is of no use makes the start cold. */
  async #read(): Promise<ReadMirror | undefined> {
    const { program } = this.#options
    const { log } = this.#dependencies
    try {
      const found = await readMirror(this.#path, (footer) => footer.program === program)
      log.verbose(2, found ? 'a mirror was read' : 'there is no mirror of this version', { path: this.#path })
      return found
    } catch (error) {
      log.warn('the mirror is of no use: all is read from the store', { path: this.#path, error })
      return undefined
    }
  }

  async #isOfThisHistory({ footer }: ReadMirror, current: Revision): Promise<boolean> {
    const { log } = this.#dependencies
    const isSame = footer.cluster === (await this.#plain.clusterId()) && (await this.#has(footer.fence))
    if (isSame && footer.revision <= current) return true
    log.warn('the mirror is not of this store: all is read from the store', { path: this.#path })
    return false
  }

  async #has({ key, revision }: MirrorFence): Promise<boolean> {
    const { value } = await this.#plain.get(key, { signal: this.#closing.signal })
    return value?.createRevision === revision && value.modRevision === revision
  }

  /** False where the revision is compacted. */
  async #isReadable(revision: Revision): Promise<boolean> {
    try {
      await this.#plain.get(this.#options.prefix, { revision, signal: this.#closing.signal })
      return true
    } catch (error) {
      if (error instanceof StoreError && error.code === 'compacted') return false
      throw error
    }
  }

  /** Undefined: the store can't be written at present. That is no reason not to serve what it has. */
  async #fenceOfLoad(): Promise<MirrorFence | undefined> {
    try {
      return await this.#createFence(loadFenceSeconds)
    } catch (error) {
      this.#dependencies.log.warn('no mirror will be written: the store takes no key', { error })
      return undefined
    }
  }

  async #createFence(ttlSeconds: number): Promise<MirrorFence> {
    const { random } = this.#dependencies
    const key = `${this.#options.fencePrefix}mirror-${Buffer.from(random.bytes(16)).toString('hex')}`
    const result = await this.#plain.create(key, new Uint8Array(0), { ttlSeconds, signal: this.#closing.signal })
    if (!result.ok) throw new Error('a fence of the same name exists')
    return { key, revision: result.revision }
  }

  async #save({ revision, resources }: MirrorState): Promise<void> {
    const { log, clock } = this.#dependencies
    const { program } = this.#options
    const startedMs = clock.monotonicMs()
    const proof = this.#history.proof()
    if (!proof) throw new Error('the history of the store is not known')
    if (!(await this.#has(proof.fence)))
      throw new Error('the history of the store is not the one that the caches have followed: restart this server')
    if (proof.suspect) for (const { prefix, after } of resources) await this.#requireSameKeys(prefix, after, revision)
    const cluster = await this.#plain.clusterId()
    const fence = await this.#createFence(fenceSeconds)
    let bytes: number
    try {
      // From the state to the fence, the stream was the same: so the fence is of the same history.
      if (!proof.holds() || fence.revision <= revision) throw new Error('the connection to the store broke meanwhile')
      const about = { program, cluster, revision, fence }
      const sources = resources.map((resource) => this.#sourceOf(resource, proof.suspect))
      ;({ bytes } = await writeMirror(this.#options, about, sources, this.#closing.signal))
    } catch (error) {
      await this.#forget(fence)
      throw error
    }
    this.savedRevision = revision
    this.#history.prove(fence, proof)
    const before = [proof.fence, ...(this.#fence && this.#fence.key !== proof.fence.key ? [this.#fence] : [])]
    this.#fence = fence
    log.verbose(1, 'the mirror was written', { path: this.#path, revision, bytes, ms: clock.monotonicMs() - startedMs })
    for (const former of before) await this.#forget(former)
  }

  /** A fence that stays ends with its time to live. */
  async #forget({ key, revision }: MirrorFence): Promise<void> {
    await this.#plain.delete(key, revision).catch(() => {})
  }

  #sourceOf({ prefix, columns, after }: MirrorResource, suspect: Suspect | undefined): MirrorSource {
    const { sealing } = this.#dependencies
    const [first] = after('', 1)
    const sealedBy = first && sealing && !sealing.isPlain(first.key) ? sealing : undefined
    const values = (): AsyncIterable<readonly MirrorValue[]> => valuesOf(after, suspect, sealedBy)
    // The texts are parts of the values, which must not be readable in the file then.
    return { prefix, isSealed: sealedBy !== undefined, columns: sealedBy ? [] : columns, values }
  }

  /** Rejects with Error where the store does not have exactly these keys and revisions. */
  async #requireSameKeys(prefix: string, after: MirrorResource['after'], revision: Revision): Promise<void> {
    const ours = new Map<string, Revision>()
    for (let last = ''; ; ) {
      const values = after(last, keysAtOnce)
      if (values.length === 0) break
      for (const { key, modRevision } of values) ours.set((last = key), modRevision)
    }
    const same = { end: prefixEnd(prefix), revision, limit: keysAtOnce, keysOnly: true, uncounted: true }
    const { signal } = this.#closing
    for (let start = prefix; ; ) {
      const page = await this.#plain.range({ ...same, start, signal })
      for (const { key, modRevision } of page.values) {
        if (ours.get(key) !== modRevision) throw new Error(`the store has other values than the caches: ${key}`)
        ours.delete(key)
      }
      const last: StoredValue | undefined = page.values[page.values.length - 1]
      if (!page.more || !last) break
      start = `${last.key}\0`
    }
    if (ours.size > 0) throw new Error(`the store lacks values of the caches below ${prefix}`)
  }
}

async function* valuesOf(
  after: MirrorResource['after'],
  suspect: Suspect | undefined,
  sealing: Sealing | undefined,
): AsyncIterable<readonly MirrorValue[]> {
  for (let last = ''; ; ) {
    const values = after(last, valuesAtOnce)
    const newest = values[values.length - 1]
    if (!newest) return
    last = newest.key
    const kept = values.map((value) => (suspect && isSuspect(value, suspect) ? withoutValue(value) : value))
    if (!sealing) yield kept
    else
      yield await Promise.all(
        kept.map(async (value) =>
          value.isAbsent ? value : { ...value, value: await sealing.seal(value.key, value.value) },
        ),
      )
  }
}

/** The values of these revisions, both inclusive, may be those of another history. */
interface Suspect {
  readonly from: Revision
  readonly upTo: Revision
}

const isSuspect = ({ modRevision }: MirrorValue, { from, upTo }: Suspect): boolean =>
  modRevision >= from && modRevision <= upTo

function withoutValue({ key, createRevision, modRevision }: MirrorValue): MirrorValue {
  return { key, value: new Uint8Array(0), createRevision, modRevision, isAbsent: true }
}

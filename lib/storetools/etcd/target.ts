import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import { type EtcdStore, unfinishedKey } from '../../storage/index.ts'
import { attempt, type FollowedChange, type StoredEntry, StoreToolError } from '../contract.ts'
import { applyChange, type OnRaise, type StoreTarget } from '../target.ts'
import type { EtcdReader } from './reader.ts'

const scratchKey = 'pilothouse/scratch'
/** Maximum number of revisions by which a store is raised: an hour, as each is a write. */
const raisedMaxDefault = 50_000_000
/** Concurrent writes while the revision is raised. */
const lanes = 512
/** Raised revisions are compacted after this many, so that they don't fill the database. */
const compactedStep = 20_000

interface EtcdTargetOptions {
  readonly raisedMax?: number
  /** Identifies the mark for people: `restore of etcd.snapshot`. */
  readonly purpose: string
}

/**
 * An etcd cluster without keys. The server's own client writes to it, in a tenth of the time of the operators' library.
 */
export function createEtcdTarget(reader: EtcdReader, options: EtcdTargetOptions): StoreTarget {
  return new ClusterTarget(reader, options)
}

class ClusterTarget implements StoreTarget {
  readonly description: string
  readonly #reader: EtcdReader
  readonly #store: EtcdStore
  readonly #options: EtcdTargetOptions
  #mark = noRevision
  /** Own writes since the mark, without the mark. */
  #writes = 0
  #entries = 0

  constructor(reader: EtcdReader, options: EtcdTargetOptions) {
    this.#reader = reader
    this.#store = reader.ownClient()
    this.#options = options
    this.description = reader.description
  }

  /** A flag of the cluster's servers sets the limit: they refuse larger values. */
  accept(): void {}

  async begin(to: Revision, onRaise: OnRaise = () => {}): Promise<void> {
    await this.#checkEmpty()
    await this.#checkRaise(to)
    const { purpose } = this.#options
    const result = await attempt(() => this.#store.create(unfinishedKey, Buffer.from(JSON.stringify({ purpose }))))
    if (!result.ok) throw unfinished(this.description, result.current?.value)
    this.#mark = result.revision
    await this.raise(to, onRaise)
  }

  async raise(to: Revision, onRaise: OnRaise = () => {}): Promise<void> {
    for (let reached: number = await attempt(() => this.#store.currentRevision()); reached < to; ) {
      const step = Math.min(to - reached, compactedStep)
      await this.#burn(step)
      reached += step
      onRaise(reached, to)
      await attempt(() => this.#store.compact(asRevision(reached)))
    }
  }

  async write(entries: readonly StoredEntry[]): Promise<void> {
    for (const { key, value, ttlSeconds } of entries) {
      // One after the other: the cluster decides the order of concurrent requests.
      const options = ttlSeconds > 0 ? { ttlSeconds } : {}
      const result = await attempt(() => this.#store.create(key, value, options))
      if (!result.ok) throw usedByOthers(this.description)
      this.#writes++
      this.#entries++
    }
  }

  async apply(changes: readonly FollowedChange[]): Promise<void> {
    for (const change of changes) {
      const done = await attempt(() => applyChange(this.#store, change))
      if (done === 'refused') throw usedByOthers(this.description)
      if (done === 'nothing') continue
      this.#writes++
      this.#entries += done === 'deleted' ? -1 : done === 'created' ? 1 : 0
    }
  }

  async finish(least = noRevision): Promise<Revision> {
    await this.#checkAlone()
    await this.raise(least)
    return await attempt(async () => {
      const revision = await this.#store.currentRevision()
      await this.#store.compact(revision)
      const result = await this.#store.delete(unfinishedKey, this.#mark)
      if (!result.ok) throw usedByOthers(this.description)
      return result.revision
    })
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  async #checkEmpty(): Promise<void> {
    const { entry } = await this.#reader.get(unfinishedKey)
    if (entry) throw unfinished(this.description, entry.value)
    const scan = await this.#reader.scan({ keysOnly: true })
    for await (const [first] of scan.pages())
      throw new StoreToolError(
        `${this.description} has keys, such as ${JSON.stringify(first?.key ?? '')}: it is left alone`,
      )
  }

  async #checkRaise(to: Revision): Promise<void> {
    const { raisedMax = raisedMaxDefault } = this.#options
    const from = await attempt(() => this.#store.currentRevision())
    if (to - from <= raisedMax) return
    const why = `${this.description} is at revision ${from} and would have to be raised to ${to}: more than ${raisedMax} writes`
    const instead = 'take its native snapshot while it is empty, and start it from what'
    throw new StoreToolError(
      `${why}; ${instead} \`etcdutl snapshot restore --bump-revision=${to} --mark-compacted\` makes of that`,
    )
  }

  /** Each round of a lane is two writes, and leaves no key. */
  async #burn(revisions: number): Promise<void> {
    let rounds = Math.ceil(revisions / 2)
    this.#writes += rounds * 2
    const lane = async (key: string): Promise<void> => {
      while (rounds-- > 0) {
        const { ok, revision } = await this.#store.create(key, noValue)
        if (!ok || !(await this.#store.delete(key, revision)).ok) throw usedByOthers(this.description)
      }
    }
    await attempt(() => Promise.all(Array.from({ length: lanes }, (_, at) => lane(`${scratchKey}/${at}`))))
  }

  /**
   * Every write has a revision: one more than this process made is another client's. Only keys whose lifetime ended are
   * an exception; they are missing.
   */
  async #checkAlone(): Promise<void> {
    const { revision, count } = await attempt(() =>
      this.#store.range({ start: '\0', end: '\u{10ffff}', countOnly: true }),
    )
    const others = revision - this.#mark - this.#writes
    const missing = this.#entries + 1 - count
    if (others > missing) throw usedByOthers(this.description)
  }
}

const noValue = new Uint8Array(0)

function unfinished(description: string, mark: Uint8Array | undefined): StoreToolError {
  const what = Buffer.from(mark ?? noValue)
    .toString()
    .slice(0, 300)
  return new StoreToolError(
    `${description} is not whole: what was begun there did not end (${what}). Begin with an empty cluster`,
  )
}

function usedByOthers(description: string): StoreToolError {
  return new StoreToolError(`${description} is written to by another client: what was begun there is not whole`)
}

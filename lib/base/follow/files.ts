import type { Clock, Closable } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { createReloadMetrics, type ReloadMetricOptions, type ReloadMetrics } from './metrics.ts'
import { type FilesRead, type FilesSignature, readFiles, signFiles, type TextOf } from './readfiles.ts'
import { createRetirement, type Retirement } from './retirement.ts'

export interface FollowFilesOptions<Value> {
  /** Name of the configuration in log lines: "authorization configuration". */
  readonly what: string
  /** A function is called at every poll: for a folder whose files are added and removed. */
  readonly paths: readonly string[] | (() => Promise<readonly string[]>)
  readonly pollMs: number
  /**
   * Makes the value of the files, or rejects when they can't be used: it must find every error in them. Closes what it
   * opened before it rejects. The signal aborts when the follower closes.
   */
  load(textOf: TextOf, paths: readonly string[], signal: AbortSignal): Value | Promise<Value>
  /** Called once with every value that is no longer in use, for the last one when the follower closes. */
  retire?(value: Value): void | Promise<void>
  /** How long requests in flight may keep using a value that was replaced. Default 0. */
  readonly retireAfterMs?: number
  /** Refused files are loaded again, unchanged, after this time: the objects that they refer to may have been wrong. */
  readonly retryMs?: number
  readonly metrics: ReloadMetricOptions
  /** The log's reason for a refusal, which must not quote the files. The error's message unless given. */
  reasonOf?(error: unknown): string
}

/** The value of the newest valid files. */
export interface FollowedFiles<Value> extends Closable {
  current(): Value
  /** Calls `changed` with every value that replaces the current one. Everything that can fail belongs into `load`. */
  onChange(changed: (value: Value) => void): Closable
  /** Checks the files now, or joins the check in progress. Never rejects. */
  check(): Promise<void>
  /** Stops following and retires the value. The result of a load in progress is not used. */
  close(): Promise<void>
}

interface Dependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

/** Maximum number of characters of a reason in the log. */
const reasonMax = 1000
const defaultRetryMs = 60_000
/** A file that changed this shortly before it was read may change again with the same times. */
const settledMs = 2000

/**
 * Follows configuration files: the only way in which this server reloads any. It polls, since links are replaced as
 * often as files are written, and reads only when a file's status changed. Invalid content is refused as a whole and
 * reported once, in a metric and a log line; the last valid value stays in use. Rejects when the first load does, with
 * its error; with FileError when a file can't be read.
 */
export async function followFiles<Value>(
  dependencies: Dependencies,
  options: FollowFilesOptions<Value>,
): Promise<FollowedFiles<Value>> {
  const stopped = new AbortController()
  const startedMs = dependencies.clock.now()
  const read = await readFiles(await pathsOf(options), { isFirst: true, isList: isList(options) })
  const value = await options.load(read.textOf, read.paths, stopped.signal)
  const { signature, digest } = read
  return new FilesFollower(dependencies, options, stopped, { value, seen: { signature, digest, atMs: startedMs } })
}

/** The files as last read, valid or not. */
interface Seen {
  readonly signature: FilesSignature
  readonly digest: string
  /** When they were checked, in milliseconds since the epoch. */
  readonly atMs: number
}

class FilesFollower<Value> implements FollowedFiles<Value> {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #options: FollowFilesOptions<Value>
  readonly #stopped: AbortController
  readonly #metrics: ReloadMetrics
  readonly #retirement: Retirement<Value>
  readonly #timer: Closable
  readonly #listeners = new Set<(value: Value) => void>()
  #value: Value
  /** The digest of the files behind the value. */
  #digest: string
  #seen: Seen
  /** The digest or the error that was refused last, and when. */
  #refused: { readonly key: string; readonly atMs: number } | undefined
  #underWay: Promise<void> | undefined

  constructor(
    { clock, log, metrics }: Dependencies,
    options: FollowFilesOptions<Value>,
    stopped: AbortController,
    { value, seen }: { value: Value; seen: Seen },
  ) {
    this.#clock = clock
    this.#log = log
    this.#options = options
    this.#stopped = stopped
    this.#value = value
    this.#seen = seen
    this.#digest = seen.digest
    this.#metrics = createReloadMetrics(clock, metrics, options.metrics, seen.digest)
    this.#retirement = createRetirement(clock, (former) => this.#retire(former), options.retireAfterMs ?? 0)
    this.#timer = clock.every(options.pollMs, () => void this.check())
  }

  current(): Value {
    return this.#value
  }

  onChange(changed: (value: Value) => void): Closable {
    this.#listeners.add(changed)
    return { close: () => void this.#listeners.delete(changed) }
  }

  check(): Promise<void> {
    this.#underWay ??= this.#look().finally(() => (this.#underWay = undefined))
    return this.#underWay
  }

  async close(): Promise<void> {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort(new Error(`${this.#options.what}: no longer followed`))
    await this.#timer.close()
    await this.#underWay
    this.#listeners.clear()
    await this.#retirement.close()
    await this.#retire(this.#value)
  }

  async #look(): Promise<void> {
    if (this.#stopped.signal.aborted) return
    let loading: FilesRead | undefined
    try {
      loading = await this.#readChanged()
      if (loading === undefined) return
      const next = await this.#options.load(loading.textOf, loading.paths, this.#stopped.signal)
      await this.#take(next, loading.digest)
    } catch (error) {
      this.#refuse(error, loading?.digest ?? messageOf(error))
    }
  }

  /** The files, if they must be loaded: their content is neither in use nor refused, or refused long enough ago. */
  async #readChanged(): Promise<FilesRead | undefined> {
    const atMs = this.#clock.now()
    const paths = await pathsOf(this.#options)
    const { text } = await signFiles(paths)
    const isSettled = this.#seen.atMs - this.#seen.signature.newestMs > settledMs
    if (text === this.#seen.signature.text && isSettled && this.#isDone(this.#seen.digest)) return undefined
    const read = await readFiles(paths, { isFirst: false, isList: isList(this.#options) })
    this.#seen = { signature: read.signature, digest: read.digest, atMs }
    return this.#isDone(read.digest) ? undefined : read
  }

  #isDone(digest: string): boolean {
    if (digest === this.#digest) {
      this.#refused = undefined
      return true
    }
    const { retryMs = defaultRetryMs } = this.#options
    return this.#refused?.key === digest && this.#clock.monotonicMs() - this.#refused.atMs < retryMs
  }

  async #take(next: Value, digest: string): Promise<void> {
    if (this.#stopped.signal.aborted) return await this.#retire(next)
    const former = this.#value
    this.#value = next
    this.#digest = digest
    this.#refused = undefined
    this.#metrics.reloaded(digest)
    this.#log.info(`${this.#options.what} reloaded`)
    for (const changed of this.#listeners) this.#tell(changed)
    this.#retirement.later(former)
  }

  #tell(changed: (value: Value) => void): void {
    try {
      changed(this.#value)
    } catch (error) {
      this.#report('a part of the server did not apply the change', error)
    }
  }

  #refuse(error: unknown, key: string): void {
    if (this.#stopped.signal.aborted) return
    const isKnown = this.#refused?.key === key
    this.#refused = { key, atMs: this.#clock.monotonicMs() }
    if (isKnown) return
    this.#metrics.refused()
    this.#report('not reloaded, the last good one stays', error)
  }

  async #retire(former: Value): Promise<void> {
    try {
      await this.#options.retire?.(former)
    } catch (error) {
      this.#report('the former one was not closed', error)
    }
  }

  #report(happened: string, error: unknown): void {
    const { what, reasonOf = messageOf } = this.#options
    this.#log.error(`${what}: ${happened}`, { reason: reasonOf(error).slice(0, reasonMax) })
  }
}

function isList<Value>({ paths }: FollowFilesOptions<Value>): boolean {
  return typeof paths === 'function' || paths.length > 1
}

async function pathsOf<Value>({ paths }: FollowFilesOptions<Value>): Promise<readonly string[]> {
  return typeof paths === 'function' ? await paths() : paths
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

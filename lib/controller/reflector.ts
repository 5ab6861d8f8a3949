import type { Clock, Closable, Logger, Random } from '../base/index.ts'
import type { ResourceClient, WatchEvent } from '../client/index.ts'
import { type Frozen, type ObjectMeta, StatusError } from '../object/index.ts'

/** Follows one resource for as long as it runs: a state, then each change, in order, without gaps. */
interface ReflectorSink<T> {
  /** The whole state; objects that are missing from it are gone. `resourceVersion` is the state's. */
  replaced(objects: readonly Frozen<T>[], resourceVersion: string): void
  changed(events: readonly WatchEvent<T>[]): void
  /** It could not list or watch, and tries again: a word for logs and health. */
  failed(error: Error): void
}

export interface ReflectorDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

export interface ReflectorOptions {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly namespace?: string
}

export interface StateOptions {
  /** Asks for the state as a stream first. Default true. */
  readonly streams?: boolean
}

/** Pauses after failures; each is spread over up to twice its length. */
const firstPauseMs = 200
const pauseMsMax = 30_000
/** A watch that ends sooner counts as a failure: a server that ends each at once must not be asked without a pause. */
const shortWatchMs = 1000
/** Asked for with each watch, so that they don't all come back at once. */
const watchSeconds = { least: 300, spread: 300 }
/** Beyond the time asked for, a watch that is still open is taken for dead: its connection may be. */
const overdueMs = 30_000
const initialEventsEnd = 'k8s.io/initial-events-end'

/**
 * Streams the state where the server can, else lists it in chunks; resumes where a watch ended, and begins anew where
 * the server has forgotten that place (410). Stops only when it is closed.
 */
export function startReflector<T>(
  { clock, random, log }: ReflectorDependencies,
  client: ResourceClient<T>,
  { streams: mayStream = true, ...options }: ReflectorOptions & StateOptions,
  sink: ReflectorSink<T>,
): Closable {
  const stopping = new AbortController()
  const { signal } = stopping
  let resourceVersion: string | undefined
  let streams = mayStream
  let failures = 0
  /** The watch of this round has told something. */
  let hasTold = false

  /** One watch from its beginning to its end. Rejects with the error that ended it. */
  function watch(initial: boolean): Promise<void> {
    const timeoutSeconds = watchSeconds.least + Math.floor(random.fraction() * watchSeconds.spread)
    let collected: Map<string, Frozen<T>> | undefined = initial ? new Map() : undefined

    function take(events: readonly WatchEvent<T>[]): void {
      const last = events.at(-1)
      if (last === undefined) return
      hasTold = true
      if (collected === undefined) {
        sink.changed(events)
      } else {
        for (const [index, event] of events.entries()) {
          if (event.type !== 'BOOKMARK') collect(collected, event)
          else if (event.object.metadata.annotations?.[initialEventsEnd] === 'true') {
            sink.replaced([...collected.values()], event.object.metadata.resourceVersion ?? '')
            collected = undefined
            resourceVersion = event.object.metadata.resourceVersion
            return take(events.slice(index + 1))
          }
        }
        return
      }
      resourceVersion = metadataOf(last.object).resourceVersion ?? resourceVersion
    }

    return new Promise((resolve, reject) => {
      const watching = client.watch(
        {
          ...options,
          timeoutSeconds,
          ...(initial
            ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const }
            : { resourceVersion: resourceVersion ?? '' }),
        },
        {
          onEvents: take,
          onEnd(error) {
            void timer.close()
            signal.removeEventListener('abort', close)
            if (error) reject(error)
            else resolve()
          },
        },
      )
      const close = (): void => void watching.close()
      const timer = clock.after(timeoutSeconds * 1000 + overdueMs, close)
      signal.addEventListener('abort', close, { once: true })
      if (signal.aborted) close()
    })
  }

  async function list(): Promise<void> {
    const { items, metadata } = await client.listAll({ ...options, signal })
    sink.replaced(items, metadata.resourceVersion ?? '')
    resourceVersion = metadata.resourceVersion
  }

  async function round(): Promise<void> {
    if (resourceVersion !== undefined) return await watch(false)
    if (!streams) return await list()
    try {
      await watch(true)
    } catch (error) {
      if (resourceVersion !== undefined || !isRefusedStream(error)) throw error
      streams = false
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const startedMs = clock.monotonicMs()
      const hadState = resourceVersion !== undefined
      const streamed = streams
      hasTold = false
      try {
        await round()
        const gotState = !hadState && resourceVersion !== undefined
        const lists = !hadState && streamed && !streams
        // A watch that ends in order, but at once, is a failure: a closed client ends each so.
        if (gotState || lists || clock.monotonicMs() - startedMs >= shortWatchMs) failures = 0
        else failures++
      } catch (error) {
        if (signal.aborted) return
        // Failures before a watch that worked for some time say nothing of the server now.
        if (hasTold && clock.monotonicMs() - startedMs >= shortWatchMs) failures = 0
        failures++
        if (isForgotten(error)) {
          resourceVersion = undefined
          if (failures === 1) continue
        } else {
          const asError = error instanceof Error ? error : new Error(String(error))
          sink.failed(asError)
          log.verbose(2, 'a watch broke', { resource: client.type.resource, error: asError })
        }
      }
      if (failures > 0) await pause()
    }
  }

  async function pause(): Promise<void> {
    const pauseMs = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(failures - 1, 10))
    try {
      await clock.sleep(pauseMs * (1 + random.fraction()), signal)
    } catch {
      // It was closed.
    }
  }

  void run()
  return { close: () => stopping.abort(new Error('the reflector is closed')) }
}

function collect<T>(
  into: Map<string, Frozen<T>>,
  event: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Frozen<T> },
): void {
  const { namespace = '', name = '' } = metadataOf(event.object)
  const key = `${namespace}/${name}`
  if (event.type === 'DELETED') into.delete(key)
  else into.set(key, event.object)
}

/** Everything that is listed and watched has metadata. */
function metadataOf(object: unknown): Frozen<ObjectMeta> {
  return (object as { readonly metadata: Frozen<ObjectMeta> }).metadata
}

/** The server knows no streaming lists. */
function isRefusedStream(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 422 || error.code === 400)
}

function isForgotten(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410
}

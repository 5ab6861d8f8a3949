import { backoffMs, type Clock, type Closable, type Logger, type Random } from '../base/index.ts'
import type { ResourceClient, WatchEvent } from '../client/index.ts'
import { type Frozen, type ObjectMeta, StatusError } from '../object/index.ts'

/** Receives the state of one resource, then each change, in order and without gaps. */
interface ReflectorSink<T> {
  /** The complete state and its resourceVersion; other objects no longer exist. */
  replaced(objects: readonly Frozen<T>[], resourceVersion: string): void
  changed(events: readonly WatchEvent<T>[]): void
  /** A list or watch failed, and is retried. For logs and health checks. */
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
  /** Requests a streaming list first. Default true. */
  readonly streams?: boolean
}

const backoff = { firstMs: 200, maxMs: 30_000, spread: [1, 2] } as const
/**
 * A watch that ends sooner counts as a failure: a server that ends every watch at once must not be asked without a
 * pause.
 */
const shortWatchMs = 1000
/** The requested duration of a watch is random, so that watches don't all end together. */
const watchSeconds = { least: 300, spread: 300 }
/** A watch that is open so long after its requested duration is closed: its connection may be dead. */
const overdueMs = 30_000
const initialEventsEnd = 'k8s.io/initial-events-end'

/**
 * Streams the state where the server supports that, else lists it in chunks. Resumes where a watch ended, and starts
 * again where the server no longer has that revision (410). Stops only when it is closed.
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
  /** The current watch has delivered an event. */
  let hasTold = false

  /** Runs one watch to its end. Rejects with the error that ended it. */
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
        // A watch that ends at once is a failure even without an error: a closed client ends every watch so.
        if (gotState || lists || clock.monotonicMs() - startedMs >= shortWatchMs) failures = 0
        else failures++
      } catch (error) {
        if (signal.aborted) return
        // After a watch that worked for some time, earlier failures don't count.
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
    try {
      await clock.sleep(backoffMs(backoff, failures, random), signal)
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

/** All listed and watched objects have metadata. */
function metadataOf(object: unknown): Frozen<ObjectMeta> {
  return (object as { readonly metadata: Frozen<ObjectMeta> }).metadata
}

/** The server does not support streaming lists. */
function isRefusedStream(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 422 || error.code === 400)
}

function isForgotten(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410
}

import type { Clock } from '../base/index.ts'
import { type Client, createClient, RequestError, type Transport, type TransportRequest } from '../client/index.ts'
import { type ApiObject, type ResourceType, StatusError } from '../object/index.ts'
import type { Informer } from './informer.ts'
import { nameOf } from './informers.ts'
import { joinKey } from './key.ts'

/** Writes for one key that the informers may not show yet. */
interface Pending {
  /** The newest version written, by resource. */
  readonly revisions: Map<string, number>
  /** Uids of objects that were deleted, by resource and key. */
  readonly deleted: Map<string, Map<string, string>>
  /** Resources with a write of unknown outcome, until a list returns a later revision. */
  readonly unknown: Map<string, UnknownWrite>
  readonly sinceMs: number
  /** A timer will add the key again. */
  isPolled: boolean
}

interface UnknownWrite {
  readonly type: ResourceType
  isAsking: boolean
}

/**
 * Keeps a controller from acting on a state older than its own writes: a turn of a key waits until the informers show
 * everything that earlier turns of that key wrote. After a write of unknown outcome, they must show a later state.
 */
export interface OwnWrites {
  /** A client that records its writes for the key. It returns answers once `answered` resolves. */
  clientFor(key: string, answered?: () => Promise<void>): Client
  /** True where the informers show all writes for the key; else `then` is called once they may do so. */
  isShown(key: string, then: () => void): boolean
  forget(key: string): void
}

/** A key waits no longer than this: an informer that lags so far has another problem. */
const waitMsMax = 5 * 60_000
const pollMs = 20
/** Between two lists for a revision after a write of unknown outcome. */
const askAgainMs = 1000

interface OwnWritesDependencies {
  readonly clock: Clock
  /** Called when a turn is delayed because the informer of this resource lags. */
  readonly lags?: (name: string) => void
}

export function createOwnWrites(
  { clock, lags = () => {} }: OwnWritesDependencies,
  transport: Transport,
  informerOf: (name: string) => Informer<ApiObject> | undefined,
): OwnWrites {
  const pending = new Map<string, Pending>()

  function pendingOf(key: string): Pending {
    let known = pending.get(key)
    if (!known) {
      known = {
        revisions: new Map(),
        deleted: new Map(),
        unknown: new Map(),
        sinceMs: clock.monotonicMs(),
        isPolled: false,
      }
      pending.set(key, known)
    }
    return known
  }

  function wrote(key: string, type: ResourceType, { method, name: target }: TransportRequest, answer: unknown): void {
    const name = nameOf(type)
    if (!informerOf(name)) return
    const { metadata } = answer as { metadata?: ApiObject['metadata'] }
    const revision = Number(metadata?.resourceVersion ?? 0)
    const known = pendingOf(key)
    raise(known, name, revision)
    if (method !== 'DELETE' || target === undefined) return
    const uid = metadata?.uid ?? (answer as { details?: { uid?: string } }).details?.uid
    if (uid === undefined) return
    let uids = known.deleted.get(name)
    if (!uids) known.deleted.set(name, (uids = new Map()))
    uids.set(joinKey(target.namespace ?? '', target.name ?? ''), uid)
  }

  /** Records a write of unknown outcome: the informer must show a later state. */
  async function unsure(key: string, type: ResourceType): Promise<void> {
    const name = nameOf(type)
    if (!informerOf(name)) return
    const known = pendingOf(key)
    // An unfinished list may have begun before this write: its answer counts for the earlier write only.
    const write: UnknownWrite = { type, isAsking: false }
    known.unknown.set(name, write)
    await learn(known, name, write)
  }

  /** Lists for a revision after the write. The outcome stays unknown until a list succeeds. */
  async function learn(known: Pending, name: string, write: UnknownWrite): Promise<void> {
    write.isAsking = true
    try {
      const { metadata } = await createClient(transport).resource(write.type).list({ limit: 1 })
      raise(known, name, Number(metadata.resourceVersion ?? 0))
      if (known.unknown.get(name) === write) known.unknown.delete(name)
    } catch (error) {
      // An account that may write but not list creates objects with fixed names: none can be created twice.
      if (isForbidden(error)) {
        if (known.unknown.get(name) === write) known.unknown.delete(name)
        return
      }
      clock.after(askAgainMs, () => {
        write.isAsking = false
      })
    }
  }

  function recording(key: string, answered: (() => Promise<void>) | undefined): Transport {
    async function send(request: TransportRequest): Promise<unknown> {
      try {
        return await transport.send(request)
      } finally {
        await answered?.()
      }
    }

    return {
      async send(request) {
        if (request.method === 'GET' || request.type === undefined) return await send(request)
        try {
          const answer = await send(request)
          if (!request.dryRun) wrote(key, request.type, request, answer)
          return answer
        } catch (error) {
          if (isUnsure(error)) await unsure(key, request.type)
          throw error
        }
      },
      watch: (request, sink) => transport.watch(request, sink),
      close() {},
    }
  }

  return {
    clientFor: (key, answered) => createClient(recording(key, answered)),
    isShown(key, then) {
      const known = pending.get(key)
      const name = known && lagging(key, known, then)
      if (name !== undefined) lags(name)
      return name === undefined
    },
    forget: (key) => void pending.delete(key),
  }

  /** The first resource whose informer lags; undefined: none does, or the key has waited long enough. */
  function lagging(key: string, known: Pending, then: () => void): string | undefined {
    if (clock.monotonicMs() - known.sinceMs <= waitMsMax) {
      for (const [name, write] of known.unknown) {
        if (!informerOf(name)) known.unknown.delete(name)
        else {
          if (!write.isAsking) void learn(known, name, write)
          later(known, then)
          return name
        }
      }
      for (const [name, revision] of known.revisions) {
        const informer = informerOf(name)
        if (!informer || informer.revision >= revision) known.revisions.delete(name)
        else {
          informer.onceReached(revision, then)
          return name
        }
      }
      for (const [name, uids] of known.deleted) {
        const informer = informerOf(name)
        for (const [objectName, uid] of uids) {
          const shown = informer?.get(objectName)?.metadata
          if (shown?.uid === uid && shown.deletionTimestamp === undefined) {
            later(known, then)
            return name
          }
          uids.delete(objectName)
        }
      }
    }
    pending.delete(key)
    return undefined
  }

  function later(known: Pending, then: () => void): void {
    if (known.isPolled) return
    known.isPolled = true
    clock.after(pollMs, () => {
      known.isPolled = false
      then()
    })
  }
}

function raise({ revisions }: Pending, name: string, revision: number): void {
  if (revision > (revisions.get(name) ?? 0)) revisions.set(name, revision)
}

/** There was no answer, or one that leaves the outcome open. */
function isUnsure(error: unknown): boolean {
  if (error instanceof StatusError) return error.code === 504 || error.code === 500
  return error instanceof RequestError
}

function isForbidden(error: unknown): boolean {
  return error instanceof StatusError && error.code === 403
}

import type { Entry } from '../cache/index.ts'
import { noRevision, StatusError, toResourceVersion } from '../object/index.ts'
import { ConversionNeeded } from '../scheme/index.ts'
import { type StoredValue, UnreadableObject } from '../storage/index.ts'
import type { Existing, ResourceParts, WriteContext, WriteTarget } from './context.ts'
import { readStored } from './stored.ts'

/**
 * The state that a write starts from. The cache's state saves a round trip and is almost always right, but may be
 * behind: a refusal that rests on it counts only after a read of the store (see `withCurrent`).
 */
export interface Current {
  readonly existing: Existing | undefined
  readonly fresh: boolean
}

/** Maximum number of attempts of a write when other writes come first. */
export const writeTriesMax = 64

/** The outcome of one attempt. `next`: its state is out of date, and this one is newer. */
export type Attempt<Result> =
  | { readonly done: Result; readonly next?: undefined }
  | { readonly done?: undefined; readonly next: Current }

/**
 * Runs `attempt` on the object's state until it is done. When the cache's state leads to a refusal (a StatusError) and
 * the store's state differs, the attempt is repeated, so that a stale cache neither refuses nor loses anything.
 */
export async function withCurrent<Result>(
  parts: ResourceParts,
  target: WriteTarget,
  context: WriteContext,
  attempt: (current: Current) => Promise<Attempt<Result>>,
  exhausted: () => Error,
): Promise<Result> {
  let current = (context.dryRun ? undefined : fromCache(parts, target)) ?? (await fromStore(parts, target, context))
  for (let tries = 0; tries < writeTriesMax; tries++) {
    context.signal?.throwIfAborted()
    let outcome: Attempt<Result>
    try {
      outcome = await attempt(current)
    } catch (error) {
      if (error instanceof ConversionNeeded) {
        await error.ready
        continue
      }
      // A failed store may have written: never repeat it.
      if (!(error instanceof StatusError)) throw error
      const newer = await newerThan(parts, target, context, current)
      if (!newer) throw error
      current = newer
      continue
    }
    if (outcome.next === undefined) return outcome.done
    current = outcome.next
  }
  throw exhausted()
}

/**
 * For an attempt that writes nothing, which leaves its state unconfirmed by the store. Undefined when the state is
 * still current: the stored bytes are not decoded then. With `unlessStale`, an unchanged state that must be rewritten
 * counts as newer, too.
 */
export async function newerThan(
  parts: ResourceParts,
  target: WriteTarget,
  context: WriteContext,
  current: Current,
  { unlessStale = false }: { unlessStale?: boolean } = {},
): Promise<Current | undefined> {
  if (current.fresh) return undefined
  const value = await readValue(parts, target, context)
  const mustRewrite = unlessStale && value?.stale === true
  const isSame = (value?.modRevision ?? noRevision) === (current.existing?.revision ?? noRevision)
  return isSame && !mustRewrite && !value?.unreadable ? undefined : stateOf(parts, value)
}

function fromCache(parts: ResourceParts, { key }: WriteTarget): Current | undefined {
  const entry = parts.cache.peek(key)
  return entry && currentOf(entry)
}

function currentOf(entry: Entry): Current {
  return {
    existing: {
      object: entry.object(),
      stored: entry.stored,
      revision: entry.revision,
      entry,
      stale: entry.isStoredOtherwise,
    },
    fresh: false,
  }
}

export async function fromStore(parts: ResourceParts, target: WriteTarget, context: WriteContext): Promise<Current> {
  return stateOf(parts, await readValue(parts, target, context))
}

async function readValue(
  { store }: ResourceParts,
  { key }: WriteTarget,
  { signal }: WriteContext,
): Promise<StoredValue | undefined> {
  return (await store.get(key, signal ? { signal } : {})).value
}

/** The state that the store has answered, as to a read or in the refusal of a write. */
export function stateOf(parts: ResourceParts, value: StoredValue | undefined): Current {
  return { existing: value && existingOf(parts, value), fresh: true }
}

function existingOf({ codec }: ResourceParts, value: StoredValue): Existing {
  const { key, value: stored, modRevision: revision, unreadable, stale = false } = value
  if (unreadable) throw new UnreadableObject(key, revision, unreadable.error, unreadable.error.message)
  return {
    object: readStored({ key, revision, stored }, () => codec.decodeFromStorage(stored, toResourceVersion(revision))),
    stored,
    revision,
    entry: undefined,
    stale,
  }
}

import { rm } from 'node:fs/promises'
import type { Clock } from '../base/index.ts'
import { asRevision, type Revision } from '../object/index.ts'
import { type StoreReader, StoreToolError } from './contract.ts'
import { writeAll } from './restore.ts'
import { openSnapshot } from './snapshot/read.ts'
import { refuseForeign, type SnapshotEncryption, writeSnapshot } from './snapshot/write.ts'
import type { OnRaise, StoreTarget } from './target.ts'

/** Writes that a target which has caught up may lack: a source in use is always written to. */
const behindMax = 100

export interface MigrateOptions {
  /** A file that is written and removed again: a snapshot of the source, which tells the order of its objects. */
  readonly workFile: string
  /** The snapshot is encrypted. */
  readonly encryption?: SnapshotEncryption | undefined
  /** The source may be in use, and is followed until its servers have stopped. Otherwise it must not be. */
  readonly follow: boolean
  /** With `follow`: servers that keep an etcd have stopped when nothing was written for so long. */
  readonly idleMs: number
  readonly onRaise?: OnRaise
  readonly onEntries?: (written: number, of: number) => void
  /** Revisions of the source that the target still lacks, where they are many. */
  readonly onBehind?: (revisions: number) => void
  /** The target has nearly all that the source has; once. */
  readonly onCaughtUp?: (revision: Revision) => void
}

export interface Migrated {
  readonly entries: number
  /** Writes of the source that were followed. */
  readonly changes: number
  /** The source's revision at the end, and the target's. */
  readonly sourceRevision: Revision
  readonly revision: Revision
}

/**
 * Copies a store into an empty one of either kind. The target's revision in the end is no less than the source's, and
 * objects get theirs in the order of the old ones. Rejects with StoreToolError; the target is marked as incomplete then.
 */
export async function migrateStore(
  clock: Clock,
  source: StoreReader,
  target: StoreTarget,
  options: MigrateOptions,
): Promise<Migrated> {
  const owner = source.owner()
  if (owner && !options.follow)
    throw new StoreToolError(
      `${source.description} is in use by process ${owner.pid}: stop it, or follow it (--follow)`,
    )
  const copied = await copy(clock, source, target, options)
  const { changes, sourceRevision } = await follow(clock, source, target, copied.revision, options)
  return { entries: copied.entries, changes, sourceRevision, revision: await target.finish(sourceRevision) }
}

/** Carries writes over until there are no more to come. */
async function follow(
  clock: Clock,
  source: StoreReader,
  target: StoreTarget,
  from: Revision,
  options: MigrateOptions,
): Promise<{ changes: number; sourceRevision: Revision }> {
  let changes = 0
  let writtenMs = clock.monotonicMs()
  let isCaughtUp = false
  let wasFree = false
  for await (const batch of source.changes(asRevision(from + 1))) {
    const isFree = source.kind === 'embedded' && source.owner() === undefined
    if (batch.changes.length > 0) {
      if (!options.follow)
        throw new StoreToolError(
          `${source.description} was written to meanwhile: stop its servers, or follow it (--follow)`,
        )
      await target.apply(batch.changes)
      changes += batch.changes.length
      // Lifetimes that end are written without any server.
      if (batch.changes.some(({ type }) => type === 'put')) writtenMs = clock.monotonicMs()
    }
    const behind = (await source.currentRevision()) - batch.revision
    if (behind > behindMax) options.onBehind?.(behind)
    else if (!isCaughtUp) {
      options.onCaughtUp?.(batch.revision)
      isCaughtUp = true
    }
    if (batch.changes.length === 0 && behind <= 0) {
      const isIdle = clock.monotonicMs() - writtenMs >= options.idleMs
      // The batch was read after the folder was found free: its last server wrote nothing more.
      if (!options.follow || (isFree && wasFree) || (source.kind === 'etcd' && isIdle))
        return { changes, sourceRevision: batch.revision }
    }
    wasFree = isFree
  }
  throw new StoreToolError(`${source.description} can't be followed any more`)
}

/** Raising the target may take longer than the source keeps its history: the copy is made after it. */
async function copy(
  clock: Clock,
  source: StoreReader,
  target: StoreTarget,
  { workFile, encryption, onRaise, onEntries }: MigrateOptions,
): Promise<{ entries: number; revision: Revision }> {
  await target.begin(await checkSource(source, target), onRaise)
  try {
    const { revision, entries } = await writeSnapshot(clock, source, workFile, encryption)
    const snapshot = await openSnapshot(workFile, { keys: encryption?.keys, accept: (entry) => target.accept(entry) })
    try {
      // It stays readable until it is closed, and a process that is killed leaves no copy of every secret behind.
      await rm(workFile)
      await target.raise(revision)
      await writeAll(target, snapshot.inOrder(), (written) => onEntries?.(written, entries))
      return { revision, entries }
    } finally {
      await snapshot.close()
    }
  } finally {
    await rm(workFile, { force: true })
  }
}

/** Throws for what can't be copied, before anything is touched. Answers the source's revision. */
async function checkSource(source: StoreReader, target: StoreTarget): Promise<Revision> {
  const scan = await source.scan()
  try {
    for await (const page of scan.pages())
      for (const entry of page) {
        refuseForeign(source, entry)
        target.accept(entry)
      }
  } finally {
    scan.close()
  }
  return scan.revision
}

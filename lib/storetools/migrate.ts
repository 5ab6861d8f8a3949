import { rm } from 'node:fs/promises'
import type { Clock } from '../base/index.ts'
import { asRevision, type Revision } from '../object/index.ts'
import { type StoreReader, StoreToolError } from './contract.ts'
import { writeAll } from './restore.ts'
import { openSnapshot } from './snapshot/read.ts'
import { refuseForeign, type SnapshotEncryption, writeSnapshot } from './snapshot/write.ts'
import type { OnRaise, StoreTarget } from './target.ts'

/** Writes that a target may lack and still count as caught up: servers always write to a source in use. */
const behindMax = 100

export interface MigrateOptions {
  /** A temporary file: a snapshot of the source, from which the order of its objects is read. */
  readonly workFile: string
  /** The snapshot is encrypted. */
  readonly encryption?: SnapshotEncryption | undefined
  /** The source may be in use, and is followed until its servers have stopped. Otherwise it must not be. */
  readonly follow: boolean
  /** With `follow`: the servers of an etcd count as stopped after this time without a write. */
  readonly idleMs: number
  readonly onRaise?: OnRaise
  readonly onEntries?: (written: number, of: number) => void
  /** Called with the number of revisions that the target still lacks, if they are many. */
  readonly onBehind?: (revisions: number) => void
  /** Called once, when the target has nearly everything. */
  readonly onCaughtUp?: (revision: Revision) => void
}

export interface Migrated {
  readonly entries: number
  /** Number of followed writes of the source. */
  readonly changes: number
  /** The final revisions of the source and the target. */
  readonly sourceRevision: Revision
  readonly revision: Revision
}

/**
 * Copies a store into an empty one of either kind. The target's final revision is at least the source's, and objects
 * get theirs in the order of the old ones. Rejects with StoreToolError; the target is marked as incomplete then.
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

/** Copies writes until the source has no more. */
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
      // Expirations are written without any server.
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
      // The batch was read after the folder was found free: its last server wrote nothing later.
      if (!options.follow || (isFree && wasFree) || (source.kind === 'etcd' && isIdle))
        return { changes, sourceRevision: batch.revision }
    }
    wasFree = isFree
  }
  throw new StoreToolError(`${source.description} can't be followed any more`)
}

/** Raising the target may take longer than the source keeps its history, so the copy is made afterwards. */
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
      // It stays readable until it is closed, and a killed process leaves no copy of every secret behind.
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

/** Throws for entries that can't be copied, before anything is changed. Resolves with the source's revision. */
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

import { asRevision, type Revision } from '../object/index.ts'
import type { StoredEntry } from './contract.ts'
import type { OpenSnapshot } from './snapshot/read.ts'
import type { OnRaise, StoreTarget } from './target.ts'

/** Entries of one batch, and their bytes. */
const batchMax = 1000
const batchBytesMax = 8 * 1024 * 1024

export interface Restored {
  readonly revision: Revision
  readonly entries: number
}

interface RestoreOptions {
  /** Revisions to skip after the snapshot's: clients may have seen this many that it doesn't have. */
  readonly margin: number
  readonly onRaise?: OnRaise
  readonly onEntries?: (written: number) => void
}

/** Fills a target with a snapshot that was checked to its end before. Rejects with StoreToolError. */
export async function restoreSnapshot(
  snapshot: OpenSnapshot,
  target: StoreTarget,
  { margin, onRaise, onEntries }: RestoreOptions,
): Promise<Restored> {
  await target.begin(asRevision(snapshot.header.revision + margin), onRaise)
  const entries = await writeAll(target, snapshot.inOrder(), onEntries)
  return { revision: await target.finish(), entries }
}

/** Resolves with their number. */
export async function writeAll(
  target: StoreTarget,
  entries: Iterable<StoredEntry>,
  onEntries: (written: number) => void = () => {},
): Promise<number> {
  let batch: StoredEntry[] = []
  let bytes = 0
  let written = 0
  const flush = async (): Promise<void> => {
    await target.write(batch)
    written += batch.length
    batch = []
    bytes = 0
    onEntries(written)
  }
  for (const entry of entries) {
    batch.push(entry)
    bytes += entry.value.length
    if (batch.length >= batchMax || bytes >= batchBytesMax) await flush()
  }
  await flush()
  return written
}

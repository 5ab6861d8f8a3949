import type { Snapshots } from '../../../lib/controlplane/index.ts'
import type { StoreContent } from '../../../lib/storage/index.ts'

/** The stored objects of a control plane at one moment, in the memory of this process. */
export interface PlaneSnapshot {
  /** Number of stored objects, those of the control plane itself included. */
  readonly objects: number
  /** The version of all of them together. */
  readonly resourceVersion: string
  /** When it was taken, by the clock of its control plane. */
  readonly takenAt: Date
}

/** Takes and restores the snapshots of one control plane. */
export interface PlaneSnapshots {
  take(): Promise<PlaneSnapshot>
  restore(snapshot: PlaneSnapshot): Promise<void>
}

/** Properties in which a control plane must equal the one of a snapshot, by name. */
export type PlaneForm = Readonly<Record<string, string>>

interface Taken {
  readonly content: StoreContent
  readonly form: PlaneForm
}

class TakenSnapshot implements PlaneSnapshot {
  readonly objects: number
  readonly resourceVersion: string
  readonly takenAt: Date
  readonly #taken: Taken

  constructor(taken: Taken) {
    const { records, revision, takenAtMs } = taken.content
    this.objects = records.size
    this.resourceVersion = String(revision)
    this.takenAt = new Date(takenAtMs)
    this.#taken = taken
  }

  /** Undefined: not a snapshot. */
  static taken(snapshot: unknown): Taken | undefined {
    return typeof snapshot === 'object' && snapshot !== null && #taken in snapshot ? snapshot.#taken : undefined
  }
}

/** `snapshots`: absent where the control plane does not store in memory. */
export function createPlaneSnapshots(snapshots: Snapshots | undefined, form: PlaneForm): PlaneSnapshots {
  function inMemory(): Snapshots {
    if (!snapshots) throw new Error('only a control plane in memory has snapshots')
    return snapshots
  }

  return {
    take: async () => new TakenSnapshot({ content: await inMemory().take(), form }),
    async restore(snapshot) {
      const into = inMemory()
      const taken = TakenSnapshot.taken(snapshot)
      if (!taken) throw new Error('restore: not a snapshot that this copy of the library has taken')
      for (const [name, wanted] of Object.entries(form))
        if (taken.form[name] !== wanted)
          throw new Error(`restore: the snapshot is of a control plane with ${name} ${taken.form[name]}, not ${wanted}`)
      await into.restore(taken.content)
    },
  }
}

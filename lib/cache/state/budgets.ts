import { Allotment } from './allotment.ts'
import { Budget } from './budget.ts'
import { TextSets } from './textsets.ts'

/** The budgets that all entries and events of a feed share. */
export interface Budgets {
  readonly entries: Budget
  readonly objects: Budget
  readonly frames: Budget
  /** Labels and fields of entries, and their indexes. */
  readonly selected: Allotment
  readonly labelSets: TextSets
}

export function createBudgets(options: {
  readonly entryBytesMax: number
  readonly objectBytesMax: number
  readonly frameBytesMax: number
  readonly selectedBytesMin: number
}): Budgets {
  const selected = new Allotment(options.selectedBytesMin)
  return {
    entries: new Budget(options.entryBytesMax, 4),
    objects: new Budget(options.objectBytesMax, 4),
    // Many watchers need a frame at once, and none soon after: the newest is always admitted.
    frames: new Budget(options.frameBytesMax, 1),
    selected,
    labelSets: new TextSets(selected),
  }
}

import type { ResourceOptions } from '../contract.ts'
import type { Budgets } from './budgets.ts'
import type { SharedBlocks } from './sharedblocks.ts'

/** The parts that entries of one resource share. */
export interface EntryHome
  extends Pick<ResourceOptions, 'decode' | 'isCanonical' | 'toCanonical' | 'labels' | 'storedLabels' | 'fields'> {
  readonly budgets: Budgets
  readonly blocks?: SharedBlocks
}

/** `undecodable` is called for each object that can't be decoded. */
export function createEntryHome(
  of: ResourceOptions,
  budgets: Budgets,
  blocks: SharedBlocks,
  undecodable: () => void,
): EntryHome {
  return {
    decode: counting(of.decode, undecodable),
    labels: of.labels,
    fields: of.fields,
    budgets,
    blocks,
    ...(of.storedLabels ? { storedLabels: of.storedLabels } : {}),
    ...(of.isCanonical ? { isCanonical: of.isCanonical } : {}),
    ...(of.toCanonical ? { toCanonical: of.toCanonical } : {}),
  }
}

/** `decode`, which counts its errors. */
function counting(decode: ResourceOptions['decode'], failed: () => void): ResourceOptions['decode'] {
  return (stored, revision, key) => {
    try {
      return decode(stored, revision, key)
    } catch (error) {
      failed()
      throw error
    }
  }
}

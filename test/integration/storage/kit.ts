import { findEtcd } from '../../../hack/programs.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../../lib/base/index.ts'
import type { Revision } from '../../../lib/object/index.ts'
import {
  createEtcdStore,
  type EtcdStore,
  type EtcdStoreOptions,
  type Store,
  StoreError,
} from '../../../lib/storage/index.ts'

export const hasEtcd = (await findEtcd()) !== undefined

export const dependencies = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics }

export function openEtcd(endpoints: readonly string[], options: Partial<EtcdStoreOptions> = {}): EtcdStore {
  return createEtcdStore(dependencies, { endpoints, fencePrefix: '/registry/fences/', ...options })
}

/** What a load wrote, as far as it knows. */
export interface Load {
  /** Writes that were answered: key to value to revision. */
  readonly answered: Map<string, { value: string; revision: Revision }[]>
  /** Errors seen, by code. */
  readonly errors: Map<string, number>
  /** Answers that can't be: a conflict on a key that only one lane writes. */
  readonly falseConflicts: string[]
  stop(): Promise<void>
}

/**
 * Lanes that each update their own key, one write after the other, and read its state back after an error
 * of unknown outcome.
 */
export function startLoad(store: Store, prefix: string, lanes: number): Load {
  const answered = new Map<string, { value: string; revision: Revision }[]>()
  const errors = new Map<string, number>()
  const falseConflicts: string[] = []
  let stopping = false

  async function lane(key: string): Promise<void> {
    const writes: { value: string; revision: Revision }[] = []
    answered.set(key, writes)
    let expected: Revision | undefined
    for (let i = 0; !stopping; i++) {
      const value = `${key}#${i}`
      try {
        const bytes = Buffer.from(value)
        const result = await (expected ? store.update(key, bytes, expected) : store.create(key, bytes))
        if (result.ok) writes.push({ value, revision: result.revision })
        else falseConflicts.push(`${value} expected ${expected}, current ${JSON.stringify(result.current)}`)
        expected = result.ok ? result.revision : result.current?.modRevision
      } catch (error) {
        const code = error instanceof StoreError ? error.code : String(error)
        errors.set(code, (errors.get(code) ?? 0) + 1)
        // The write may have happened, and may even happen a little later.
        await systemClock.sleep(20)
        expected = await standing(key, expected)
      }
    }
  }

  async function standing(key: string, before: Revision | undefined): Promise<Revision | undefined> {
    for (;;)
      try {
        return (await store.get(key)).value?.modRevision
      } catch {
        if (stopping) return before
        await systemClock.sleep(20)
      }
  }

  const running = Promise.all(Array.from({ length: lanes }, (_, i) => lane(`${prefix}${i}`)))
  return {
    answered,
    errors,
    falseConflicts,
    async stop() {
      stopping = true
      await running
    },
  }
}

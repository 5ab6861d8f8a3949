import { parseJsonText } from '../../object/index.ts'
import type { StoredColumn } from '../../storage/index.ts'
import type { FieldIndex } from '../contract.ts'
import type { CacheEntry } from './entry.ts'
import type { TextSet, TextSets } from './textsets.ts'

/** Texts that are saved with the value of each entry, so that a start need not read them from the values. */
export interface Column {
  readonly name: string
  /** Undefined: not known, or not readable. */
  textOf(entry: CacheEntry): string | undefined
}

export const labelsColumn = 'labels'

export function fieldColumn({ field }: Pick<FieldIndex, 'field'>): string {
  return `field ${field}`
}

export function createColumns(
  indexes: readonly FieldIndex[],
  { hasStoredLabels }: { readonly hasStoredLabels: boolean },
): readonly Column[] {
  const fields = indexes.map((index) => ({ name: fieldColumn(index), textOf: fieldReader(index) }))
  return hasStoredLabels ? [{ name: labelsColumn, textOf: labelsText }, ...fields] : fields
}

function labelsText(entry: CacheEntry): string | undefined {
  entry.readAhead()
  return entry.knownLabels && JSON.stringify(entry.knownLabels)
}

function fieldReader({ valueOf }: FieldIndex): Column['textOf'] {
  return (entry) => {
    try {
      return valueOf(entry.stored)
    } catch {
      return undefined
    }
  }
}

/** The labels of loaded entries, by their index; undefined: not known. */
export function savedLabels(
  column: StoredColumn | undefined,
  sets: TextSets,
): { readonly isWhole: boolean; of(index: number): TextSet | undefined } {
  if (!column) return { isWhole: false, of: () => undefined }
  const { ids, texts } = column
  const known: (TextSet | undefined)[] = []
  return {
    isWhole: !ids.includes(0),
    of(index) {
      const id = ids[index] ?? 0
      const text = texts[id - 1]
      // The text is that of `labelsText`.
      return text === undefined ? undefined : (known[id] ??= sets.of(parseJsonText(text) as Record<string, string>))
    },
  }
}

import { useEffect } from 'preact/hooks'
import type { Kind } from '../api/kinds.ts'
import type { LiveTable } from '../api/livetable.ts'
import { isMeasured, readUsages } from '../api/usage.ts'
import type { Column } from '../state/row.ts'
import { texts } from '../text.ts'

const everyMs = 15_000
const loadingMs = 300
/** Of a larger table, what all its objects use is too much to ask for. */
const rowsMax = 500
const mebibyte = 2 ** 20

const columns: readonly Column[] = [
  { name: texts.cpuUsed, type: 'number', description: texts.cpuUsedHint, priority: 0 },
  { name: texts.memoryUsed, type: 'number', description: texts.memoryUsedHint, priority: 0 },
]

interface UsageOptions {
  readonly namespace: string
  readonly labels: string
}

/** Appends what its objects use to a table of pods or nodes, where that is measured and the user may read it. */
export function useUsage(
  table: LiveTable | undefined,
  kind: Kind | undefined,
  { namespace, labels }: UsageOptions,
): void {
  useEffect(() => {
    if (!table || !kind || !isMeasured(kind)) return undefined
    const closing = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const read = async (): Promise<void> => {
      if (document.hidden || table.rows.size > rowsMax) return
      const usages = await readUsages(kind, { namespace, labelSelector: labels }, closing.signal)
      const cells = Array.from(usages, ([name, used]) => [name, cellsOf(used)] as const)
      if (!closing.signal.aborted) table.append(columns, new Map(cells))
    }
    const look = async (): Promise<void> => {
      const isLoaded = table.columns.peek().length > 0
      if (isLoaded) await read().catch(() => {}) // No columns, where there is nothing to read or no right to.
      if (!closing.signal.aborted) timer = setTimeout(() => void look(), isLoaded ? everyMs : loadingMs)
    }
    void look()
    return () => {
      clearTimeout(timer)
      closing.abort()
    }
  }, [table])
}

/** In thousandths of a core, and mebibytes. */
function cellsOf(used: ReadonlyMap<string, number>): readonly number[] {
  return [Math.round((used.get('cpu') ?? 0) * 1000), Math.round((used.get('memory') ?? 0) / mebibyte)]
}

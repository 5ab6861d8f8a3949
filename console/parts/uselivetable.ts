import { useEffect, useMemo } from 'preact/hooks'
import type { LiveTable } from '../api/livetable.ts'

/** A table that lives as long as the component shows it; another one when `inputs` change. */
export function useLiveTable(create: () => LiveTable | undefined, inputs: readonly unknown[]): LiveTable | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names them.
  const table = useMemo(create, inputs)
  useEffect(() => () => table?.close(), [table])
  return table
}

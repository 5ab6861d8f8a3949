import { collectionPath, type Kind, records, text } from './kinds.ts'
import { isRecord, readJson } from './session.ts'

/** A cell of an object's row, by the name of its column. */
export interface NamedCell {
  readonly column: string
  readonly value: unknown
}

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const rowsMax = 500

/**
 * What the server's tables of these kinds show by default, besides names and ages, by the objects' uids; of at most 500
 * objects a kind. Kinds that the user may not list are left out.
 */
export async function readCells(
  kinds: Iterable<Kind>,
  namespace: string,
  signal: AbortSignal,
): Promise<Map<string, readonly NamedCell[]>> {
  const read = async (kind: Kind): Promise<(readonly [string, readonly NamedCell[]])[]> => {
    const query = `includeObject=Metadata&limit=${rowsMax}`
    const table = await readJson(`${collectionPath(kind, namespace)}?${query}`, { accept: tableType, signal })
    const columns = records(table['columnDefinitions'])
    return records(table['rows']).map((row) => {
      const cells = Array.isArray(row['cells']) ? row['cells'] : []
      return [uidOf(row), cells.flatMap((value, index) => namedCell(columns[index], value))] as const
    })
  }
  const all = await Promise.all(Array.from(kinds, async (kind) => await read(kind).catch(() => [])))
  return new Map(all.flat())
}

function namedCell(column: Record<string, unknown> | undefined, value: unknown): NamedCell[] {
  const name = text(column?.['name'])
  const isShown = column?.['priority'] === 0 && !/^(?:Name|Age|)$/.test(name)
  return isShown && value !== null && value !== '' ? [{ column: name, value }] : []
}

function uidOf(row: Record<string, unknown>): string {
  const metadata = isRecord(row['object']) ? row['object']['metadata'] : undefined
  return isRecord(metadata) ? text(metadata['uid']) : ''
}

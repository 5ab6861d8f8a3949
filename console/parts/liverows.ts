import type { Kind } from '../api/kinds.ts'
import type { LiveTable } from '../api/livetable.ts'
import type { Row } from '../state/row.ts'
import { shortened, visible } from '../state/visible.ts'
import { texts } from '../text.ts'
import { Cell } from './cell.ts'
import { html } from './html.ts'
import { PlainTable } from './plaintable.ts'
import { useFrame } from './useframe.ts'

const cellCharactersMax = 1000

interface LiveRowsProps {
  readonly label: string
  readonly table: LiveTable
  readonly rowsMax: number
  readonly showsNamespace?: boolean
  /** Names are links to objects of this kind. Absent: cells are text, and longer. */
  readonly kind?: Kind
  /** Default: all rows. */
  readonly isShown?: (row: Row) => boolean
  /** Shown where there is no row. */
  readonly empty: string
}

/** The newest rows of a live table, with the columns that the server shows by default. */
export function LiveRows({ label, table, rowsMax, showsNamespace = false, kind, isShown, empty }: LiveRowsProps) {
  useFrame(table.changes)
  const found = [...table.rows.values()].filter((row) => isShown?.(row) ?? true)
  const rows = found.sort((a, b) => b.createdAtMs - a.createdAtMs).slice(0, rowsMax)
  if (rows.length === 0) return html`<p class="empty">${table.currency.value === 'loading' ? texts.loading : empty}</p>`
  const columns = table.columns.value
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.priority === 0)
  const names = columns.map(({ column }) => column.name)
  return html`
    <${PlainTable} label=${label} columns=${showsNamespace ? [texts.namespace, ...names] : names}>
      ${rows.map(
        (row) => html`
          <tr key=${row.uid}>
            ${showsNamespace && html`<td>${row.namespace}</td>`}
            ${columns.map(({ column, index }) => html`<td key=${index}>${kind ? html`<${Cell} column=${column} row=${row} value=${row.cells[index]} kind=${kind} />` : visible(shortened(String(row.cells[index] ?? ''), cellCharactersMax))}</td>`)}
          </tr>
        `,
      )}
    <//>
  `
}

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Kind } from '../api/kinds.ts'
import type { LiveTable } from '../api/livetable.ts'
import { Cell } from '../parts/cell.ts'
import { ColumnMenu } from '../parts/columnmenu.ts'
import { DrawnRows } from '../parts/drawnrows.ts'
import { html } from '../parts/html.ts'
import { useFrame } from '../parts/useframe.ts'
import { VirtualRows } from '../parts/virtualrows.ts'
import { isShown } from '../state/columns.ts'
import { currentRow, table as keyboard } from '../state/keys.ts'
import { pluralOf } from '../state/pluralname.ts'
import { adjust, goTo, route } from '../state/route.ts'
import type { Column, Row } from '../state/row.ts'
import { clearMarks, marked, markedMax, toggleAll, toggleMark } from '../state/selection.ts'
import type { Order } from '../state/shownrows.ts'
import { SortedRows } from '../state/sortedrows.ts'
import { texts } from '../text.ts'
import { BulkBar, hasBulkActions } from './bulk.ts'

const rowHeight = 32

/** The rows of a live table; the address's search filters them. */
export function Rows({ kind, table }: { readonly kind: Kind; readonly table: LiveTable }) {
  const order = useSignal<Order>({ column: 0, descending: false })
  const sorted = useMemo(() => new SortedRows(table), [table])
  useFrame(table.changes)
  const { search, namespace } = route.value
  const rows = sorted.read(search, order.value)
  const indexOf = (uid: string): number => rows.findIndex((row) => row.uid === uid)
  // Of the current row when it was last there: where it is deleted, the keyboard goes on from its place.
  const place = useRef(-1)
  const open = (row: Row | undefined): void => {
    if (row)
      goTo({ view: 'object', group: kind.group, resource: kind.resource, namespace: row.namespace, name: row.name })
  }
  useEffect(() => {
    const current = currentRow.value === '' ? -1 : indexOf(currentRow.value)
    if (current >= 0) place.current = current
    keyboard.move = (by) => {
      const at = indexOf(currentRow.value)
      const from = at >= 0 ? at : by > 0 ? place.current - 1 : place.current
      place.current = Math.max(0, Math.min(from + by, rows.length - 1))
      currentRow.value = rows[place.current]?.uid ?? ''
    }
    keyboard.open = () => open(rows[indexOf(currentRow.value)])
    keyboard.mark = () => {
      if (canMark && indexOf(currentRow.value) >= 0) toggleMark(currentRow.value)
    }
  })
  useEffect(() => {
    currentRow.value = ''
    place.current = -1
    return clearMarks
  }, [table])
  const canMark = hasBulkActions(kind)
  const drawn = useMemo(() => new DrawnRows(), [table])
  const arrangement = useMemo(() => ({}), [table, search, order.value])
  drawn.begin()
  if (rows.length === 0) return html`<${Empty} table=${table} kind=${kind} />`
  const kindKey = `${kind.group}/${kind.resource}`
  const columns = table.columns.value
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => isShown(kindKey, column))
  const showsNamespace = kind.namespaced && namespace === ''
  const markAll = (): void => toggleAll(rows.map(({ uid }) => uid))
  const shape = `${columns.map(({ index, column }) => `${index} ${column.name}`).join()} ${showsNamespace} ${canMark}`
  const drawRow = (row: Row, index: number) => html`
    <tr key=${row.uid} data-row=${row.uid} class=${row.deleting ? 'deleting' : ''} aria-rowindex=${index + 2}
      aria-current=${row.uid === currentRow.value ? 'true' : undefined} onClick=${() => open(row)}>
      ${canMark && html`<td class="mark" onClick=${stay}><input type="checkbox" aria-label=${texts.mark(row.name)} checked=${marked.value.has(row.uid)} onChange=${(event: Event) => mark(row, event)} /></td>`}
      ${showsNamespace && html`<td>${row.namespace}</td>`}
      ${columns.map((each) => html`<td key=${each.index}><${Cell} column=${each.column} row=${row} value=${row.cells[each.index]} kind=${kind} /></td>`)}
    </tr>
  `
  return html`
    <${BulkBar} kind=${kind} namespace=${namespace} rows=${table.rows} />
    <${VirtualRows}
      label=${kind.resource} count=${rows.length} rowHeight=${rowHeight} current=${currentRow.value} columns=${columns.length + Number(showsNamespace) + Number(canMark)}
      arrangement=${arrangement} keyOf=${(index: number) => rows[index]?.uid ?? ''} indexOf=${indexOf}
      header=${html`<${HeaderRow} columns=${columns} showsNamespace=${showsNamespace} order=${order} canMark=${canMark} count=${rows.length} onMarkAll=${markAll} />`}
      renderRow=${(index: number) => {
        const row = rows[index]
        if (!row) return undefined
        const look = `${index} ${row.uid === currentRow.value} ${marked.value.has(row.uid)} ${shape}`
        return drawn.read(row, look, () => drawRow(row, index))
      }}
    />
    <footer><span><span class="count">${rows.length}</span> ${texts.rows(rows.length)}</span> <${ColumnMenu} kind=${kindKey} columns=${table.columns.value} /></footer>
  `
}

function Empty({ table, kind }: { readonly table: LiveTable; readonly kind: Kind }) {
  const { search, labels, fields, namespace } = route.value
  const isLoading = table.currency.value === 'loading'
  if (isLoading) return html`<p class="empty">${texts.loading}</p>`
  const isFiltered = search !== '' || labels !== '' || fields !== ''
  return html`
    <div class="nothing">
      <p>${isFiltered ? texts.nothingMatches : namespace === '' ? texts.noObjects(pluralOf(kind)) : texts.noObjectsIn(pluralOf(kind), namespace)}</p>
      ${isFiltered && html`<button class="plain" onClick=${() => adjust({ search: '', labels: '', fields: '' })}>${texts.clearFilters}</button>`}
    </div>
  `
}

interface HeaderRowProps {
  readonly columns: readonly { readonly column: Column; readonly index: number }[]
  readonly showsNamespace: boolean
  readonly order: Signal<Order>
  readonly canMark: boolean
  /** Of the rows that are shown. */
  readonly count: number
  readonly onMarkAll: () => void
}

/** A click beside the box opens nothing. */
function stay(event: Event): void {
  event.stopPropagation()
}

/** The box shows what is so, also where the maximum is reached. */
function mark({ uid }: Row, { currentTarget }: Event): void {
  toggleMark(uid)
  if (currentTarget instanceof HTMLInputElement) currentTarget.checked = marked.value.has(uid)
}

function MarkAll({ count, onChange }: { readonly count: number; readonly onChange: () => void }) {
  const { size } = marked.value
  const isWhole = size >= Math.min(count, markedMax)
  return html`<input type="checkbox" aria-label=${texts.markAll} checked=${isWhole && size > 0} indeterminate=${size > 0 && !isWhole} onChange=${onChange} />`
}

function HeaderRow({ columns, showsNamespace, order, canMark, count, onMarkAll }: HeaderRowProps) {
  const { column: sorted, descending } = order.value
  const cell = (index: number, name: string, description: string) => html`
    <th key=${index} title=${description} aria-sort=${sorted === index ? (descending ? 'descending' : 'ascending') : undefined}>
      <button class="plain" onClick=${() => (order.value = { column: index, descending: sorted === index && !descending })}>${name}</button>
    </th>
  `
  return html`<tr>
    ${canMark && html`<th class="mark"><${MarkAll} count=${count} onChange=${onMarkAll} /></th>`}
    ${showsNamespace && cell(-1, texts.namespace, '')}
    ${columns.map(({ column, index }) => cell(index, column.name, column.description))}
  </tr>`
}

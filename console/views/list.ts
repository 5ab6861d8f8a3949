import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { findKind, type Kind } from '../api/kinds.ts'
import { LiveTable } from '../api/livetable.ts'
import { actingUser } from '../api/session.ts'
import { Age } from '../parts/age.ts'
import { ColumnMenu } from '../parts/columnmenu.ts'
import { html } from '../parts/html.ts'
import { useFrame } from '../parts/useframe.ts'
import { useLack } from '../parts/uselack.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { VirtualRows } from '../parts/virtualrows.ts'
import { isShown } from '../state/columns.ts'
import { currentRow, table as keyboard } from '../state/keys.ts'
import { adjust, goTo, linkTo, route } from '../state/route.ts'
import type { Column, Row } from '../state/row.ts'
import { fieldCompletions, labelCompletions } from '../state/selectorcompletions.ts'
import type { Order } from '../state/shownrows.ts'
import { SortedRows } from '../state/sortedrows.ts'
import { shortened, visible } from '../state/visible.ts'
import { explain, texts } from '../text.ts'

const rowHeight = 32
/** More does not fit into a column; the object's page has all. */
const cellCharactersMax = 200

/** A kind's objects as a live table, with the columns that the server defines for it. */
export function ListView() {
  const { group, resource, namespace, labels, fields } = route.value
  const kind = findKind(group, resource)
  const table = useLiveTable(
    () => kind && new LiveTable({ kind, namespace, labelSelector: labels, fieldSelector: fields }),
    [kind?.version, kind?.resource, kind?.group, namespace, labels, fields, actingUser.value],
  )
  if (!kind || !table) return html`<p class="empty">${texts.nothingHere}</p>`
  return html`
    <h1>${kind.kind} <small>${kind.group}</small> <${CurrencyNote} table=${table} /></h1>
    <${Filters} kind=${kind} table=${table} />
    <${Rows} kind=${kind} table=${table} />
  `
}

function CurrencyNote({ table }: { readonly table: LiveTable }) {
  const currency = table.currency.value
  const problem = table.problem.value
  return html`
    <span class=${`currency ${currency}`} role="status">${texts[currency]}</span>
    ${problem && html`<p role="alert" class="problem">${explain(problem.code, problem.message)}</p>`}
  `
}

function Filters({ kind, table }: { readonly kind: Kind; readonly table: LiveTable }) {
  const { search, labels, fields } = route.value
  const offered = useSignal<readonly string[]>([])
  const complete = {
    labels: (typed: string) => labelCompletions(typed, table.rows.values()),
    fields: (typed: string) => fieldCompletions(typed, kind.namespaced),
  }
  const completes = (name: 'labels' | 'fields') => {
    const offer = (event: Event): void => void (offered.value = complete[name](valueOf(event)))
    return { list: 'completions', onFocus: offer, onInput: offer }
  }
  const field = (
    name: 'search' | 'labels' | 'fields',
    value: string,
    label: string,
    event: 'onInput' | 'onChange',
    more: object = {},
  ) => html`
    <input
      type=${name === 'search' ? 'search' : 'text'} aria-label=${label} placeholder=${label} value=${value} spellcheck=${false}
      ...${{ ...more, [event]: (change: Event) => adjust({ [name]: valueOf(change) }) }}
    />
  `
  return html`
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      ${field('search', search, texts.search, 'onInput')} ${field('labels', labels, texts.labels, 'onChange', completes('labels'))}
      ${field('fields', fields, texts.fields, 'onChange', completes('fields'))}
      <${Completions} offered=${offered} />
      <span class="space" />
      ${kind.verbs.has('create') && html`<${CreateLink} kind=${kind} />`}
    </form>
  `
}

/** Drawn alone: the fields would lose what is typed. */
function Completions({ offered }: { readonly offered: Signal<readonly string[]> }) {
  return html`<datalist id="completions">${offered.value.map((each) => html`<option key=${each} value=${each} />`)}</datalist>`
}

/** Without a namespace it is open where the object will be. */
function CreateLink({ kind }: { readonly kind: Kind }) {
  const { namespace } = route.value
  const lack = useLack(kind, namespace)('create')
  if (lack !== undefined && !(kind.namespaced && namespace === ''))
    return html`<button type="button" disabled title=${lack}>${texts.create}</button>`
  const target = { view: 'create', group: kind.group, resource: kind.resource, namespace } as const
  return html`<a class="button" href=${linkTo(target)}>${texts.create}</a>`
}

function valueOf(event: Event): string {
  return event.currentTarget instanceof HTMLInputElement ? event.currentTarget.value : ''
}

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
  })
  useEffect(() => {
    currentRow.value = ''
    place.current = -1
  }, [table])
  const arrangement = useMemo(() => ({}), [table, search, order.value])
  if (rows.length === 0) return html`<${Empty} table=${table} search=${search} />`
  const kindKey = `${kind.group}/${kind.resource}`
  const columns = table.columns.value
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => isShown(kindKey, column))
  const showsNamespace = kind.namespaced && namespace === ''
  return html`
    <${VirtualRows}
      label=${kind.resource} count=${rows.length} rowHeight=${rowHeight} current=${currentRow.value} columns=${columns.length + 1}
      arrangement=${arrangement} keyOf=${(index: number) => rows[index]?.uid ?? ''} indexOf=${indexOf}
      header=${html`<${HeaderRow} columns=${columns} showsNamespace=${showsNamespace} order=${order} />`}
      renderRow=${(index: number) => {
        const row = rows[index]
        return (
          row &&
          html`
          <tr key=${row.uid} data-row=${row.uid} class=${row.deleting ? 'deleting' : ''} aria-rowindex=${index + 2}
            aria-current=${row.uid === currentRow.value ? 'true' : undefined} onClick=${() => open(row)}>
            ${showsNamespace && html`<td>${row.namespace}</td>`}
            ${columns.map((each) => html`<td key=${each.index}><${Cell} column=${each.column} row=${row} value=${row.cells[each.index]} kind=${kind} /></td>`)}
          </tr>
        `
        )
      }}
    />
    <footer><span class="count">${rows.length}</span> <${ColumnMenu} kind=${kindKey} columns=${table.columns.value} /></footer>
  `
}

function Empty({ table, search }: { readonly table: LiveTable; readonly search: string }) {
  const isLoading = table.currency.value === 'loading'
  return html`<p class="empty">${isLoading ? texts.loading : search === '' ? texts.nothingHere : texts.nothingMatches}</p>`
}

interface HeaderRowProps {
  readonly columns: readonly { readonly column: Column; readonly index: number }[]
  readonly showsNamespace: boolean
  readonly order: { value: Order }
}

function HeaderRow({ columns, showsNamespace, order }: HeaderRowProps) {
  const { column: sorted, descending } = order.value
  const cell = (index: number, name: string, description: string) => html`
    <th key=${index} title=${description} aria-sort=${sorted === index ? (descending ? 'descending' : 'ascending') : undefined}>
      <button class="plain" onClick=${() => (order.value = { column: index, descending: sorted === index && !descending })}>${name}</button>
    </th>
  `
  return html`<tr>
    ${showsNamespace && cell(-1, texts.namespace, '')}
    ${columns.map(({ column, index }) => cell(index, column.name, column.description))}
  </tr>`
}

interface CellProps {
  readonly column: Column
  readonly row: Row
  readonly value: unknown
  readonly kind: Kind
}

/** Names are links, so that they open in other tabs; ages go on by themselves. */
function Cell({ column, row, value, kind }: CellProps) {
  if (column.name === 'Age') return html`<${Age} ofMs=${row.createdAtMs} />`
  const shown = value === null || value === undefined ? '' : visible(shortened(String(value), cellCharactersMax))
  if (column.name !== 'Name') return shown
  const target = {
    view: 'object',
    group: kind.group,
    resource: kind.resource,
    namespace: row.namespace,
    name: row.name,
  } as const
  return html`<a href=${linkTo(target)}>${shown}</a>`
}

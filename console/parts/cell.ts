import type { Kind } from '../api/kinds.ts'
import { linkTo } from '../state/route.ts'
import type { Column, Row } from '../state/row.ts'
import { toneOf } from '../state/tone.ts'
import { shortened, visible } from '../state/visible.ts'
import { Age } from './age.ts'
import { html } from './html.ts'

/** More does not fit into a column; the object's page has all. */
const cellCharactersMax = 200

interface CellProps {
  readonly column: Column
  readonly row: Row
  readonly value: unknown
  readonly kind: Kind
}

/** Names are links, so that they open in other tabs; ages go on by themselves. */
export function Cell({ column, row, value, kind }: CellProps) {
  if (column.name === 'Age') return html`<${Age} ofMs=${row.createdAtMs} />`
  const shown = value === null || value === undefined ? '' : visible(shortened(String(value), cellCharactersMax))
  if (column.name !== 'Name') {
    const tone = toneOf(column.name, value)
    return tone === undefined ? shown : html`<span class=${`tone ${tone}`}>${shown}</span>`
  }
  const target = {
    view: 'object',
    group: kind.group,
    resource: kind.resource,
    namespace: row.namespace,
    name: row.name,
  } as const
  return html`<a href=${linkTo(target)}>${shown}</a>`
}

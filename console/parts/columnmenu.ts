import { choose, isShown } from '../state/columns.ts'
import type { Column } from '../state/row.ts'
import { texts } from '../text.ts'
import { html } from './html.ts'

/** The columns of a table, to be hidden and shown. */
export function ColumnMenu({ kind, columns }: { readonly kind: string; readonly columns: readonly Column[] }) {
  return html`
    <details class="menu">
      <summary>${texts.columns}</summary>
      <div>
        ${columns.map(
          (column) => html`
            <label key=${column.name} title=${column.description}>
              <input type="checkbox" checked=${isShown(kind, column)} onChange=${() => choose(kind, column, !isShown(kind, column))} />
              ${column.name}
            </label>
          `,
        )}
      </div>
    </details>
  `
}

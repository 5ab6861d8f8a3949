import type { ComponentChildren } from 'preact'
import { html } from './html.ts'

interface PlainTableProps {
  /** What the table holds, for screen readers. */
  readonly label: string
  readonly columns?: readonly string[]
  readonly children?: ComponentChildren
}

/** A small table whose rows are the children; scrolls within itself where it is wider than the page. */
export function PlainTable({ label, columns, children }: PlainTableProps) {
  return html`
    <div class="scroller">
      <table class="plain" aria-label=${label}>
        ${columns && html`<thead><tr>${columns.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>`}
        <tbody>${children}</tbody>
      </table>
    </div>
  `
}

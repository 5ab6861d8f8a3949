import type { DiffLine } from '../state/linediff.ts'
import { html } from './html.ts'

const classes = { ' ': '', '+': 'added', '-': 'removed' } as const

/** Lines of a difference, added and removed ones marked. */
export function Diff({ changes }: { readonly changes: readonly DiffLine[] }) {
  return html`<pre class="diff">${changes.map(
    ({ sign, text }, index) => html`<span key=${index} class=${classes[sign]}>${sign} ${text}${'\n'}</span>`,
  )}</pre>`
}

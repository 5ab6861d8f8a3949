import { type DiffLine, shownMax } from '../state/linediff.ts'
import { shortened, visible } from '../state/visible.ts'
import { html } from './html.ts'

const classes = { ' ': '', '+': 'added', '-': 'removed' } as const

const lineCharactersMax = 2000

/** Lines of a difference, added and removed ones marked; of very many, or very long ones, the first and their beginnings. */
export function Diff({ changes }: { readonly changes: readonly DiffLine[] }) {
  const line = ({ sign, text }: DiffLine, index: number) =>
    html`<span key=${index} class=${classes[sign]}>${sign} ${visible(shortened(text, lineCharactersMax))}${'\n'}</span>`
  const more = changes.length - shownMax
  return html`<pre class="diff" tabindex="0">${changes.slice(0, shownMax).map(line)}${more > 0 && `… (+${more})`}</pre>`
}

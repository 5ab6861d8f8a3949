import type { DiffLine } from '../state/linediff.ts'
import { texts } from '../text.ts'
import { Dialog } from './dialog.ts'
import { Diff } from './diff.ts'
import { html } from './html.ts'

interface ReviewProps {
  readonly changes: readonly DiffLine[]
  /** Of the server, about what would be stored. */
  readonly warnings: readonly string[]
  readonly onApply: () => void
  readonly onClose: () => void
}

/** What the server would store, before it does. */
export function Review({ changes, warnings, onApply, onClose }: ReviewProps) {
  return html`
    <${Dialog} title=${texts.save} onClose=${onClose}>
      <p class="hint">${changes.length === 0 ? texts.noChanges : texts.reviewHint}</p>
      ${warnings.length > 0 && html`<p class="problem">${texts.warningsOfWrite} ${warnings.join(' ')}</p>`}
      <${Diff} changes=${changes} />
      <button autofocus onClick=${onApply}>${texts.apply}</button>
      <button class="plain" onClick=${onClose}>${texts.cancel}</button>
    <//>
  `
}

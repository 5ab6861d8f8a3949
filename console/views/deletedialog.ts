import { useSignal } from '@preact/signals'
import type { Kind } from '../api/kinds.ts'
import { fieldOf, type LiveObject, metadataOf } from '../api/liveobject.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { RemovalVerdict, useRemovalTrial } from '../parts/removaltrial.ts'
import { texts } from '../text.ts'
import { OwnedTab } from './owned.ts'

interface DeleteDialogProps {
  readonly kind: Kind
  readonly live: LiveObject
  readonly path: string
  readonly onClose: () => void
  readonly onDelete: (propagationPolicy: string) => void
}

/** Asks before a deletion, with what goes along. */
export function DeleteDialog({ kind, live, path, onClose, onDelete }: DeleteDialogProps) {
  const policy = useSignal<string>('Background')
  const { verdict, tryRemoval } = useRemovalTrial()
  const finalizers = metadataOf(live.object)['finalizers']
  const isNamespace = kind.group === '' && fieldOf(live.object, 'kind') === 'Namespace'
  return html`
    <${Dialog} title=${texts.deleteQuestion} onClose=${onClose}>
      <p><code>${path}</code></p>
      ${isNamespace && html`<p class="problem">${texts.deletesContents}</p>`}
      ${Array.isArray(finalizers) && html`<p>${texts.waitsForFinalizers} ${finalizers.map(String).join(', ')}</p>`}
      <label>${texts.owned} <select value=${policy} onChange=${(event: Event) => {
        if (event.currentTarget instanceof HTMLSelectElement) policy.value = event.currentTarget.value
      }}>${Object.entries(texts.propagation).map(([value, title]) => html`<option key=${value} value=${value}>${title}</option>`)}</select></label>
      <div class="goesalong"><${OwnedTab} kind=${kind} live=${live} /></div>
      ${verdict.value && html`<${RemovalVerdict} of=${verdict.value} />`}
      <p class="buttons">
        <button class="danger" autofocus onClick=${() => onDelete(policy.value)}>${texts.delete}</button>
        <button class="plain" title=${texts.tryDeletionHint} onClick=${() => tryRemoval(path)}>${texts.tryDeletion}</button>
      </p>
    <//>
  `
}

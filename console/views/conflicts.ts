import { useSignal } from '@preact/signals'
import type { Conflict } from '../api/conflicts.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { texts } from '../text.ts'

interface ConflictsDialogProps {
  readonly conflicts: readonly Conflict[]
  /** Called with the conflicts in which their value stays. */
  readonly onChoose: (kept: ReadonlySet<Conflict>) => void
  readonly onClose: () => void
}

/** Fields that others manage or have changed meanwhile: each keeps their value unless the user forces his own. */
export function ConflictsDialog({ conflicts, onChoose, onClose }: ConflictsDialogProps) {
  const forced = useSignal<ReadonlySet<Conflict>>(new Set())
  const choose = (conflict: Conflict, isForced: boolean): void => {
    const next = new Set(forced.value)
    if (isForced) next.add(conflict)
    else next.delete(conflict)
    forced.value = next
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    onChoose(new Set(conflicts.filter((each) => !forced.value.has(each))))
  }
  return html`
    <${Dialog} title=${texts.conflicts} onClose=${onClose}>
      <p class="hint">${texts.conflictsHint}</p>
      <form onSubmit=${submit}>
        ${conflicts.map(
          (conflict, index) => html`
            <fieldset key=${conflict.field}>
              <legend><code>${conflict.field}</code>${' '}<small>${conflict.managers.join(', ')}</small></legend>
              ${[false, true].map(
                (isMine) => html`
                  <label>
                    <input type="radio" name=${`conflict-${index}`} checked=${forced.value.has(conflict) === isMine}
                      onChange=${() => choose(conflict, isMine)} />
                    ${isMine ? texts.forceMine : texts.keepTheirs}${' '}
                    <code>${shown(isMine ? conflict.change.after : conflict.theirs)}</code>
                  </label>
                `,
              )}
            </fieldset>
          `,
        )}
        <button type="submit">${texts.save}</button>
        <button type="button" class="plain" onClick=${onClose}>${texts.cancel}</button>
      </form>
    <//>
  `
}

const charactersMax = 400

function shown(value: unknown): string {
  const text = value === undefined ? texts.absent : JSON.stringify(value)
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}

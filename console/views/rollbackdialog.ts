import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ApiObject, fieldOf } from '../api/liveobject.ts'
import { type Rollout, readRollouts, revisionKey } from '../api/rollouts.ts'
import { Age } from '../parts/age.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { texts } from '../text.ts'

interface RollBackDialogProps {
  readonly deployment: ApiObject
  readonly onClose: () => void
  readonly onChoose: (rollout: Rollout) => void
}

/** The rollouts that a Deployment can go back to; those of one that is under way are read again as it goes on. */
export function RollBackDialog({ deployment, onClose, onChoose }: RollBackDialogProps) {
  const rollouts = useSignal<readonly Rollout[] | undefined>(undefined)
  const observed = fieldOf(deployment, 'metadata', 'annotations', revisionKey)
  useEffect(() => {
    readRollouts(deployment).then(
      (read) => (rollouts.value = read),
      () => (rollouts.value = []),
    )
  }, [observed])
  const earlier = rollouts.value?.slice(1)
  return html`
    <${Dialog} title=${texts.rollBack} onClose=${onClose}>
      ${earlier === undefined && html`<p class="empty">${texts.loading}</p>`}
      ${earlier?.length === 0 && html`<p class="empty">${texts.none}</p>`}
      <ul class="choices">
        ${earlier?.map(
          (rollout) => html`
            <li key=${rollout.revision}>
              <button class="plain" onClick=${() => onChoose(rollout)}>
                ${rollout.revision} ${rollout.images.join(', ')} <small><${Age} ofMs=${rollout.createdAtMs} /></small>
              </button>
            </li>
          `,
        )}
      </ul>
    <//>
  `
}

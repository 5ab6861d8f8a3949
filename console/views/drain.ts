import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { podsOn, startDrain } from '../api/drain.ts'
import { ApiError } from '../api/session.ts'
import { drainTexts } from '../draintext.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { ObjectLink } from '../parts/objectlink.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { countOf, type DrainedPod, type DrainProgress, isLeft, type Obstacle, type Step } from '../state/drainplan.ts'
import { type Drain, drains, keepDrain } from '../state/drains.ts'
import { shortened, visible } from '../state/visible.ts'
import { explain, texts } from '../text.ts'

interface DrainDialogProps {
  readonly node: string
  /** Of the node in the API. */
  readonly path: string
  /** Of its drain among those of the page. */
  readonly drainKey: string
  readonly onClose: () => void
}

/** Asks before a node is drained, with what would happen to each pod, and then shows how far it is. */
export function DrainDialog({ node, path, drainKey, onClose }: DrainDialogProps) {
  const drain = drains.value.get(drainKey)
  const isAsking = useSignal(drain === undefined)
  const start = (consents: ReadonlySet<Obstacle>): void => {
    keepDrain(drainKey, startDrain(node, path, consents))
    isAsking.value = false
  }
  return html`
    <${Dialog} title=${drainTexts.title(node)} onClose=${onClose}>
      ${
        isAsking.value || drain === undefined
          ? html`<${Question} node=${node} onStart=${start} />`
          : html`<${Progress} drain=${drain} onAgain=${() => (isAsking.value = true)} onClose=${onClose} />`
      }
    <//>
  `
}

const consentable = ['unmanaged', 'emptyDir'] as const

interface QuestionProps {
  readonly node: string
  readonly onStart: (consents: ReadonlySet<Obstacle>) => void
}

function Question({ node, onStart }: QuestionProps) {
  const pods = useSignal<readonly DrainedPod[] | undefined>(undefined)
  const problem = useSignal('')
  const consents = useSignal<ReadonlySet<Obstacle>>(new Set())
  useEffect(() => {
    const closing = new AbortController()
    podsOn(node, closing.signal).then(
      (found) => (pods.value = found),
      (error: unknown) => {
        if (!closing.signal.aborted)
          problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
      },
    )
    return () => closing.abort()
  }, [node])
  const found = pods.value
  const has = (obstacle: Obstacle): boolean => found?.some((pod) => pod.obstacle === obstacle) ?? false
  const toggle = (obstacle: Obstacle): void => {
    const next = new Set(consents.value)
    if (!next.delete(obstacle)) next.add(obstacle)
    consents.value = next
  }
  return html`
    <p class="hint">${drainTexts.hint}</p>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    ${consentable.filter(has).map(
      (obstacle) => html`
        <p key=${obstacle}><label>
          <input type="checkbox" checked=${consents.value.has(obstacle)} onChange=${() => toggle(obstacle)} /> ${drainTexts.consent[obstacle]}
        </label></p>
      `,
    )}
    ${found === undefined && problem.value === '' && html`<p class="empty">${texts.loading}</p>`}
    ${found?.length === 0 && html`<p class="empty">${drainTexts.none}</p>`}
    ${
      found !== undefined &&
      found.length > 0 &&
      html`
        <div class="goesalong">
          <${PlainTable} label=${drainTexts.pods}>
            ${found.map(
              (pod) => html`
                <tr key=${pod.uid}>
                  <th scope="row">${pod.namespace} / ${pod.name}</th>
                  <td class=${isLeft(pod, consents.value) ? 'faint' : ''}>${isLeft(pod, consents.value) ? drainTexts.steps.left : drainTexts.willGo}</td>
                  <td class="faint">${pod.obstacle === undefined ? '' : drainTexts.obstacles[pod.obstacle]}</td>
                </tr>
              `,
            )}
          <//>
        </div>
      `
    }
    <p class="buttons"><button class="danger" autofocus disabled=${found === undefined} onClick=${() => onStart(consents.value)}>${drainTexts.start}</button></p>
  `
}

interface ProgressProps {
  readonly drain: Drain
  readonly onAgain: () => void
  readonly onClose: () => void
}

const messageCharactersMax = 500

function Progress({ drain, onAgain, onClose }: ProgressProps) {
  const progress = drain.progress.value
  return html`
    <p role="status" class=${progress.phase === 'failed' ? 'problem' : ''}>${sentenceOf(progress)}</p>
    <div class="goesalong">
      <${PlainTable} label=${drainTexts.pods}>
        ${progress.pods.map(
          ({ pod, step }) => html`
            <tr key=${pod.uid}>
              <th scope="row"><${ObjectLink} resource="pods" namespace=${pod.namespace} name=${pod.name} /> <small>${pod.namespace}</small></th>
              <td class=${step.step === 'failed' || step.step === 'refused' ? 'problem' : ''}>${drainTexts.steps[step.step]}</td>
              <td>${noteOf(step, pod)}</td>
            </tr>
          `,
        )}
      <//>
    </div>
    <p class="buttons">
      ${
        progress.phase === 'runs'
          ? html`<button class="danger" onClick=${() => drain.stop()}>${drainTexts.stop}</button> <button class="plain" onClick=${onClose}>${drainTexts.hide}</button>`
          : html`<button onClick=${onClose}>${texts.close}</button> <button class="plain" onClick=${onAgain}>${drainTexts.again}</button>`
      }
    </p>
  `
}

function noteOf(step: Step, { obstacle }: DrainedPod): string {
  if (step.step === 'refused')
    return `${visible(shortened(step.message, messageCharactersMax))} (${drainTexts.tries(step.tries)})`
  if (step.step === 'failed') return visible(shortened(step.message, messageCharactersMax))
  return step.step === 'left' && obstacle !== undefined ? drainTexts.obstacles[obstacle] : ''
}

/** How far a drain is, in words. */
export function sentenceOf(progress: DrainProgress): string {
  const { phases } = drainTexts
  const left = countOf(progress, 'left', 'failed')
  const gone = countOf(progress, 'gone')
  if (progress.phase === 'runs') return phases.runs(gone, progress.pods.length - left)
  if (progress.phase === 'done') return phases.done(gone, left)
  return progress.phase === 'stopped' ? phases.stopped : `${phases.failed} ${progress.problem}`
}

import { useSignal } from '@preact/signals'
import { merge, remove, restart, scale, setCordoned } from '../api/changes.ts'
import { findKind, type Kind, objectPath, text } from '../api/kinds.ts'
import { fieldOf, type LiveObject, metadataOf } from '../api/liveobject.ts'
import { type Rollout, rollBack } from '../api/rollouts.ts'
import { ApiError, session } from '../api/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { loadedView } from '../parts/loadedview.ts'
import { useLack } from '../parts/uselack.ts'
import { countOf } from '../state/drainplan.ts'
import { drains } from '../state/drains.ts'
import { route } from '../state/route.ts'
import { explain, texts } from '../text.ts'
import { DeleteDialog } from './deletedialog.ts'
import { RollBackDialog } from './rollbackdialog.ts'

interface ActionsProps {
  readonly kind: Kind
  readonly live: LiveObject
}

/** What can be done to the object at once; grey, with the reason, where the user has no right to it. */
export function Actions({ kind, live }: ActionsProps) {
  const { namespace, name } = route.value
  const lackOf = useLack(kind, namespace)
  const problem = useSignal('')
  const asked = useSignal<'delete' | 'scale' | 'rollback' | 'drain' | undefined>(undefined)
  const path = objectPath(kind, namespace, name)
  const perform = async (action: () => Promise<unknown>): Promise<void> => {
    problem.value = ''
    asked.value = undefined
    try {
      await action()
    } catch (error) {
      problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
    }
  }
  const button = (title: string, verb: string, subresource: string, act: () => void, look = '') => {
    const reason = lackOf(verb, subresource, name)
    return html`<button class=${look} disabled=${reason !== undefined || live.isGone} title=${reason} onClick=${act}>${title}</button>`
  }
  return html`
    <div class="actions" role="toolbar" aria-label=${texts.actions}>
      ${kind.subresources.has('scale') && button(texts.scale, 'patch', 'scale', () => (asked.value = 'scale'))}
      ${isRestartable(live) && button(texts.restart, 'patch', '', () => void perform(() => restart(path)))}
      ${isPausable(live) && button(isPaused(live) ? texts.resume : texts.pause, 'patch', '', () => void perform(() => merge(path, { spec: { paused: isPaused(live) ? null : true } })))}
      ${isPausable(live) && button(texts.rollBack, 'patch', '', () => (asked.value = 'rollback'))}
      ${isNode(live) && button(isCordoned(live) ? texts.uncordon : texts.cordon, 'patch', '', () => void perform(() => setCordoned(path, !isCordoned(live))))}
      ${isNode(live) && html`<${DrainButton} kind=${kind} live=${live} onDrain=${() => (asked.value = 'drain')} />`}
      ${kind.verbs.has('delete') && button(texts.delete, 'delete', '', () => (asked.value = 'delete'), 'danger')}
    </div>
    ${isNode(live) && html`<${DrainUnderWay} node=${name} onShow=${() => (asked.value = 'drain')} />`}
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    ${
      asked.value === 'delete' &&
      html`
        <${DeleteDialog} kind=${kind} live=${live} path=${path} onClose=${() => (asked.value = undefined)}
          onDelete=${(policy: string) => void perform(() => remove(path, text(metadataOf(live.object)['uid']), { propagationPolicy: policy }))} />
      `
    }
    ${
      asked.value === 'drain' &&
      html`<${DrainView} node=${name} path=${path} drainKey=${drainKey(name)} onClose=${() => (asked.value = undefined)} />`
    }
    ${
      asked.value === 'rollback' &&
      live.object &&
      html`
        <${RollBackDialog} deployment=${live.object} onClose=${() => (asked.value = undefined)}
          onChoose=${(rollout: Rollout) => void perform(async () => live.object && (await rollBack(kind, live.object, rollout)))} />
      `
    }
    ${
      asked.value === 'scale' &&
      html`
        <${ScaleDialog} replicas=${Number(fieldOf(live.object, 'spec', 'replicas') ?? 1)}
          onClose=${() => (asked.value = undefined)} onScale=${(to: number) => void perform(() => scale(path, to))} />
      `
    }
  `
}

/** Of the signed-in user's drain of the node. */
function drainKey(node: string): string {
  return `${session.value?.id} ${session.value?.seenAs} ${node}`
}

/** Needs the right to cordon the node, and that to evict pods anywhere. */
function DrainButton({ live, kind, onDrain }: ActionsProps & { readonly onDrain: () => void }) {
  const name = text(metadataOf(live.object)['name'])
  const cordons = useLack(kind, '')('patch', '', name)
  const pods = useLack(findKind('', 'pods'), '')
  const lack = cordons ?? pods('list') ?? pods('create', 'eviction')
  return html`<button disabled=${lack !== undefined || live.isGone} title=${lack} onClick=${onDrain}>${texts.drain}</button>`
}

/** A drain that goes on behind its closed dialog. */
function DrainUnderWay({ node, onShow }: { readonly node: string; readonly onShow: () => void }) {
  const drain = drains.value.get(drainKey(node))
  const progress = drain?.progress.value
  if (drain === undefined || progress?.phase !== 'runs') return null
  const left = countOf(progress, 'left', 'failed')
  return html`
    <p class="actions" role="status">
      ${texts.drainUnderWay(countOf(progress, 'gone'), progress.pods.length - left)}
      <button class="plain" onClick=${onShow}>${texts.show}</button>
      <button class="plain" onClick=${() => drain.stop()}>${texts.stop}</button>
    </p>
  `
}

/** Loaded when it is opened. */
const DrainView = loadedView(async () => (await import('./drain.ts')).DrainDialog)

interface ScaleDialogProps {
  readonly replicas: number
  readonly onClose: () => void
  readonly onScale: (replicas: number) => void
}

function ScaleDialog({ replicas, onClose, onScale }: ScaleDialogProps) {
  const wanted = useSignal(String(replicas))
  const submit = (event: Event): void => {
    event.preventDefault()
    onScale(Number(wanted.value))
  }
  return html`
    <${Dialog} title=${texts.scale} onClose=${onClose}>
      <form onSubmit=${submit}>
        <label for="replicas">${texts.replicas}</label>
        <input id="replicas" type="number" min="0" required autofocus value=${wanted} onInput=${(event: Event) => {
          if (event.currentTarget instanceof HTMLInputElement) wanted.value = event.currentTarget.value
        }} />
        <button type="submit">${texts.apply}</button>
      </form>
    <//>
  `
}

function isRestartable({ object }: LiveObject): boolean {
  return fieldOf(object, 'spec', 'template', 'spec', 'containers') !== undefined && object?.['apiVersion'] === 'apps/v1'
}

/** Deployments are the workloads that can be paused and keep earlier templates. */
function isPausable({ object }: LiveObject): boolean {
  return object?.['kind'] === 'Deployment' && object['apiVersion'] === 'apps/v1'
}

function isNode({ object }: LiveObject): boolean {
  return object?.['kind'] === 'Node' && object['apiVersion'] === 'v1'
}

function isCordoned({ object }: LiveObject): boolean {
  return fieldOf(object, 'spec', 'unschedulable') === true
}

function isPaused({ object }: LiveObject): boolean {
  return fieldOf(object, 'spec', 'paused') === true
}

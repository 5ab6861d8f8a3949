import { useSignal } from '@preact/signals'
import { type Kind, objectPath, text } from '../api/kinds.ts'
import { fieldOf, type LiveObject, metadataOf } from '../api/liveobject.ts'
import { type Rollout, rollBack } from '../api/rollouts.ts'
import { ApiError, request } from '../api/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { useLack } from '../parts/uselack.ts'
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
  const asked = useSignal<'delete' | 'scale' | 'rollback' | undefined>(undefined)
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
  const button = (title: string, verb: string, subresource: string, act: () => void) => {
    const reason = lackOf(verb, subresource, name)
    return html`<button disabled=${reason !== undefined || live.isGone} title=${reason} onClick=${act}>${title}</button>`
  }
  return html`
    <div class="actions" role="toolbar" aria-label=${texts.actions}>
      ${kind.subresources.has('scale') && button(texts.scale, 'patch', 'scale', () => (asked.value = 'scale'))}
      ${isRestartable(live) && button(texts.restart, 'patch', '', () => void perform(() => restart(path)))}
      ${isPausable(live) && button(isPaused(live) ? texts.resume : texts.pause, 'patch', '', () => void perform(() => merge(path, { spec: { paused: isPaused(live) ? null : true } })))}
      ${isPausable(live) && button(texts.rollBack, 'patch', '', () => (asked.value = 'rollback'))}
      ${isNode(live) && button(isCordoned(live) ? texts.uncordon : texts.cordon, 'patch', '', () => void perform(() => merge(path, { spec: { unschedulable: isCordoned(live) ? null : true } })))}
      ${kind.verbs.has('delete') && button(texts.delete, 'delete', '', () => (asked.value = 'delete'))}
    </div>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    ${
      asked.value === 'delete' &&
      html`
        <${DeleteDialog} kind=${kind} live=${live} path=${path} onClose=${() => (asked.value = undefined)}
          onDelete=${(policy: string) => void perform(() => remove(path, live, policy))} />
      `
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

/** As `kubectl rollout restart` does it. */
async function restart(path: string): Promise<unknown> {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() }
  return await merge(path, { spec: { template: { metadata: { annotations } } } })
}

async function scale(path: string, replicas: number): Promise<unknown> {
  return await merge(`${path}/scale`, { spec: { replicas } })
}

async function merge(path: string, patch: unknown): Promise<unknown> {
  const contentType = 'application/merge-patch+json'
  return await request(`${path}?fieldManager=pilothouse-console`, {
    method: 'PATCH',
    contentType,
    body: JSON.stringify(patch),
  })
}

/** Deletes this object and no later one of its name. */
async function remove(path: string, live: LiveObject, propagationPolicy: string): Promise<unknown> {
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy,
    preconditions: { uid: text(metadataOf(live.object)['uid']) },
  }
  return await request(path, { method: 'DELETE', body: JSON.stringify(options) })
}

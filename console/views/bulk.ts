import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { remove, restart, setCordoned } from '../api/changes.ts'
import { type Kind, objectPath } from '../api/kinds.ts'
import { ApiError } from '../api/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { useLack } from '../parts/uselack.ts'
import { pluralOf } from '../state/pluralname.ts'
import type { Row } from '../state/row.ts'
import { clearMarks, marked, markedMax } from '../state/selection.ts'
import { shortened, visible } from '../state/visible.ts'
import { explain, texts } from '../text.ts'

interface BulkAction {
  readonly title: string
  readonly verb: string
  readonly isDangerous?: boolean
  isFor(kind: Kind): boolean
  perform(path: string, row: Row, propagationPolicy: string, signal: AbortSignal): Promise<unknown>
}

const isNodes = ({ group, resource }: Kind): boolean => group === '' && resource === 'nodes'

const actions: readonly BulkAction[] = [
  {
    title: texts.restart,
    verb: 'patch',
    isFor: ({ group, resource }) => group === 'apps' && /^(?:deployments|statefulsets|daemonsets)$/.test(resource),
    perform: (path, _row, _policy, signal) => restart(path, signal),
  },
  {
    title: texts.cordon,
    verb: 'patch',
    isFor: isNodes,
    perform: (path, _row, _policy, signal) => setCordoned(path, true, signal),
  },
  {
    title: texts.uncordon,
    verb: 'patch',
    isFor: isNodes,
    perform: (path, _row, _policy, signal) => setCordoned(path, false, signal),
  },
  {
    title: texts.delete,
    verb: 'delete',
    isDangerous: true,
    isFor: ({ verbs }) => verbs.has('delete'),
    perform: (path, { uid }, propagationPolicy, signal) => remove(path, uid, { propagationPolicy, signal }),
  },
]

/** Whether anything can be done to several objects of the kind at once. */
export function hasBulkActions(kind: Kind): boolean {
  return actions.some(({ isFor }) => isFor(kind))
}

interface BulkBarProps {
  readonly kind: Kind
  readonly namespace: string
  readonly rows: ReadonlyMap<string, Row>
}

/** What can be done to the marked rows; nothing where none is. Rows that are gone count no more. */
export function BulkBar({ kind, namespace, rows }: BulkBarProps) {
  const lackOf = useLack(kind, namespace)
  const asked = useSignal<{ action: BulkAction; rows: readonly Row[] } | undefined>(undefined)
  const chosen = [...marked.value].flatMap((uid) => rows.get(uid) ?? [])
  return html`
    ${
      chosen.length > 0 &&
      html`
        <div class="actions marked" role="toolbar" aria-label=${texts.markedActions}>
          <span role="status">${texts.marked(chosen.length, markedMax)}</span>
          ${actions
            .filter(({ isFor }) => isFor(kind))
            .map((action) => {
              const lack = lackOf(action.verb)
              return html`
                <button key=${action.title} class=${action.isDangerous ? 'danger' : ''} disabled=${lack !== undefined} title=${lack}
                  onClick=${() => (asked.value = { action, rows: chosen })}>${action.title}</button>
              `
            })}
          <button class="plain" onClick=${clearMarks}>${texts.unmark}</button>
        </div>
      `
    }
    ${asked.value && html`<${BulkDialog} kind=${kind} ...${asked.value} onClose=${() => (asked.value = undefined)} />`}
  `
}

const problemCharactersMax = 500
/** Requests at once. */
const workers = 5

interface BulkDialogProps {
  readonly kind: Kind
  readonly action: BulkAction
  readonly rows: readonly Row[]
  readonly onClose: () => void
}

/** Asks once for all objects, with their names, and shows how far it is. Closed, it begins with no further one. */
function BulkDialog({ kind, action, rows, onClose }: BulkDialogProps) {
  const policy = useSignal<string>('Background')
  const results = useSignal<ReadonlyMap<string, string>>(new Map())
  const isRunning = useSignal(false)
  const closing = useRef(new AbortController())
  useEffect(() => () => closing.current.abort(), [])
  const { signal } = closing.current
  const run = async (): Promise<void> => {
    isRunning.value = true
    const left = [...rows]
    const work = async (): Promise<void> => {
      for (let row = left.shift(); row && !signal.aborted; row = left.shift()) {
        const problem = await action
          .perform(objectPath(kind, row.namespace, row.name), row, policy.value, signal)
          .then(() => '', problemOf)
        if (!signal.aborted) results.value = new Map([...results.value, [row.uid, problem]])
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
    if (signal.aborted) return
    clearMarks()
    if ([...results.value.values()].every((problem) => problem === '')) onClose()
  }
  const title = `${action.title}: ${rows.length} ${rows.length === 1 ? kind.kind : pluralOf(kind)}`
  const failed = [...results.value.values()].filter(Boolean).length
  const isOver = results.value.size === rows.length
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      ${kind.kind === 'Namespace' && kind.group === '' && action.isDangerous && html`<p class="problem">${texts.deletesContents}</p>`}
      <ul class="names">
        ${rows.map(({ uid, namespace, name }) => {
          const result = results.value.get(uid)
          return html`
            <li key=${uid} class=${result === '' ? 'faint' : ''}>
              ${namespace !== '' && html`<small>${namespace} /</small> `}${name}
              ${result === '' ? ` ${texts.isDone}` : result !== undefined && html` <span class="problem">${visible(shortened(result, problemCharactersMax))}</span>`}
            </li>
          `
        })}
      </ul>
      ${
        action.isDangerous &&
        html`
          <p><label>${texts.owned} <select value=${policy} disabled=${isRunning.value} onChange=${(event: Event) => {
            if (event.currentTarget instanceof HTMLSelectElement) policy.value = event.currentTarget.value
          }}>${Object.entries(texts.propagation).map(([value, name]) => html`<option key=${value} value=${value}>${name}</option>`)}</select></label></p>
        `
      }
      ${isRunning.value && html`<p role="status">${texts.doneOf(results.value.size - failed, rows.length, failed)}</p>`}
      <p class="buttons">
        ${
          isOver
            ? html`<button onClick=${onClose}>${texts.close}</button>`
            : html`<button class=${action.isDangerous ? 'danger' : ''} autofocus disabled=${isRunning.value} onClick=${() => void run()}>${action.title}</button>
                <button class="plain" onClick=${onClose}>${texts.cancel}</button>`
        }
      </p>
    <//>
  `
}

function problemOf(error: unknown): string {
  return error instanceof ApiError ? explain(error.code, error.message) : String(error)
}

import { useEffect, useMemo } from 'preact/hooks'
import { findKind, type Kind } from '../api/kinds.ts'
import { type LiveObject, metadataOf } from '../api/liveobject.ts'
import { LiveTable } from '../api/livetable.ts'
import { html } from '../parts/html.ts'
import { useFrame } from '../parts/useframe.ts'
import { texts } from '../text.ts'

/** Events about the object, live, the latest first. */
export function EventsTab({ live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { uid, namespace } = metadataOf(live.object)
  const events = findKind('', 'events')
  if (!events || typeof uid !== 'string') return html`<p class="empty">${texts.loading}</p>`
  return html`<${EventRows} kind=${events} namespace=${String(namespace ?? '')} uid=${uid} />`
}

function EventRows({
  kind,
  namespace,
  uid,
}: {
  readonly kind: Kind
  readonly namespace: string
  readonly uid: string
}) {
  const table = useMemo(
    () => new LiveTable({ kind, namespace, labelSelector: '', fieldSelector: `involvedObject.uid=${uid}` }),
    [kind.version, namespace, uid],
  )
  useEffect(() => () => table.close(), [table])
  useFrame(table.changes)
  const rows = [...table.rows.values()].sort((a, b) => b.createdAtMs - a.createdAtMs)
  const columns = table.columns.value.filter(({ priority }) => priority === 0)
  if (rows.length === 0) return html`<p class="empty">${texts.nothingHere}</p>`
  return html`
    <table class="plain">
      <thead><tr>${columns.map(({ name }) => html`<th key=${name}>${name}</th>`)}</tr></thead>
      <tbody>
        ${rows.map((row) => html`<tr key=${row.uid}>${columns.map((_, index) => html`<td key=${index}>${String(row.cells[index] ?? '')}</td>`)}</tr>`)}
      </tbody>
    </table>
  `
}

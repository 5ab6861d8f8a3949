import { findKind, type Kind } from '../api/kinds.ts'
import { type LiveObject, metadataOf } from '../api/liveobject.ts'
import { LiveTable } from '../api/livetable.ts'
import { html } from '../parts/html.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { texts } from '../text.ts'
import { Rows } from './rows.ts'

/** The pods on a node, live. */
export function NodePodsTab({ live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const pods = findKind('', 'pods')
  const name = String(metadataOf(live.object)['name'] ?? '')
  const table = useLiveTable(
    () =>
      pods && name !== ''
        ? new LiveTable({ kind: pods, namespace: '', labelSelector: '', fieldSelector: `spec.nodeName=${name}` })
        : undefined,
    [pods?.version, name],
  )
  return pods && table ? html`<${Rows} kind=${pods} table=${table} />` : html`<p class="empty">${texts.loading}</p>`
}

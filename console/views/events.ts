import { findKind, type Kind } from '../api/kinds.ts'
import { type LiveObject, metadataOf } from '../api/liveobject.ts'
import { LiveTable } from '../api/livetable.ts'
import { html } from '../parts/html.ts'
import { LiveRows } from '../parts/liverows.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { texts } from '../text.ts'

const rowsMax = 500

/** Events about the object, live, the latest first. */
export function EventsTab({ live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { uid, namespace } = metadataOf(live.object)
  const kind = findKind('', 'events')
  const home = String(namespace ?? '')
  const table = useLiveTable(
    () =>
      kind && typeof uid === 'string'
        ? new LiveTable({ kind, namespace: home, labelSelector: '', fieldSelector: `involvedObject.uid=${uid}` })
        : undefined,
    [kind?.version, home, uid],
  )
  if (!table) return html`<p class="empty">${texts.loading}</p>`
  return html`<${LiveRows} label=${texts.events} table=${table} rowsMax=${rowsMax} empty=${texts.nothingHere} />`
}

import { type Kind, records, text } from '../api/kinds.ts'
import { type LiveObject, metadataOf } from '../api/liveobject.ts'
import { Age } from '../parts/age.ts'
import { html } from '../parts/html.ts'
import { ownedFields } from '../state/ownedfields.ts'
import { texts } from '../text.ts'

/** Which manager set which field, and when, from the object's managed fields. */
export function BlameTab({ live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const entries = records(metadataOf(live.object)['managedFields'])
  if (entries.length === 0) return html`<p class="empty">${texts.none}</p>`
  return entries.map(
    (entry) => html`
      <h2>${text(entry['manager'])} <small>${text(entry['operation'])} ${text(entry['subresource'])} <${Age} ofMs=${Date.parse(text(entry['time']))} /></small></h2>
      <ul class="fields">
        ${ownedFields(entry['fieldsV1']).map((path) => html`<li key=${path}><code>${path}</code></li>`)}
      </ul>
    `,
  )
}

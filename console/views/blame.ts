import { type Kind, records, text } from '../api/kinds.ts'
import { type LiveObject, metadataOf } from '../api/liveobject.ts'
import { Age } from '../parts/age.ts'
import { html } from '../parts/html.ts'
import { fieldsMax, ownedFields } from '../state/ownedfields.ts'
import { shortened, visible } from '../state/visible.ts'
import { texts } from '../text.ts'

const managersMax = 50
const pathCharactersMax = 500

/** Which manager set which field, and when, from the object's managed fields. */
export function BlameTab({ live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const entries = records(metadataOf(live.object)['managedFields'])
  if (entries.length === 0) return html`<p class="empty">${texts.none}</p>`
  let left = fieldsMax
  const shown = entries.slice(0, managersMax).map((entry) => {
    const fields = ownedFields(entry['fieldsV1'], left)
    left -= fields.length
    return { entry, fields }
  })
  return html`
    ${shown.map(
      ({ entry, fields }) => html`
        <h2>${text(entry['manager'])} <small>${text(entry['operation'])} ${text(entry['subresource'])} <${Age} ofMs=${Date.parse(text(entry['time']))} /></small></h2>
        <ul class="fields">
          ${fields.map((path) => html`<li key=${path}><code>${visible(shortened(path, pathCharactersMax))}</code></li>`)}
        </ul>
      `,
    )}
    ${left === 0 && html`<p class="hint">${texts.onlyFirst} ${fieldsMax}</p>`}
  `
}

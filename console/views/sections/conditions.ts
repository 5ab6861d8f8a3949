import { Age } from '../../parts/age.ts'
import { html } from '../../parts/html.ts'
import { PlainTable } from '../../parts/plaintable.ts'
import { type ApiObject, fieldOf, records, text } from '../../state/values.ts'
import { shortened, visible } from '../../state/visible.ts'
import { texts } from '../../text.ts'

const messageCharactersMax = 2000

/** The conditions of an object of any kind; nothing where it has none. */
export function ConditionsSection({ object }: { readonly object: ApiObject }) {
  const conditions = records(fieldOf(object, 'status', 'conditions'))
  if (conditions.length === 0) return null
  return html`
    <h2>${texts.conditions}</h2>
    <${PlainTable} label=${texts.conditions} columns=${[texts.type, texts.status, texts.reason, texts.message, texts.since]}>
      ${conditions.map(
        (condition) => html`
            <tr key=${text(condition['type'])}>
              <th scope="row">${text(condition['type'])}</th>
              <td><span class=${isBad(condition) ? 'tone bad' : ''}>${text(condition['status'])}</span></td>
              <td>${text(condition['reason'])}</td>
              <td>${visible(shortened(text(condition['message']), messageCharactersMax))}</td>
              <td><${Age} ofMs=${Date.parse(text(condition['lastTransitionTime']))} /></td>
            </tr>
          `,
      )}
    <//>
  `
}

/** Of conditions that report trouble, most are about a pressure; of the others, Ready and Available are those to see. */
function isBad({ type, status }: ApiObject): boolean {
  const reportsTrouble = /Pressure|Failure|Unavailable/.test(text(type))
  return reportsTrouble ? status === 'True' : /^(?:Ready|Available|PodScheduled)$/.test(text(type)) && status !== 'True'
}

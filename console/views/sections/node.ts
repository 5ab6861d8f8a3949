import { readList } from '../../api/lists.ts'
import { isMeasured, readNodeUsage } from '../../api/usage.ts'
import { html } from '../../parts/html.ts'
import { PlainTable } from '../../parts/plaintable.ts'
import { usePolled } from '../../parts/usepolled.ts'
import { readable, sumOf } from '../../state/quantity.ts'
import { type ApiObject, fieldOf, metadataOf, records, text } from '../../state/values.ts'
import { requestsOf } from '../../state/whypending.ts'
import { texts } from '../../text.ts'

const everyMs = 10_000

/** A node's resources, how much of them its pods ask for and use, and its taints. */
export function NodeSection({ object }: { readonly object: ApiObject }) {
  const name = text(metadataOf(object)['name'])
  const requested = usePolled(async (signal) => sumOf(await readRequests(name, signal)), { everyMs, inputs: [name] })
  const used = usePolled(async (signal) => sumOf([await readNodeUsage(name, signal)]), { everyMs, inputs: [name] })
  const hasUsage = isMeasured({ group: '', resource: 'nodes' })
  const allocatable = sumOf([fieldOf(object, 'status', 'allocatable')])
  const taints = records(fieldOf(object, 'spec', 'taints'))
  return html`
    <h2>${texts.resources}</h2>
    <${PlainTable} label=${texts.resources} columns=${[texts.resource, texts.requested, ...(hasUsage ? [texts.used] : []), texts.allocatable]}>
      ${[...allocatable].map(
        ([resource, amount]) => html`
          <tr key=${resource}>
            <th scope="row">${resource}</th>
            <td>${requested && readable(resource, requested.get(resource) ?? 0)}</td>
            ${hasUsage && html`<td>${used?.has(resource) && readable(resource, used.get(resource) ?? 0)}</td>`}
            <td>${readable(resource, amount)}</td>
          </tr>
        `,
      )}
    <//>
    ${
      taints.length > 0 &&
      html`
        <h2>${texts.taints}</h2>
        <ul>${taints.map((taint) => html`<li key=${taint['key']}><code>${text(taint['key'])}=${text(taint['value'])}:${text(taint['effect'])}</code></li>`)}</ul>
      `
    }
  `
}

/** Of the pods that still run there, and their number as `pods`. */
async function readRequests(node: string, signal: AbortSignal): Promise<Record<string, number>[]> {
  const fieldSelector = `spec.nodeName=${node},status.phase!=Succeeded,status.phase!=Failed`
  const pods = await readList('', 'pods', { fieldSelector, limit: 1000, signal })
  return pods.map((pod) => ({ ...Object.fromEntries(requestsOf(pod['spec'])), pods: 1 }))
}

import { readList } from '../../api/lists.ts'
import { html } from '../../parts/html.ts'
import { ObjectLink } from '../../parts/objectlink.ts'
import { PlainTable } from '../../parts/plaintable.ts'
import { usePolled } from '../../parts/usepolled.ts'
import { type ApiObject, fieldOf, metadataOf, records, text } from '../../state/values.ts'
import { texts } from '../../text.ts'

const everyMs = 3000
const shownMax = 200

/** Where a service's connections go, and which of those are ready. */
export function EndpointsSection({ object }: { readonly object: ApiObject }) {
  const { name, namespace } = metadataOf(object)
  const slices = usePolled(
    async (signal) =>
      await readList('discovery.k8s.io', 'endpointslices', {
        namespace: text(namespace),
        labelSelector: `kubernetes.io/service-name=${text(name)}`,
        signal,
      }),
    { everyMs, inputs: [name, namespace] },
  )
  if (!slices) return null
  const rows = slices.flatMap((slice) => records(slice['endpoints']).map((endpoint) => ({ slice, endpoint })))
  return html`
    <h2>${texts.endpoints}</h2>
    ${rows.length === 0 && html`<p class="empty">${texts.none}</p>`}
    ${
      rows.length > 0 &&
      html`
        <${PlainTable} label=${texts.endpoints} columns=${[texts.address, texts.ports, texts.ready, texts.target, texts.node]}>
          ${rows.slice(0, shownMax).map(({ slice, endpoint }, index) => html`<${Endpoint} key=${index} slice=${slice} endpoint=${endpoint} />`)}
        <//>
      `
    }
  `
}

function Endpoint({ slice, endpoint }: { readonly slice: ApiObject; readonly endpoint: ApiObject }) {
  const addresses = Array.isArray(endpoint['addresses']) ? endpoint['addresses'].join(', ') : ''
  const ports = records(slice['ports']).map(
    ({ name, port, protocol }) => `${text(name)} ${Number(port)}/${text(protocol)}`,
  )
  const pod = text(fieldOf(endpoint, 'targetRef', 'name'))
  const isReady = fieldOf(endpoint, 'conditions', 'ready') !== false
  return html`
    <tr>
      <td>${addresses}</td>
      <td>${ports.join(', ')}</td>
      <td class=${isReady ? '' : 'problem'}>${isReady ? texts.ready : texts.notReady}</td>
      <td><${ObjectLink} resource="pods" namespace=${text(metadataOf(slice)['namespace'])} name=${pod} /></td>
      <td>${text(endpoint['nodeName'])}</td>
    </tr>
  `
}

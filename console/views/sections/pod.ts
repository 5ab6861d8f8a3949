import { html } from '../../parts/html.ts'
import { ObjectLink } from '../../parts/objectlink.ts'
import { type ApiObject, fieldOf, metadataOf, records, text } from '../../state/values.ts'
import { texts } from '../../text.ts'

/** Where a pod runs, with which addresses and as whom. */
export function PodSection({ object }: { readonly object: ApiObject }) {
  const namespace = text(metadataOf(object)['namespace'])
  const node = text(fieldOf(object, 'spec', 'nodeName'))
  const account = text(fieldOf(object, 'spec', 'serviceAccountName'))
  const priorityClass = text(fieldOf(object, 'spec', 'priorityClassName'))
  const addresses = records(fieldOf(object, 'status', 'podIPs')).map(({ ip }) => text(ip))
  return html`
    <dl class="facts more">
      <dt>${texts.node}</dt>
      <dd>${node === '' ? texts.none : html`<${ObjectLink} resource="nodes" name=${node} />`}</dd>
      <dt>${texts.addresses}</dt>
      <dd>${addresses.join(', ') || texts.none}</dd>
      <dt>${texts.serviceAccount}</dt>
      <dd>${account === '' ? texts.none : html`<${ObjectLink} resource="serviceaccounts" namespace=${namespace} name=${account} />`}</dd>
      <dt>${texts.qosClass}</dt>
      <dd>${text(fieldOf(object, 'status', 'qosClass')) || texts.none}</dd>
      ${
        priorityClass !== '' &&
        html`
          <dt>${texts.priorityClass}</dt>
          <dd><${ObjectLink} group="scheduling.k8s.io" resource="priorityclasses" name=${priorityClass} /></dd>
        `
      }
    </dl>
  `
}

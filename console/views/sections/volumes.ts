import { readList } from '../../api/lists.ts'
import { html } from '../../parts/html.ts'
import { ObjectLink } from '../../parts/objectlink.ts'
import { usePolled } from '../../parts/usepolled.ts'
import { type ApiObject, fieldOf, metadataOf, records, text } from '../../state/values.ts'
import { texts } from '../../text.ts'

const everyMs = 5000

/** The volume that a claim has, and the pods that use it. */
export function ClaimSection({ object }: { readonly object: ApiObject }) {
  const { name, namespace } = metadataOf(object)
  const home = text(namespace)
  const pods = usePolled(async (signal) => await readList('', 'pods', { namespace: home, limit: 1000, signal }), {
    everyMs,
    inputs: [name, home],
  })
  const users = (pods ?? []).filter((pod) =>
    records(fieldOf(pod, 'spec', 'volumes')).some(
      (volume) => fieldOf(volume, 'persistentVolumeClaim', 'claimName') === name,
    ),
  )
  const volume = text(fieldOf(object, 'spec', 'volumeName'))
  return html`
    <dl class="facts more">
      <dt>${texts.volume}</dt>
      <dd>${volume === '' ? texts.none : html`<${ObjectLink} resource="persistentvolumes" name=${volume} />`} ${text(fieldOf(object, 'status', 'phase'))}</dd>
      <dt>${texts.usedBy}</dt>
      <dd>${
        users.length === 0
          ? texts.none
          : users.map(
              (pod) => html`<${ObjectLink} resource="pods" namespace=${home} name=${text(metadataOf(pod)['name'])} /> `,
            )
      }</dd>
    </dl>
  `
}

/** The claim that a volume belongs to. */
export function VolumeSection({ object }: { readonly object: ApiObject }) {
  const claim = fieldOf(object, 'spec', 'claimRef')
  const namespace = text(fieldOf(claim, 'namespace'))
  const name = text(fieldOf(claim, 'name'))
  return html`
    <dl class="facts more">
      <dt>${texts.claim}</dt>
      <dd>${
        name === ''
          ? texts.none
          : html`<${ObjectLink} resource="persistentvolumeclaims" namespace=${namespace} name=${name} /> (${namespace})`
      }</dd>
    </dl>
  `
}

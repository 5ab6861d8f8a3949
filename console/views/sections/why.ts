import type { Kind } from '../../api/kinds.ts'
import { readList } from '../../api/lists.ts'
import { html } from '../../parts/html.ts'
import { usePolled } from '../../parts/usepolled.ts'
import { type ApiObject, fieldOf, metadataOf, records, text } from '../../state/values.ts'
import { shortened, visible } from '../../state/visible.ts'
import { whyIncomplete, whyPending } from '../../state/whypending.ts'
import { why } from '../../text.ts'

const everyMs = 5000
const sentencesMax = 30
const sentenceCharactersMax = 2000

/** The obstacles of a pod or a workload, in sentences; nothing for one that waits for nothing. */
export function WhySection({ kind, object }: { readonly kind: Kind; readonly object: ApiObject }) {
  const { uid, namespace } = metadataOf(object)
  const isPod = kind.group === '' && kind.resource === 'pods'
  const mayWait = isPod ? isUnready(object) : isIncomplete(object)
  const read = async (signal: AbortSignal): Promise<string[]> => {
    if (!mayWait) return []
    return isPod ? await readPod(object, signal) : await readWorkload(object, text(namespace), text(uid), signal)
  }
  const revision = metadataOf(object)['resourceVersion']
  const found = usePolled(read, { everyMs, inputs: [uid, revision] })
  if (!mayWait || !found || found.length === 0) return null
  return html`
    <section aria-label=${why.title} class="why">
      <h2>${why.title}</h2>
      <ul>${found.slice(0, sentencesMax).map((each) => html`<li key=${each}>${visible(shortened(each, sentenceCharactersMax))}</li>`)}</ul>
    </section>
  `
}

function isUnready(pod: ApiObject): boolean {
  return !records(fieldOf(pod, 'status', 'conditions')).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )
}

function isIncomplete(object: ApiObject): boolean {
  const wanted = fieldOf(object, 'spec', 'replicas') ?? fieldOf(object, 'status', 'desiredNumberScheduled')
  const ready = fieldOf(object, 'status', 'readyReplicas') ?? fieldOf(object, 'status', 'numberReady') ?? 0
  return typeof wanted === 'number' && typeof ready === 'number' && ready < wanted
}

async function readPod(pod: ApiObject, signal: AbortSignal): Promise<string[]> {
  const namespace = text(metadataOf(pod)['namespace'])
  const nodes = await readList('', 'nodes', { signal }).catch(() => [])
  const named = records(fieldOf(pod, 'spec', 'volumes'))
    .map((volume) => text(fieldOf(volume, 'persistentVolumeClaim', 'claimName')))
    .filter((name) => name !== '')
  const stored = named.length === 0 ? [] : await readList('', 'persistentvolumeclaims', { namespace, signal })
  const claims = new Map(named.map((name) => [name, stored.find((claim) => metadataOf(claim)['name'] === name)]))
  return whyPending(pod, { nodes, claims })
}

/** Its conditions that say so, or else the latest refusal of a pod: by a quota, a policy, a missing account. */
async function readWorkload(object: ApiObject, namespace: string, uid: string, signal: AbortSignal): Promise<string[]> {
  const conditions = whyIncomplete(object)
  if (conditions.length > 0) return conditions
  const refusals = await readList('', 'events', {
    namespace,
    fieldSelector: `involvedObject.uid=${uid},reason=FailedCreate`,
    signal,
  }).catch(() => [])
  return refusals.slice(-1).map((event) => why.event(text(event['reason']), text(event['message'])))
}

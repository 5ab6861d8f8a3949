import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findKind, type Kind } from '../api/kinds.ts'
import { readList } from '../api/lists.ts'
import { type LiveObject, metadataOf } from '../api/liveobject.ts'
import { LiveTable } from '../api/livetable.ts'
import { Age } from '../parts/age.ts'
import { html } from '../parts/html.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { type Moment, timelineOf } from '../state/timeline.ts'
import { text } from '../state/values.ts'
import { shortened, visible } from '../state/visible.ts'
import { texts } from '../text.ts'

const eventsMax = 500
const messageCharactersMax = 2000
/** Changes that come together are read together. */
const gatherMs = 200

/** Events about the object, live, the latest first. */
export function EventsTab({ live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { uid, namespace } = metadataOf(live.object)
  const kind = findKind('', 'events')
  const home = text(namespace)
  const fieldSelector = `involvedObject.uid=${text(uid)}`
  // A table says when something changes; its cells are no times.
  const table = useLiveTable(
    () =>
      kind && uid !== undefined
        ? new LiveTable({ kind, namespace: home, labelSelector: '', fieldSelector })
        : undefined,
    [kind?.version, home, uid],
  )
  const moments = useSignal<readonly Moment[] | undefined>(undefined)
  useEffect(() => {
    if (!table) return undefined
    const closing = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async (): Promise<void> => {
      const options = { namespace: home, fieldSelector, limit: eventsMax, signal: closing.signal }
      const found = await readList('', 'events', options).catch(() => undefined)
      if (found && !closing.signal.aborted) moments.value = timelineOf(found)
    }
    const stop = table.changes.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void read(), gatherMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
      closing.abort()
    }
  }, [table])
  if (moments.value === undefined) return html`<p class="empty">${texts.loading}</p>`
  if (moments.value.length === 0) return html`<p class="empty">${texts.nothingHere}</p>`
  return html`<ol class="timeline" aria-label=${texts.events}>${moments.value.map((each) => html`<${MomentItem} key=${each.uid} of=${each} />`)}</ol>`
}

function MomentItem({ of }: { readonly of: Moment }) {
  return html`
    <li class=${of.isWarning ? 'bad' : ''}>
      <span class="when"><${Age} ofMs=${of.lastMs} /></span>
      <p>
        <strong>${visible(of.reason)}</strong> ${of.isWarning && html`<span class="problem">${texts.warning}</span>`}
        <small> ${visible(of.source)} ${of.count > 1 && html`${texts.timesSince(of.count)} <${Age} ofMs=${of.firstMs} />`}</small>
        <br />${visible(shortened(of.message, messageCharactersMax))}
      </p>
    </li>
  `
}

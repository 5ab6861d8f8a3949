import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { kinds } from '../api/kinds.ts'
import { type Named, readMetadata } from '../api/metadata.ts'
import { isRecord } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { adjust, linkTo, route } from '../state/route.ts'
import { texts } from '../text.ts'

const perKindMax = 500
const shownMax = 200

/** Objects of any kind by a part of their name or labels, within the rights of the user. */
export function SearchView() {
  const { search, namespace } = route.value
  const found = useSignal<readonly Named[] | undefined>(undefined)
  useEffect(() => {
    const closing = new AbortController()
    const listed = kinds.value.filter((kind) => kind.verbs.has('list') && kind.resource !== 'events')
    found.value = undefined
    void readMetadata(listed, namespace, { perKindMax, signal: closing.signal }).then((all) => {
      if (!closing.signal.aborted) found.value = all
    })
    return () => closing.abort()
  }, [namespace])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const wanted = search.toLowerCase()
  const matching = wanted === '' ? [] : (found.value ?? []).filter((object) => matches(object, wanted))
  return html`
    <h1>${texts.searchAll}</h1>
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <input type="search" ref=${field} aria-label=${texts.searchAll} placeholder=${texts.searchHint} value=${search}
        onInput=${(event: Event) => {
          if (event.currentTarget instanceof HTMLInputElement) adjust({ search: event.currentTarget.value })
        }} />
    </form>
    ${found.value === undefined && html`<p class="empty">${texts.loading}</p>`}
    ${found.value && wanted !== '' && matching.length === 0 && html`<p class="empty">${texts.nothingMatches}</p>`}
    <${PlainTable} label=${texts.searchAll}>
      ${matching.slice(0, shownMax).map(({ kind, name, namespace: home, uid }) => {
        const target = { view: 'object', group: kind.group, resource: kind.resource, namespace: home, name } as const
        return html`
            <tr key=${`${kind.group}/${uid}`}>
              <td>${kind.kind}</td>
              <td>${home}</td>
              <td><a href=${linkTo(target)}>${name}</a></td>
            </tr>
          `
      })}
    <//>
  `
}

function matches({ name, metadata }: Named, wanted: string): boolean {
  if (name.toLowerCase().includes(wanted)) return true
  const labels = isRecord(metadata['labels']) ? Object.entries(metadata['labels']) : []
  return labels.some(([key, value]) => `${key}=${String(value)}`.toLowerCase().includes(wanted))
}

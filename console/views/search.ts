import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { FieldMatch } from '../api/fieldsearch.ts'
import { type Kind, kinds } from '../api/kinds.ts'
import { type Named, readMetadata } from '../api/metadata.ts'
import { isRecord } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { adjust, linkTo, route } from '../state/route.ts'
import { shortened, visible } from '../state/visible.ts'
import { texts } from '../text.ts'

const perKindMax = 500
const shownMax = 200
/** Of a field's path and of its value. */
const valueCharactersMax = 200

/** Objects of any kind by a part of their name or labels, within the rights of the user. */
export function SearchView() {
  const { search, namespace } = route.value
  const found = useSignal<readonly Named[] | undefined>(undefined)
  const partlyRead = useSignal<readonly string[]>([])
  useEffect(() => {
    const closing = new AbortController()
    const listed = kinds.value.filter((kind) => kind.verbs.has('list') && kind.resource !== 'events')
    found.value = undefined
    const large: string[] = []
    const partly = ({ resource }: Kind): void => void large.push(resource)
    void readMetadata(listed, namespace, { perKindMax, partly, signal: closing.signal }).then((all) => {
      if (closing.signal.aborted) return
      found.value = all
      partlyRead.value = large
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
    <${Partly} resources=${partlyRead.value} />
    ${found.value && wanted !== '' && matching.length === 0 && html`<p class="empty">${texts.nothingMatches}</p>`}
    <${InFields} key=${namespace} />
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

/** Searches the text of fields when it is asked to, as all objects are read for it. */
function InFields() {
  const { search, namespace } = route.value
  const found = useSignal<readonly FieldMatch[] | undefined>(undefined)
  const partlyRead = useSignal<readonly string[]>([])
  const running = useSignal<AbortController | undefined>(undefined)
  const stop = (): void => {
    running.peek()?.abort()
    running.value = undefined
  }
  // What was found is about another text.
  useEffect(() => {
    found.value = undefined
    partlyRead.value = []
    return stop
  }, [search])
  const run = async (): Promise<void> => {
    const closing = new AbortController()
    running.value = closing
    const large: string[] = []
    const partly = ({ resource }: Kind): void => void large.push(resource)
    const { searchFields } = await import('../api/fieldsearch.ts')
    const listed = kinds.value.filter((kind) => kind.verbs.has('list'))
    const matching = await searchFields(listed, namespace, search, { partly, signal: closing.signal })
    if (closing.signal.aborted) return
    found.value = matching
    partlyRead.value = large
    running.value = undefined
  }
  return html`
    <p class="actions">
      <button disabled=${search === '' || running.value !== undefined} onClick=${() => void run()}>
        ${running.value ? texts.loading : texts.searchFields}
      </button>
      ${running.value && html`<button class="plain" onClick=${stop}>${texts.cancel}</button>`}
    </p>
    <${Partly} resources=${partlyRead.value} />
    ${found.value?.length === 0 && html`<p class="empty">${texts.nothingMatches}</p>`}
    ${
      found.value !== undefined &&
      found.value.length > 0 &&
      html`
        <${PlainTable} label=${texts.inFields}>
          ${found.value.map(({ kind, name, namespace: home, uid, field: { path, value } }) => {
            const target = {
              view: 'object',
              group: kind.group,
              resource: kind.resource,
              namespace: home,
              name,
            } as const
            return html`
              <tr key=${`${kind.group}/${kind.resource}/${uid}`}>
                <td>${kind.kind}</td>
                <td>${home}</td>
                <td><a href=${linkTo(target)}>${name}</a></td>
                <td><code>${visible(shortened(path, valueCharactersMax))}</code> ${visible(shortened(value, valueCharactersMax))}</td>
              </tr>
            `
          })}
        <//>
      `
    }
  `
}

function Partly({ resources }: { readonly resources: readonly string[] }) {
  return (
    resources.length > 0 && html`<p role="status" class="problem">${texts.searchedPartly} ${resources.join(', ')}</p>`
  )
}

function matches({ name, metadata }: Named, wanted: string): boolean {
  if (name.toLowerCase().includes(wanted)) return true
  const labels = isRecord(metadata['labels']) ? Object.entries(metadata['labels']) : []
  return labels.some(([key, value]) => `${key}=${String(value)}`.toLowerCase().includes(wanted))
}

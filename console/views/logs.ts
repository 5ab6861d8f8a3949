import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Kind, objectPath } from '../api/kinds.ts'
import { readLines } from '../api/lines.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { ApiError, request } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { useFrame } from '../parts/useframe.ts'
import { route } from '../state/route.ts'
import { explain, texts } from '../text.ts'
import { containerNames } from './containers.ts'

/** Lines that are kept; earlier ones are dropped. */
const linesMax = 5000
const tailLines = 1000

/** The log of one container, followed. */
export function LogsTab({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const names = containerNames(live.object)
  const container = useSignal('')
  const previous = useSignal(false)
  const follows = useSignal(true)
  const search = useSignal('')
  const problem = useSignal('')
  const changes = useSignal(0)
  const lines = useRef<string[]>([])
  const chosen = container.value || names[0] || ''
  const path = `${objectPath(kind, namespace, name)}/log`
  useEffect(() => {
    if (chosen === '') return undefined
    const closing = new AbortController()
    lines.current = []
    problem.value = ''
    changes.value++
    const query = new URLSearchParams({
      container: chosen,
      tailLines: String(tailLines),
      follow: String(!previous.value),
    })
    if (previous.value) query.set('previous', 'true')
    const read = async (): Promise<void> => {
      const { body } = await request(`${path}?${query}`, { accept: '*/*', signal: closing.signal })
      if (body === null) return
      for await (const more of readLines(body)) {
        lines.current.push(...more.slice(-linesMax))
        if (lines.current.length > linesMax) lines.current.splice(0, lines.current.length - linesMax)
        changes.value++
      }
    }
    read().catch((error: unknown) => {
      if (!closing.signal.aborted)
        problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
    })
    return () => closing.abort()
  }, [path, chosen, previous.value])
  useFrame(changes)
  const wanted = search.value.toLowerCase()
  const shown = wanted === '' ? lines.current : lines.current.filter((line) => line.toLowerCase().includes(wanted))
  const save = (): void => download(`${name}-${chosen}.log`, lines.current.join('\n'))
  return html`
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <select aria-label=${texts.container} value=${chosen} onChange=${(event: Event) => {
        if (event.currentTarget instanceof HTMLSelectElement) container.value = event.currentTarget.value
      }}>
        ${names.map((each) => html`<option key=${each}>${each}</option>`)}
      </select>
      <input type="search" aria-label=${texts.searchLogs} placeholder=${texts.searchLogs} onInput=${(event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) search.value = event.currentTarget.value
      }} />
      <label><input type="checkbox" checked=${follows} onChange=${() => (follows.value = !follows.value)} /> ${texts.follow}</label>
      <label><input type="checkbox" checked=${previous} onChange=${() => (previous.value = !previous.value)} /> ${texts.previous}</label>
      <button type="button" class="plain" onClick=${save}>${texts.download}</button>
    </form>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <${LogText} text=${shown.join('\n')} follows=${follows.value} />
  `
}

function LogText({ text, follows }: { readonly text: string; readonly follows: boolean }) {
  const element = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (follows && element.current) element.current.scrollTop = element.current.scrollHeight
  }, [text, follows])
  return html`<pre class="log" ref=${element} tabindex="0" role="log" aria-label=${texts.logs}>${text}</pre>`
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

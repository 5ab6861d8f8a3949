import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Kind } from '../api/kinds.ts'
import { fieldOf, type LiveObject } from '../api/liveobject.ts'
import { findLogSources, type LogSource, readLog } from '../api/podlogs.ts'
import { ApiError } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { useFrame } from '../parts/useframe.ts'
import { route } from '../state/route.ts'
import { explain, texts } from '../text.ts'
import { containerNames } from './containers.ts'

/** Lines that are kept; earlier ones are dropped. */
const linesMax = 5000
const tailLines = 1000
/** Containers of a workload that are followed at once. */
const sourcesMax = 20
/** Colours of pods in the style sheet. */
const colours = 8

interface LogLine {
  /** Position of its source. */
  readonly source: number
  readonly text: string
}

/** The log of one container of a pod, or of all pods of a workload, followed. */
export function LogsTab({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const isPod = kind.subresources.has('log')
  const names = containerNames(live.object)
  const container = useSignal('')
  const chosen = container.value || names[0] || ''
  const selector = JSON.stringify(fieldOf(live.object, 'spec', 'selector') ?? null)
  const sources = useSignal<readonly LogSource[]>([])
  useEffect(() => {
    if (isPod) sources.value = chosen === '' ? [] : [{ namespace, pod: name, container: chosen }]
    else
      void findLogSources(JSON.parse(selector), namespace, sourcesMax).then(
        (found) => (sources.value = found),
        () => {},
      )
  }, [isPod, namespace, name, chosen, selector])
  return html`
    ${
      isPod &&
      html`
        <div class="filters">
          <select aria-label=${texts.container} value=${chosen} onChange=${(event: Event) => {
            if (event.currentTarget instanceof HTMLSelectElement) container.value = event.currentTarget.value
          }}>
            ${names.map((each) => html`<option key=${each}>${each}</option>`)}
          </select>
        </div>
      `
    }
    ${sources.value.length > 0 && html`<${Follower} sources=${sources.value} name=${name} />`}
  `
}

function Follower({ sources, name }: { readonly sources: readonly LogSource[]; readonly name: string }) {
  const previous = useSignal(false)
  const follows = useSignal(true)
  const search = useSignal('')
  const problem = useSignal('')
  const changes = useSignal(0)
  const lines = useRef<LogLine[]>([])
  useEffect(() => {
    const closing = new AbortController()
    lines.current = []
    problem.value = ''
    changes.value++
    const options = { tailLines, follow: !previous.value, previous: previous.value, signal: closing.signal }
    const follow = async (source: LogSource, index: number): Promise<void> => {
      for await (const more of readLog(source, options)) {
        for (const text of more.slice(-linesMax)) lines.current.push({ source: index, text })
        if (lines.current.length > linesMax) lines.current.splice(0, lines.current.length - linesMax)
        changes.value++
      }
    }
    for (const [index, source] of sources.entries())
      follow(source, index).catch((error: unknown) => {
        if (closing.signal.aborted) return
        problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
      })
    return () => closing.abort()
  }, [sources, previous.value])
  useFrame(changes)
  const wanted = search.value.toLowerCase()
  const shown = wanted === '' ? lines.current : lines.current.filter(({ text }) => text.toLowerCase().includes(wanted))
  const save = (): void => download(`${name}.log`, lines.current.map(({ text }) => text).join('\n'))
  return html`
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <input type="search" aria-label=${texts.searchLogs} placeholder=${texts.searchLogs} onInput=${(event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) search.value = event.currentTarget.value
      }} />
      <label><input type="checkbox" checked=${follows} onChange=${() => (follows.value = !follows.value)} /> ${texts.follow}</label>
      <label><input type="checkbox" checked=${previous} onChange=${() => (previous.value = !previous.value)} /> ${texts.previous}</label>
      <button type="button" class="plain" onClick=${save}>${texts.download}</button>
    </form>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <${LogText} lines=${shown} sources=${sources} follows=${follows.value} />
  `
}

interface LogTextProps {
  readonly lines: readonly LogLine[]
  readonly sources: readonly LogSource[]
  readonly follows: boolean
}

function LogText({ lines, sources, follows }: LogTextProps) {
  const element = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (follows && element.current) element.current.scrollTop = element.current.scrollHeight
  }, [lines, follows])
  const body =
    sources.length === 1
      ? lines.map(({ text }) => text).join('\n')
      : lines.map(
          ({ source, text }, index) =>
            html`<span key=${index}><b class=${`pod${source % colours}`}>${sources[source]?.pod}</b> ${text}${'\n'}</span>`,
        )
  return html`<pre class="log" ref=${element} tabindex="0" role="log" aria-label=${texts.logs}>${body}</pre>`
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Kind } from '../api/kinds.ts'
import { fieldOf, type LiveObject } from '../api/liveobject.ts'
import { findLogSources, type LogSource, readLog } from '../api/podlogs.ts'
import { ApiError } from '../api/session.ts'
import { ContainerChoice } from '../parts/containerchoice.ts'
import { html } from '../parts/html.ts'
import { saveFile } from '../parts/savefile.ts'
import { useFrame } from '../parts/useframe.ts'
import { VirtualLines } from '../parts/virtuallines.ts'
import { BadPattern, patternFilter, textFilter } from '../state/linefilter.ts'
import { type LineFilter, LogBuffer, type LogLine, shownLine } from '../state/logbuffer.ts'
import { route } from '../state/route.ts'
import { explain, texts } from '../text.ts'
import { containerNames } from './containers.ts'

const tailLines = 1000
/** Containers of a workload that are followed at once. */
const sourcesMax = 20
/** Colours of pods in the style sheet. */
const colours = 8
/** Time of a frame for filtering. */
const stepMs = 8

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
          <${ContainerChoice} names=${names} chosen=${chosen} container=${container} />
        </div>
      `
    }
    ${sources.value.length > 0 && html`<${Follower} sources=${sources.value} name=${name} />`}
  `
}

function Follower({ sources, name }: { readonly sources: readonly LogSource[]; readonly name: string }) {
  const previous = useSignal(false)
  const follows = useSignal(true)
  const problem = useSignal('')
  const changes = useSignal(0)
  const buffer = useMemo(() => new LogBuffer(), [])
  useEffect(() => {
    const closing = new AbortController()
    buffer.clear()
    problem.value = ''
    changes.value++
    const options = { tailLines, follow: !previous.value, previous: previous.value, signal: closing.signal }
    const follow = async (source: LogSource, index: number): Promise<void> => {
      for await (const more of readLog(source, options)) {
        buffer.add(index, more)
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
  const isDone = buffer.step(stepMs)
  useEffect(() => {
    if (!isDone) changes.value++
  })
  const save = (): void => saveFile(`${name}.log`, [buffer.lines.map(({ text }) => `${text}\n`).join('')])
  const toggle = (value: { value: boolean }, label: string) => html`
    <label><input type="checkbox" checked=${value} onChange=${() => (value.value = !value.value)} /> ${label}</label>
  `
  return html`
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <${LineSearch} onFilter=${(filter: LineFilter | undefined) => {
        buffer.filterBy(filter)
        changes.value++
      }} />
      ${toggle(follows, texts.follow)} ${toggle(previous, texts.previous)}
      <button type="button" class="plain" onClick=${save}>${texts.download}</button>
    </form>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <${VirtualLines} label=${texts.logs} lines=${buffer.shown} follows=${follows.value}
      onFollow=${(value: boolean) => (follows.value = value)}
      renderLine=${({ source, text }: LogLine) => html`
        ${sources.length > 1 && html`<b class=${`pod${source % colours}`}>${sources[source]?.pod} </b>`}${shownLine(text)}
      `} />
    <p class="count">${buffer.shown.length === buffer.lines.length ? buffer.lines.length : `${buffer.shown.length} / ${buffer.lines.length}`}</p>
  `
}

/** The text, or the expression, that lines have to hold. */
function LineSearch({ onFilter }: { readonly onFilter: (filter: LineFilter | undefined) => void }) {
  const wanted = useSignal('')
  const isPattern = useSignal(false)
  const problem = useSignal('')
  useEffect(() => {
    let isLatest = true
    problem.value = ''
    const apply = async (): Promise<void> => {
      const filter = isPattern.value ? await patternFilter(wanted.value) : textFilter(wanted.value)
      if (isLatest) onFilter(filter)
    }
    apply().catch((error: unknown) => {
      if (isLatest) problem.value = error instanceof BadPattern ? error.message : explain(0, String(error))
    })
    return () => (isLatest = false)
  }, [wanted.value, isPattern.value])
  return html`
    <input type="search" aria-label=${texts.searchLogs} placeholder=${texts.searchLogs} spellcheck=${false}
      onInput=${(event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) wanted.value = event.currentTarget.value
      }} />
    <label><input type="checkbox" checked=${isPattern} onChange=${() => (isPattern.value = !isPattern.value)} /> ${texts.expression}</label>
    ${problem.value !== '' && html`<span role="alert" class="problem">${problem.value}</span>`}
  `
}

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { readMetrics } from '../api/exposition.ts'
import { html } from '../parts/html.ts'
import { labelledSamples, observed, observedNames } from '../state/observed.ts'
import { ratePerSecond, readSamples, type Samples } from '../state/series.ts'
import { texts } from '../text.ts'

const periodMs = 5000
const firstMs = 1000
/** A quarter of an hour. */
const pointsMax = 180
const pointsMin = 12

interface Chart {
  readonly title: string
  /** Absent: every server has it. */
  readonly needs?: string
  value(before: Samples, after: Samples, seconds: number): number
}

const requests = 'apiserver_request_total'
const time = 'apiserver_request_duration_seconds'
const etcdTime = 'etcd_request_duration_seconds'
const charted = [
  requests,
  'workqueue_depth',
  'apiserver_longrunning_requests',
  'process_resident_memory_bytes',
  'nodejs_eventloop_lag_seconds',
]
const sampleNames = new Set([...charted, ...[time, etcdTime].flatMap((each) => [`${each}_sum`, `${each}_count`])])
const metricNames = [...sampleNames, ...observedNames]

const charts: readonly Chart[] = [
  { title: texts.requests, value: (before, after, seconds) => ratePerSecond(requests, before, after, seconds) },
  { title: texts.errors, value: (before, after, seconds) => ratePerSecond(`${requests}:5xx`, before, after, seconds) },
  { title: texts.latency, value: meanMs(time) },
  { title: texts.watches, value: (_, after) => after.get('apiserver_longrunning_requests') ?? 0 },
  { title: texts.memory, value: (_, after) => (after.get('process_resident_memory_bytes') ?? 0) / 1e6 },
  { title: texts.loop, value: (_, after) => (after.get('nodejs_eventloop_lag_seconds') ?? 0) * 1000 },
  { title: texts.waitingKeys, needs: 'workqueue_depth', value: (_, after) => after.get('workqueue_depth') ?? 0 },
  { title: texts.storeTime, needs: `${etcdTime}_count`, value: meanMs(etcdTime) },
]

/** Of a histogram between two readings; 0 without observations. */
function meanMs(histogram: string): Chart['value'] {
  return (before, after, seconds) => {
    const count = ratePerSecond(`${histogram}_count`, before, after, seconds)
    return count === 0 ? 0 : (ratePerSecond(`${histogram}_sum`, before, after, seconds) / count) * 1000
  }
}

/** Charts of this replica from its metrics, while the page is visible; nothing for users who may not read those. */
export function Charts() {
  const points = useSignal<readonly (readonly number[])[]>([])
  const known = useSignal<readonly boolean[]>([])
  useEffect(() => {
    const closing = new AbortController()
    let before: { samples: Samples; atMs: number } | undefined
    const read = async (): Promise<void> => {
      const text = await readMetrics(metricNames, closing.signal)
      observed.value = labelledSamples(text)
      const after = { samples: readSamples(text, sampleNames), atMs: performance.now() }
      const earlier = before
      before = after
      known.value = charts.map(({ needs }) => needs === undefined || after.samples.has(needs))
      if (earlier === undefined) return
      const seconds = (after.atMs - earlier.atMs) / 1000
      const values = charts.map((chart) => chart.value(earlier.samples, after.samples, seconds))
      points.value = [...points.value, values].slice(-pointsMax)
    }
    const tick = async (): Promise<void> => void (document.hidden || (await read().catch(() => {})))
    void tick()
    // Rates need two readings.
    const first = setTimeout(() => void tick(), firstMs)
    const timer = setInterval(() => void tick(), periodMs)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
      closing.abort()
    }
  }, [])
  if (known.value.length === 0) return null
  return html`
    <section class="cards charts">
      ${charts.map((chart, index) => known.value[index] && html`<${Line} key=${chart.title} title=${chart.title} values=${points.value.map((point) => point[index] ?? 0)} />`)}
    </section>
  `
}

const width = 220
const height = 48

function Line({ title, values }: { readonly title: string; readonly values: readonly number[] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context) return
    const max = Math.max(...values, Number.EPSILON)
    context.clearRect(0, 0, width, height)
    context.strokeStyle = context.fillStyle = getComputedStyle(canvas.current).color
    context.lineWidth = 1.5
    // The latest is at the right; a page that was opened just now shows less time.
    const span = Math.max(values.length, pointsMin)
    const xOf = (index: number): number => ((span - values.length + index) * width) / (span - 1)
    context.beginPath()
    for (const [index, value] of values.entries()) context.lineTo(xOf(index), height - 2 - (value / max) * (height - 4))
    context.stroke()
    context.lineTo(width, height)
    context.lineTo(xOf(0), height)
    context.globalAlpha = 0.12
    context.fill()
    context.globalAlpha = 1
  }, [values])
  const latest = values.at(-1)
  const shown = latest === undefined ? '…' : latest >= 100 ? latest.toFixed(0) : latest.toFixed(latest >= 1 ? 1 : 2)
  return html`
    <div class="card">
      <h2>${title}</h2>
      <p class="figure">${shown}</p>
      <canvas ref=${canvas} width=${width} height=${height} role="img" aria-label=${`${title}: ${shown}`} />
    </div>
  `
}

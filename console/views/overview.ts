import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findKind, kinds, text } from '../api/kinds.ts'
import { LiveTable } from '../api/livetable.ts'
import { actingUser, readJson } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { LiveRows } from '../parts/liverows.ts'
import { useFrame } from '../parts/useframe.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { linkTo } from '../state/route.ts'
import type { Row } from '../state/row.ts'
import { now } from '../state/time.ts'
import { texts } from '../text.ts'
import { Charts } from './charts.ts'
import { EndingSoon, Leases, MetricTables } from './clusterstate.ts'

/** The server, its nodes, and the latest warnings. */
export function OverviewView() {
  const version = useSignal('')
  useEffect(
    () =>
      void readJson('/version').then(
        (read) => (version.value = text(read['gitVersion'])),
        () => {},
      ),
    [],
  )
  return html`
    <h1>${texts.overview}</h1>
    <section class="cards">
      <div class="card"><h2>${texts.version}</h2><p class="figure">${version}</p></div>
      <${NodesCard} />
      <div class="card"><h2>${texts.allKinds}</h2><p class="figure">${kinds.value.length}</p></div>
    </section>
    <${Charts} />
    <${MetricTables} />
    <${EndingSoon} />
    <${Leases} />
    <${Warnings} />
  `
}

function NodesCard() {
  const kind = findKind('', 'nodes')
  const table = useLiveTable(
    () => kind && new LiveTable({ kind, namespace: '', labelSelector: '', fieldSelector: '' }),
    [kind?.version, actingUser.value],
  )
  if (!table) return null
  return html`<${NodesCount} table=${table} />`
}

function NodesCount({ table }: { readonly table: LiveTable }) {
  useFrame(table.changes)
  const status = table.columns.value.findIndex(({ name }) => name === 'Status')
  const rows = [...table.rows.values()]
  const ready = rows.filter((row) => /^Ready\b/.test(String(row.cells[status] ?? ''))).length
  return html`
    <a class="card" href=${linkTo({ resource: 'nodes' })}>
      <h2>${texts.nodes}</h2>
      <p class="figure">${ready} <small>${texts.ready}</small></p>
      ${ready < rows.length && html`<p class="problem">${rows.length - ready} ${texts.notReady}</p>`}
    </a>
  `
}

const warningsMax = 20
const hourMs = 3_600_000

function isRecent({ createdAtMs }: Row): boolean {
  return createdAtMs > now.value - hourMs
}

function Warnings() {
  const kind = findKind('', 'events')
  const table = useLiveTable(
    () => kind && new LiveTable({ kind, namespace: '', labelSelector: '', fieldSelector: 'type=Warning' }),
    [kind?.version, actingUser.value],
  )
  return (
    table &&
    html`
      <h2>${texts.warnings}</h2>
      <${LiveRows} label=${texts.warnings} table=${table} rowsMax=${warningsMax} isShown=${isRecent} showsNamespace empty=${texts.none} />
    `
  )
}

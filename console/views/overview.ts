import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findKind, kinds, text } from '../api/kinds.ts'
import { LiveTable } from '../api/livetable.ts'
import { actingUser, readJson } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { LiveRows } from '../parts/liverows.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { useFrame } from '../parts/useframe.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { linkTo } from '../state/route.ts'
import { texts } from '../text.ts'
import { Charts } from './charts.ts'

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
    <${Leaders} />
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

/** Who leads: the leases of the system's namespace with a holder. */
function Leaders() {
  const kind = findKind('coordination.k8s.io', 'leases')
  const table = useLiveTable(
    () => kind && new LiveTable({ kind, namespace: 'kube-system', labelSelector: '', fieldSelector: '' }),
    [kind?.version, actingUser.value],
  )
  return table ? html`<${LeaderRows} table=${table} />` : null
}

function LeaderRows({ table }: { readonly table: LiveTable }) {
  useFrame(table.changes)
  const holder = table.columns.value.findIndex(({ name }) => name === 'Holder')
  const rows = [...table.rows.values()].filter((row) => String(row.cells[holder] ?? '') !== '')
  if (rows.length === 0) return null
  return html`
    <h2>${texts.leaders}</h2>
    <${PlainTable} label=${texts.leaders}>
      ${rows.map((row) => html`<tr key=${row.uid}><th scope="row">${row.name}</th><td>${String(row.cells[holder])}</td></tr>`)}
    <//>
  `
}

const warningsMax = 20

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
      <${LiveRows} label=${texts.warnings} table=${table} rowsMax=${warningsMax} showsNamespace empty=${texts.none} />
    `
  )
}

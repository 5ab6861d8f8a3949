import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findKind, kinds, text } from '../api/kinds.ts'
import { readList } from '../api/lists.ts'
import { LiveTable } from '../api/livetable.ts'
import { actingUser, readJson, session } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { LiveRows } from '../parts/liverows.ts'
import { useFrame } from '../parts/useframe.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { usePolled } from '../parts/usepolled.ts'
import { helpIsOpen, paletteIsOpen } from '../state/keys.ts'
import { observed } from '../state/observed.ts'
import { linkTo } from '../state/route.ts'
import type { Row } from '../state/row.ts'
import { now } from '../state/time.ts'
import { texts } from '../text.ts'
import { Charts } from './charts.ts'
import { EndingSoon, Leases, MetricTables, Stores } from './clusterstate.ts'

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
    <div class="heading"><h1>${texts.overview} <small>${version}</small></h1></div>
    <${FirstSteps} />
    <section class="cards">
      <${NodesCard} />
      <${PodsCard} />
      <${KindsCard} />
      <${Stores} samples=${observed.value} />
    </section>
    <${Charts} />
    <${Warnings} />
    <${EndingSoon} />
    <${MetricTables} />
    <${Leases} />
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

/** Pods that neither run nor have ended: few, of however many. */
const troubled = 'status.phase!=Running,status.phase!=Succeeded'

function PodsCard() {
  const kind = findKind('', 'pods')
  const table = useLiveTable(
    () => kind && new LiveTable({ kind, namespace: '', labelSelector: '', fieldSelector: troubled }),
    [kind?.version, actingUser.value],
  )
  return table && html`<${PodsCount} table=${table} />`
}

/** How many there are is known where the metrics are. */
function PodsCount({ table }: { readonly table: LiveTable }) {
  useFrame(table.changes)
  if (table.currency.value === 'loading' || table.currency.value === 'refused') return null
  const all = observed.value.find(
    ({ name, labels }) =>
      name === 'apiserver_resource_objects' && labels['group'] === '' && labels['resource'] === 'pods',
  )?.value
  const waiting = table.rows.size
  return html`
    <a class="card" href=${linkTo({ resource: 'pods', fields: waiting > 0 ? troubled : '' })}>
      <h2>${texts.pods}</h2>
      ${
        all === undefined
          ? html`<p class="figure">${waiting} <small>${texts.podsWait}</small></p>`
          : html`<p class="figure">${all}</p>${waiting > 0 && html`<p class="problem">${waiting} ${texts.podsWait}</p>`}`
      }
    </a>
  `
}

function KindsCard() {
  return html`
    <button class="card" onClick=${() => (paletteIsOpen.value = true)}>
      <h2>${texts.allKinds}</h2><p class="figure">${kinds.value.length}</p>
    </button>
  `
}

/** What to do first, until there is a pod. */
function FirstSteps() {
  const pods = usePolled(async (signal) => await readList('', 'pods', { limit: 1, signal }), {
    everyMs: 10_000,
    inputs: [session.value?.seenAs],
  })
  if (pods?.length !== 0) return null
  const create = linkTo({ view: 'create', group: 'apps', resource: 'deployments', namespace: 'default' })
  return html`
    <section class="first">
      <h2>${texts.firstSteps}</h2>
      <p>${texts.firstHint}</p>
      <p class="buttons"><a class="button" href=${create}>${texts.firstDeployment}</a> <button class="plain" onClick=${() => (helpIsOpen.value = true)}>${texts.keys} <kbd>?</kbd></button></p>
    </section>
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

import { findKind } from '../../api/kinds.ts'
import { LiveTable } from '../../api/livetable.ts'
import { html } from '../../parts/html.ts'
import { LiveRows } from '../../parts/liverows.ts'
import { useFrame } from '../../parts/useframe.ts'
import { useLiveTable } from '../../parts/uselivetable.ts'
import { linkTo } from '../../state/route.ts'
import { selectorText, selectsPods } from '../../state/selectortext.ts'
import { type ApiObject, fieldOf, metadataOf, text } from '../../state/values.ts'
import { shortened, visible } from '../../state/visible.ts'
import { texts } from '../../text.ts'

const rowsMax = 20
const charactersMax = 1000

/** The pods that a workload's selector chooses, live, and how it replaces them. Nothing for objects without a template. */
export function SelectedPodsSection({ object }: { readonly object: ApiObject }) {
  const namespace = text(metadataOf(object)['namespace'])
  const labels = selectsPods(object) ? selectorText(fieldOf(object, 'spec', 'selector')) : ''
  const kind = findKind('', 'pods')
  const table = useLiveTable(
    () =>
      kind && labels !== '' ? new LiveTable({ kind, namespace, labelSelector: labels, fieldSelector: '' }) : undefined,
    [kind?.version, namespace, labels],
  )
  if (!kind || !table) return null
  const strategy = fieldOf(object, 'spec', 'strategy') ?? fieldOf(object, 'spec', 'updateStrategy')
  return html`
    <dl class="facts more">
      <dt>${texts.selector}</dt>
      <dd><code class="pair">${visible(shortened(labels, charactersMax))}</code></dd>
      ${strategy !== undefined && html`<dt>${texts.strategy}</dt><dd>${visible(shortened(strategyText(strategy), charactersMax))}</dd>`}
    </dl>
    <h2>${texts.pods}</h2>
    <${LiveRows} label=${texts.pods} table=${table} kind=${kind} rowsMax=${rowsMax} empty=${texts.none} />
    <${AllPods} table=${table} href=${linkTo({ resource: 'pods', namespace, labels })} />
  `
}

/** Where there are more than are shown. */
function AllPods({ table, href }: { readonly table: LiveTable; readonly href: string }) {
  useFrame(table.changes)
  return table.rows.size > rowsMax && html`<p><a href=${href}>${texts.allOf(table.rows.size)}</a></p>`
}

/** As `RollingUpdate, maxSurge 25%, maxUnavailable 25%`. */
function strategyText(strategy: unknown): string {
  const limits = Object.entries(Object(fieldOf(strategy, 'rollingUpdate'))).map(
    ([name, value]) => `${name} ${String(value)}`,
  )
  return [text(fieldOf(strategy, 'type')), ...limits].filter(Boolean).join(', ')
}

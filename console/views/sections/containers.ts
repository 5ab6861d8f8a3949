import { isMeasured, readPodUsage } from '../../api/usage.ts'
import { Age } from '../../parts/age.ts'
import { html } from '../../parts/html.ts'
import { PlainTable } from '../../parts/plaintable.ts'
import { usePolled } from '../../parts/usepolled.ts'
import { type ContainerState, type ContainerSummary, containersOf, podOf } from '../../state/containersummary.ts'
import { readable, sumOf } from '../../state/quantity.ts'
import { type ApiObject, metadataOf } from '../../state/values.ts'
import { shortened, visible } from '../../state/visible.ts'
import { texts } from '../../text.ts'

const rowsMax = 200
const charactersMax = 1000
const everyMs = 10_000
const none: ReadonlyMap<string, unknown> = new Map()

/** The containers of a pod with their states and what they use, or those of a template; nothing for other objects. */
export function ContainersSection({ object }: { readonly object: ApiObject }) {
  const pod = podOf(object)
  const hasUsage = pod === object && isMeasured({ group: '', resource: 'pods' })
  const usage = usePolled(async (signal) => (hasUsage ? await readPodUsage(object, signal) : none), {
    everyMs,
    inputs: [metadataOf(object)['uid'], hasUsage],
  })
  if (pod === undefined) return null
  const containers = containersOf(pod, rowsMax + 1)
  const isRunning = containers.some(({ state }) => state !== undefined)
  const hasLast = containers.some(({ last }) => last !== undefined)
  const columns = [
    texts.name,
    texts.image,
    ...(isRunning ? [texts.state, texts.restarts] : []),
    ...(hasLast ? [texts.lastEnd] : []),
    ...(hasUsage ? [texts.used] : []),
    texts.ports,
    texts.requestsOf,
    texts.limits,
  ]
  return html`
    <h2>${texts.containers}</h2>
    <${PlainTable} label=${texts.containers} columns=${columns}>
      ${containers.slice(0, rowsMax).map((each) => html`<${Container} key=${`${each.role} ${each.name}`} of=${each} isRunning=${isRunning} hasLast=${hasLast} usage=${hasUsage ? (usage?.get(each.name) ?? {}) : undefined} />`)}
    <//>
    ${containers.length > rowsMax && html`<p>${texts.more}</p>`}
  `
}

interface ContainerProps {
  readonly of: ContainerSummary
  readonly isRunning: boolean
  readonly hasLast: boolean
  /** By resource, as quantities; undefined where nothing measures it. */
  readonly usage: unknown
}

function Container({ of, isRunning, hasLast, usage }: ContainerProps) {
  return html`
    <tr>
      <th scope="row">${visible(shortened(of.name, charactersMax))} <small>${texts.roles[of.role]}</small></th>
      <td>${visible(shortened(of.image, charactersMax))}</td>
      ${isRunning && html`<td><${State} of=${of.state} /></td><td>${of.restarts}</td>`}
      ${hasLast && html`<td><${State} of=${of.last} /></td>`}
      ${usage !== undefined && html`<td>${usageText(usage)}</td>`}
      ${[of.ports, of.requests, of.limits].map((list, index) => html`<td key=${index}>${visible(shortened(list, charactersMax))}</td>`)}
    </tr>
  `
}

/** As `cpu 0.012, memory 12 Mi`. */
function usageText(usage: unknown): string {
  return Array.from(sumOf([usage]), ([resource, amount]) => `${resource} ${readable(resource, amount)}`).join(', ')
}

function State({ of }: { readonly of: ContainerState | undefined }) {
  if (of === undefined) return null
  return html`<span class=${of.tone === undefined ? '' : `tone ${of.tone}`}>${visible(shortened(of.words, charactersMax))}</span> <small><${Age} ofMs=${of.sinceMs} /></small>`
}

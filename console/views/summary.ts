import { useMemo } from 'preact/hooks'
import { findKindOf, type Kind, records, text } from '../api/kinds.ts'
import { type ApiObject, type LiveObject, metadataOf } from '../api/liveobject.ts'
import { LiveTable } from '../api/livetable.ts'
import { isRecord } from '../api/session.ts'
import { Age } from '../parts/age.ts'
import { html } from '../parts/html.ts'
import { useFrame } from '../parts/useframe.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { linkTo } from '../state/route.ts'
import { toneOf } from '../state/tone.ts'
import { shortened, visible } from '../state/visible.ts'
import { texts } from '../text.ts'
import { ConditionsSection } from './sections/conditions.ts'
import { ContainersSection } from './sections/containers.ts'
import { EndpointsSection } from './sections/endpoints.ts'
import { NodeSection } from './sections/node.ts'
import { PodSection } from './sections/pod.ts'
import { PortsSection } from './sections/ports.ts'
import { SelectedPodsSection } from './sections/selectedpods.ts'
import { ClaimSection, VolumeSection } from './sections/volumes.ts'
import { WhySection } from './sections/why.ts'

/** Metadata, owners, and what the kind is about. */
export function SummaryTab({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { object } = live
  if (object === undefined) return html`<p class="empty">${texts.loading}</p>`
  const metadata = metadataOf(object)
  const owners = records(metadata['ownerReferences'])
  const more = sectionsOf(kind)
  return html`
    <${Columns} kind=${kind} namespace=${text(metadata['namespace'])} name=${text(metadata['name'])} />
    <${WhySection} kind=${kind} object=${object} />
    <dl class="facts">
      <dt>${texts.created}</dt>
      <dd><${Age} ofMs=${Date.parse(text(metadata['creationTimestamp']))} /></dd>
      <dt>${texts.labels}</dt>
      <dd><${Pairs} of=${metadata['labels']} /></dd>
      <dt>${texts.annotations}</dt>
      <dd><${Pairs} of=${metadata['annotations']} /></dd>
      <dt>${texts.owners}</dt>
      <dd>${owners.length === 0 ? texts.none : owners.map((owner) => html`<${OwnerLink} owner=${owner} namespace=${text(metadata['namespace'])} />`)}</dd>
      <dt>${texts.metadata}</dt>
      <dd class="faint">uid ${text(metadata['uid'])}, revision ${text(metadata['resourceVersion'])}</dd>
    </dl>
    ${more.map((Section, index) => html`<${Section} key=${index} object=${object} />`)}
  `
}

const cellCharactersMax = 200

/** What the table of the kind shows of the object, live: the server's own summary. */
function Columns({
  kind,
  namespace,
  name,
}: {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
}) {
  const table = useLiveTable(
    () =>
      kind.verbs.has('watch') && name !== ''
        ? new LiveTable({ kind, namespace, labelSelector: '', fieldSelector: `metadata.name=${name}` })
        : undefined,
    [kind.version, namespace, name],
  )
  return table ? html`<${Tiles} table=${table} />` : null
}

function Tiles({ table }: { readonly table: LiveTable }) {
  useFrame(table.changes)
  const [row] = table.rows.values()
  const cells = table.columns.value.flatMap(({ name, priority }, index) => {
    const cell = row?.cells[index]
    const isShown = priority === 0 && name !== 'Name' && name !== 'Age' && cell !== undefined && cell !== null
    return isShown && cell !== '' ? [{ name, cell }] : []
  })
  if (cells.length === 0) return null
  return html`
    <dl class="tiles">
      ${cells.map(({ name, cell }) => {
        const tone = toneOf(name, cell)
        return html`
          <div key=${name}><dt>${name}</dt><dd class=${tone === undefined ? '' : `tone ${tone}`}>${visible(shortened(String(cell), cellCharactersMax))}</dd></div>
        `
      })}
    </dl>
  `
}

type Section = (props: { readonly object: ApiObject }) => unknown

const templateSections: readonly Section[] = [SelectedPodsSection, ContainersSection, ConditionsSection]

/** What kinds of the core group are about, by resource; all others may have a template of pods. */
const sections: Readonly<Record<string, readonly Section[]>> = {
  pods: [PodSection, ContainersSection, ConditionsSection, PortsSection],
  services: [EndpointsSection, PortsSection, ConditionsSection],
  nodes: [NodeSection, ConditionsSection],
  persistentvolumeclaims: [ClaimSection, ConditionsSection],
  persistentvolumes: [VolumeSection, ConditionsSection],
}

function sectionsOf({ group, resource }: Kind): readonly Section[] {
  return group === '' && Object.hasOwn(sections, resource) ? (sections[resource] ?? []) : templateSections
}

const pairsMax = 200
const valueCharactersMax = 300

/** Of an object with very many, or very long ones, the first and their beginnings; YAML shows all. */
function Pairs({ of }: { readonly of: unknown }) {
  const pairs = useMemo(() => (isRecord(of) ? of : {}), [of])
  const keys = useMemo(() => Object.keys(pairs), [pairs])
  if (keys.length === 0) return texts.none
  const shown = keys.slice(0, pairsMax)
  return html`
    ${shown.map((key) => html`<code key=${key} class="pair">${visible(`${shortened(key, valueCharactersMax)}=${shortened(String(pairs[key]), valueCharactersMax)}`)}</code>`)}
    ${keys.length > shown.length && html`<span>${texts.more}</span>`}
  `
}

function OwnerLink({ owner, namespace }: { readonly owner: Record<string, unknown>; readonly namespace: string }) {
  const kind = findKindOf(text(owner['apiVersion']), text(owner['kind']))
  const name = text(owner['name'])
  if (!kind) return html`<span>${text(owner['kind'])} ${name}</span>`
  const target = {
    view: 'object',
    group: kind.group,
    resource: kind.resource,
    namespace: kind.namespaced ? namespace : '',
    name,
  } as const
  return html`<a href=${linkTo(target)}>${kind.kind} ${name}</a>`
}

import { useMemo } from 'preact/hooks'
import { findKindOf, type Kind, records, text } from '../api/kinds.ts'
import { type ApiObject, fieldOf, type LiveObject, metadataOf } from '../api/liveobject.ts'
import { isRecord } from '../api/session.ts'
import { Age } from '../parts/age.ts'
import { html } from '../parts/html.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { linkTo } from '../state/route.ts'
import { shortened, visible } from '../state/visible.ts'
import { texts } from '../text.ts'
import { EndpointsSection } from './sections/endpoints.ts'
import { NodeSection } from './sections/node.ts'
import { PortsSection } from './sections/ports.ts'
import { ClaimSection, VolumeSection } from './sections/volumes.ts'
import { WhySection } from './sections/why.ts'

/** Metadata, owners and conditions. */
export function SummaryTab({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { object } = live
  if (object === undefined) return html`<p class="empty">${texts.loading}</p>`
  const metadata = metadataOf(object)
  const owners = records(metadata['ownerReferences'])
  const more = sectionsOf(kind)
  return html`
    <${WhySection} kind=${kind} object=${object} />
    <dl class="facts">
      <dt>${texts.metadata}</dt>
      <dd>uid ${text(metadata['uid'])}, revision ${text(metadata['resourceVersion'])}</dd>
      <dt>${texts.created}</dt>
      <dd><${Age} ofMs=${Date.parse(text(metadata['creationTimestamp']))} /></dd>
      <dt>${texts.labels}</dt>
      <dd><${Pairs} of=${metadata['labels']} /></dd>
      <dt>${texts.annotations}</dt>
      <dd><${Pairs} of=${metadata['annotations']} /></dd>
      <dt>${texts.owners}</dt>
      <dd>${owners.length === 0 ? texts.none : owners.map((owner) => html`<${OwnerLink} owner=${owner} namespace=${text(metadata['namespace'])} />`)}</dd>
    </dl>
    <${Conditions} of=${records(fieldOf(object, 'status', 'conditions'))} />
    <${Containers} object=${object} />
    ${more.map((Section, index) => html`<${Section} key=${index} object=${object} />`)}
  `
}

/** More of what kinds of the core group are about, by resource. */
const sections: Readonly<Record<string, readonly ((props: { readonly object: ApiObject }) => unknown)[]>> = {
  pods: [PortsSection],
  services: [EndpointsSection, PortsSection],
  nodes: [NodeSection],
  persistentvolumeclaims: [ClaimSection],
  persistentvolumes: [VolumeSection],
}

function sectionsOf({ group, resource }: Kind): readonly ((props: { readonly object: ApiObject }) => unknown)[] {
  return group === '' && Object.hasOwn(sections, resource) ? (sections[resource] ?? []) : []
}

const messageCharactersMax = 2000
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

function Conditions({ of }: { readonly of: readonly Record<string, unknown>[] }) {
  if (of.length === 0) return null
  return html`
    <h2>${texts.conditions}</h2>
    <${PlainTable} label=${texts.conditions}>
      ${of.map(
        (condition) => html`
            <tr key=${text(condition['type'])}>
              <th scope="row">${text(condition['type'])}</th>
              <td class=${isBad(condition) ? 'problem' : ''}>${text(condition['status'])}</td>
              <td>${text(condition['reason'])}</td>
              <td>${visible(shortened(text(condition['message']), messageCharactersMax))}</td>
              <td><${Age} ofMs=${Date.parse(text(condition['lastTransitionTime']))} /></td>
            </tr>
          `,
      )}
    <//>
  `
}

/** Of conditions that report trouble, most are about a pressure; of the others, Ready and Available are those to see. */
function isBad({ type, status }: ApiObject): boolean {
  const reportsTrouble = /Pressure|Failure|Unavailable/.test(text(type))
  return reportsTrouble ? status === 'True' : /^(?:Ready|Available|PodScheduled)$/.test(text(type)) && status !== 'True'
}

/** State of a pod's containers; nothing for other kinds. */
function Containers({ object }: { readonly object: unknown }) {
  const statuses = records(fieldOf(object, 'status', 'containerStatuses'))
  if (statuses.length === 0) return null
  return html`
    <h2>${texts.container}</h2>
    <${PlainTable} label=${texts.container}>
      ${statuses.map((status) => {
        const state = Object.entries(
          typeof status['state'] === 'object' && status['state'] !== null ? status['state'] : {},
        )
        return html`
            <tr key=${text(status['name'])}>
              <th scope="row">${text(status['name'])}</th>
              <td>${text(status['image'])}</td>
              <td>${state.map(([name, detail]) => `${name} ${text(fieldOf(detail, 'reason'))}`)}</td>
              <td>${Number(status['restartCount'] ?? 0)}</td>
            </tr>
          `
      })}
    <//>
  `
}

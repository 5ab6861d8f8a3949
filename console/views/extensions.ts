import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { readMetrics } from '../api/exposition.ts'
import { readAdmission, readAll } from '../api/extensions.ts'
import { findKind, kinds, objectPath, records, text } from '../api/kinds.ts'
import { type ApiObject, fieldOf, metadataOf } from '../api/liveobject.ts'
import { html } from '../parts/html.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { RemovalVerdict, useRemovalTrial } from '../parts/removaltrial.ts'
import { type AdmissionObjects, admissionOrder, type Timing, timingsBy } from '../state/admissionorder.ts'
import { goTo, linkTo, route } from '../state/route.ts'
import { texts } from '../text.ts'

/** What extends the API: definitions, other API servers, and what a write meets before it is stored. */
export function ExtensionsView() {
  return html`
    <h1>${texts.extensions}</h1>
    <${Definitions} />
    <${Services} />
    <${AdmissionOrder} />
    <${TryoutBox} />
  `
}

/** Loaded with its engine when it is opened. */
function TryoutBox() {
  const box = useSignal<FunctionComponent | undefined>(undefined)
  const open = async (): Promise<void> => {
    const { Tryout } = await import('./tryout.ts')
    box.value = Tryout
  }
  return html`
    <h2>${texts.tryout}</h2>
    ${box.value ? html`<${box.value} />` : html`<button class="plain" onClick=${() => void open()}>${texts.openTryout}</button>`}
  `
}

function useAll(group: string, resource: string): readonly ApiObject[] | undefined {
  const read = useSignal<readonly ApiObject[] | undefined>(undefined)
  useEffect(() => void readAll(group, resource).then((found) => (read.value = found)), [])
  return read.value
}

function ObjectLink({
  group,
  resource,
  of,
}: {
  readonly group: string
  readonly resource: string
  readonly of: ApiObject
}) {
  const name = text(metadataOf(of)['name'])
  return html`<a href=${linkTo({ view: 'object', group, resource, name })}>${name}</a>`
}

/** Types of the conditions, each with its reason where it is not as it should be. */
function conditions(object: ApiObject): string {
  return records(fieldOf(object, 'status', 'conditions'))
    .map(
      (each) => `${text(each['type'])}=${text(each['status'])}${each['message'] ? ` (${text(each['message'])})` : ''}`,
    )
    .join(', ')
}

function Definitions() {
  const found = useAll('apiextensions.k8s.io', 'customresourcedefinitions')
  if (!found || found.length === 0) return null
  return html`
    <h2>${texts.definitions}</h2>
    <div class="scroller"><table class="plain" aria-label=${texts.definitions}>
      <thead><tr><th>${texts.name}</th><th>${texts.versions}</th><th>${texts.storedVersions}</th><th>${texts.conditions}</th></tr></thead>
      <tbody>
        ${found.map(
          (definition) => html`
            <tr key=${text(metadataOf(definition)['uid'])}>
              <td><${ObjectLink} group="apiextensions.k8s.io" resource="customresourcedefinitions" of=${definition} /></td>
              <td>${records(fieldOf(definition, 'spec', 'versions'))
                .map(versionText)
                .join(', ')}</td>
              <td>${[fieldOf(definition, 'status', 'storedVersions')].flat().map(String).join(', ')}</td>
              <td>${conditions(definition)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table></div>
  `
}

function versionText(version: Record<string, unknown>): string {
  const notes = [
    version['storage'] === true ? texts.stored : '',
    version['served'] === true ? '' : texts.notServed,
    version['deprecated'] === true ? texts.deprecated : '',
  ].filter(Boolean)
  return `${text(version['name'])}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

/** Those that other servers serve. */
function Services() {
  const found = useAll('apiregistration.k8s.io', 'apiservices')?.filter((each) => fieldOf(each, 'spec', 'service'))
  if (!found || found.length === 0) return null
  return html`
    <h2>${texts.otherServers}</h2>
    <div class="scroller"><table class="plain" aria-label=${texts.otherServers}>
      <thead><tr><th>${texts.name}</th><th>${texts.service}</th><th>${texts.conditions}</th></tr></thead>
      <tbody>
        ${found.map(
          (each) => html`
            <tr key=${text(metadataOf(each)['uid'])}>
              <td><${ObjectLink} group="apiregistration.k8s.io" resource="apiservices" of=${each} /></td>
              <td>${text(fieldOf(each, 'spec', 'service', 'namespace'))}/${text(fieldOf(each, 'spec', 'service', 'name'))}</td>
              <td>${conditions(each)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table></div>
  `
}

const operations = ['CREATE', 'UPDATE', 'DELETE']
const timings = {
  MutatingAdmissionWebhook: 'apiserver_admission_webhook_admission_duration_seconds',
  ValidatingAdmissionWebhook: 'apiserver_admission_webhook_admission_duration_seconds',
  plugins: 'apiserver_admission_controller_admission_duration_seconds',
} as const

function AdmissionOrder() {
  const objects = useSignal<AdmissionObjects>({})
  const exposition = useSignal('')
  const resource = useSignal('/pods')
  const operation = useSignal('CREATE')
  useEffect(() => {
    void readAdmission().then((read) => (objects.value = read))
    const durations = new Set(Object.values(timings))
    // Without them where the user may not read them.
    void readMetrics(durations)
      .then((read) => (exposition.value = read))
      .catch(() => {})
  }, [])
  const [group = '', name = ''] = resource.value.split('/')
  const steps = admissionOrder({ operation: operation.value, group, resource: name }, objects.value)
  const hooks = timingsBy(exposition.value, timings.MutatingAdmissionWebhook, 'name', { operation: operation.value })
  const choose = (signal: { value: string }) => (event: Event) => {
    if (event.currentTarget instanceof HTMLSelectElement) signal.value = event.currentTarget.value
  }
  const writable = kinds.value.filter(({ verbs }) => verbs.has('create'))
  return html`
    <h2>${texts.admissionOrder}</h2>
    <p class="hint">${texts.admissionHint}</p>
    <form class="filters">
      <select aria-label=${texts.operation} onChange=${choose(operation)}>
        ${operations.map((each) => html`<option key=${each}>${each}</option>`)}
      </select>
      <select aria-label=${texts.resource} value=${resource.value} onChange=${choose(resource)}>
        ${writable.map((each) => html`<option key=${`${each.group}/${each.resource}`} value=${`${each.group}/${each.resource}`}>${each.resource} ${each.group}</option>`)}
      </select>
      ${operation.value === 'CREATE' && html`<a class="button" href=${linkTo({ view: 'create', group, resource: name })}>${texts.tryCreate}</a>`}
    </form>
    ${operation.value !== 'CREATE' && html`<${TryExisting} key=${`${operation.value} ${resource.value}`} operation=${operation.value} group=${group} resource=${name} />`}
    ${
      steps.length > 0 &&
      html`<ol aria-label=${texts.admissionOrder}>
      ${steps.map(
        (step) => html`
          <li key=${`${step.phase} ${step.object} ${step.name}`}>
            ${step.phase} <strong>${step.object}</strong> ${step.name} <small>${step.failurePolicy} ${shown(step.phase.endsWith('Webhook') ? hooks.get(step.name) : undefined)}</small>
          </li>
        `,
      )}
    </ol>`
    }
    ${steps.length === 0 && html`<p class="empty">${texts.none}</p>`}
    <${Plugins} exposition=${exposition.value} operation=${operation.value} />
  `
}

interface TryExistingProps {
  readonly operation: string
  readonly group: string
  readonly resource: string
}

/** A dry run with an object that exists: of its deletion here, of an update in its editor. */
function TryExisting({ operation, group, resource }: TryExistingProps) {
  const kind = findKind(group, resource)
  const name = useSignal('')
  const namespace = useSignal(route.value.namespace || 'default')
  const { verdict, tryRemoval } = useRemovalTrial()
  if (!kind) return null
  const home = kind.namespaced ? namespace.value : ''
  const submit = (event: Event): void => {
    event.preventDefault()
    if (operation === 'DELETE') return tryRemoval(objectPath(kind, home, name.value))
    goTo({ view: 'object', group, resource, namespace: home, name: name.value, tab: 'edit' })
  }
  const field = (label: string, value: { value: string }) => html`
    <input aria-label=${label} placeholder=${label} required spellcheck=${false} value=${value} onInput=${(
      event: Event,
    ) => {
      if (event.currentTarget instanceof HTMLInputElement) value.value = event.currentTarget.value
    }} />
  `
  return html`
    <form class="filters" onSubmit=${submit}>
      ${kind.namespaced && field(texts.namespace, namespace)} ${field(texts.name, name)}
      <button type="submit">${operation === 'DELETE' ? texts.tryDeletion : texts.tryUpdate}</button>
    </form>
    ${verdict.value && html`<${RemovalVerdict} of=${verdict.value} />`}
  `
}

function shown(timing: Timing | undefined): string {
  return timing ? `${timing.meanMs.toFixed(2)} ms × ${timing.count}` : ''
}

/** The server's own plugins, the slowest first, as far as this replica has measured them. */
function Plugins({ exposition, operation }: { readonly exposition: string; readonly operation: string }) {
  const measured = [...timingsBy(exposition, timings.plugins, 'name', { operation })]
  if (measured.length === 0) return null
  return html`
    <h2>${texts.plugins}</h2>
    <${PlainTable} label=${texts.plugins}>
      ${measured
        .sort(([, a], [, b]) => b.meanMs - a.meanMs)
        .map(([name, timing]) => html`<tr key=${name}><th scope="row">${name}</th><td>${shown(timing)}</td></tr>`)}
    <//>
  `
}

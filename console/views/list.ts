import { type Signal, useSignal } from '@preact/signals'
import { findKind, type Kind } from '../api/kinds.ts'
import { LiveTable } from '../api/livetable.ts'
import { actingUser } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { useLack } from '../parts/uselack.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { useUsage } from '../parts/useusage.ts'
import { pluralOf } from '../state/pluralname.ts'
import { adjust, linkTo, route } from '../state/route.ts'
import { fieldCompletions, labelCompletions } from '../state/selectorcompletions.ts'
import { explain, texts } from '../text.ts'
import { Rows } from './rows.ts'

/** A kind's objects as a live table, with the columns that the server defines for it. */
export function ListView() {
  const { group, resource, namespace, labels, fields } = route.value
  const kind = findKind(group, resource)
  const table = useLiveTable(
    () => kind && new LiveTable({ kind, namespace, labelSelector: labels, fieldSelector: fields }),
    [kind?.version, kind?.resource, kind?.group, namespace, labels, fields, actingUser.value],
  )
  useUsage(table, kind, { namespace, labels })
  if (!kind || !table) return html`<p class="empty">${texts.nothingHere}</p>`
  return html`
    <div class="heading">
      <h1>${pluralOf(kind)} <small>${kind.group}</small></h1>
      <span class=${`currency ${table.currency.value}`} role="status">${texts[table.currency.value]}</span>
      <span class="space" />
      ${kind.verbs.has('create') && html`<${CreateLink} kind=${kind} />`}
    </div>
    <${Problem} table=${table} />
    <${Filters} kind=${kind} table=${table} />
    <${Rows} kind=${kind} table=${table} />
  `
}

function Problem({ table }: { readonly table: LiveTable }) {
  const problem = table.problem.value
  return problem && html`<p role="alert" class="problem">${explain(problem.code, problem.message)}</p>`
}

function Filters({ kind, table }: { readonly kind: Kind; readonly table: LiveTable }) {
  const { search, labels, fields } = route.value
  const offered = useSignal<readonly string[]>([])
  const complete = {
    labels: (typed: string) => labelCompletions(typed, table.rows.values()),
    fields: (typed: string) => fieldCompletions(typed, kind.namespaced),
  }
  const completes = (name: 'labels' | 'fields') => {
    const offer = (event: Event): void => void (offered.value = complete[name](valueOf(event)))
    return { list: 'completions', onFocus: offer, onInput: offer }
  }
  const field = (
    name: 'search' | 'labels' | 'fields',
    value: string,
    label: string,
    event: 'onInput' | 'onChange',
    more: object = {},
  ) => html`
    <input
      type=${name === 'search' ? 'search' : 'text'} aria-label=${label} placeholder=${label} value=${value} spellcheck=${false}
      ...${{ ...more, [event]: (change: Event) => adjust({ [name]: valueOf(change) }) }}
    />
  `
  return html`
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      ${field('search', search, texts.search, 'onInput')} ${field('labels', labels, texts.labels, 'onChange', completes('labels'))}
      ${field('fields', fields, texts.fields, 'onChange', completes('fields'))}
      <${Completions} offered=${offered} />
    </form>
  `
}

/** Drawn alone: the fields would lose what is typed. */
function Completions({ offered }: { readonly offered: Signal<readonly string[]> }) {
  return html`<datalist id="completions">${offered.value.map((each) => html`<option key=${each} value=${each} />`)}</datalist>`
}

/** Without a namespace it is open where the object will be. */
function CreateLink({ kind }: { readonly kind: Kind }) {
  const { namespace } = route.value
  const lack = useLack(kind, namespace)('create')
  if (lack !== undefined && !(kind.namespaced && namespace === ''))
    return html`<button type="button" disabled title=${lack}>${texts.create}</button>`
  const target = { view: 'create', group: kind.group, resource: kind.resource, namespace } as const
  return html`<a class="button" href=${linkTo(target)}>${texts.create}</a>`
}

function valueOf(event: Event): string {
  return event.currentTarget instanceof HTMLInputElement ? event.currentTarget.value : ''
}

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { TryoutFinding, TryoutQuestion, TryoutReport } from '../../lib/console/tryout/report.ts'
import { findKind, findKindOf, kinds } from '../api/kinds.ts'
import { readSchema } from '../api/schemas.ts'
import { ApiError, actingUser } from '../api/session.ts'
import { TryoutThread, TryoutTimeout } from '../api/tryout.ts'
import { readYaml } from '../api/yaml.ts'
import { Diff } from '../parts/diff.ts'
import { html } from '../parts/html.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { diffLines } from '../state/linediff.ts'
import { kindIn } from '../state/objectkind.ts'
import { visible } from '../state/visible.ts'
import { explain } from '../text.ts'
import { tryoutTexts as texts } from '../tryouttext.ts'

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']

type Of = TryoutQuestion['of']

/** The texts of the form by the fields of the question; drafts by what they are of. */
type Typed = Readonly<Record<Exclude<keyof TryoutQuestion, 'of' | 'draft' | 'resource' | 'schema'> | Of, string>>

const drafts: readonly { readonly of: Of; readonly title: string; readonly label: string; readonly rows: number }[] = [
  { of: 'expression', title: texts.expression, label: texts.draftOfExpression, rows: 4 },
  { of: 'policy', title: texts.policy, label: texts.draftOfPolicy, rows: 12 },
  { of: 'webhook', title: texts.webhook, label: texts.draftOfWebhook, rows: 12 },
  { of: 'definition', title: texts.definition, label: texts.draftOfDefinition, rows: 12 },
]

const beginning: Typed = {
  expression: "object.metadata.name.startsWith('web')",
  policy: `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: draft
spec:
  validations:
    - expression: has(object.metadata.labels)
      messageExpression: "object.metadata.name + ' has no labels'"
`,
  webhook: `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: draft
webhooks:
  - name: draft.example.com
    rules:
      - operations: [CREATE, UPDATE]
        apiGroups: ['']
        apiVersions: [v1]
        resources: [configmaps]
    matchConditions:
      - name: not-kubelets
        expression: "!request.userInfo.username.startsWith('system:node:')"
    clientConfig:
      url: https://draft.example.com/review
    admissionReviewVersions: [v1]
    sideEffects: None
`,
  definition: '',
  object: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: default\n',
  oldObject: '',
  params: '',
  namespaceObject: '',
  variables: '',
  operation: 'CREATE',
  user: '',
  groups: '',
}

/** Evaluates drafts in this page. */
export function Tryout() {
  const of = useSignal<Of>('expression')
  const typed = useSignal<Typed>({ ...beginning, user: actingUser.value })
  const report = useSignal<TryoutReport | undefined>(undefined)
  const problem = useSignal('')
  const isRunning = useSignal(false)
  const thread = useMemo(() => new TryoutThread(), [])
  useEffect(() => () => thread.close(), [])
  const run = async (event: Event): Promise<void> => {
    event.preventDefault()
    report.value = undefined
    problem.value = ''
    isRunning.value = true
    try {
      report.value = await thread.ask(await questionOf(of.value, typed.value))
    } catch (error) {
      problem.value = error instanceof TryoutTimeout ? texts.timeout : String(error)
    }
    isRunning.value = false
  }
  const isExpression = of.value === 'expression'
  const area = (field: keyof Typed, label: string, rows = 4) =>
    html`<${Area} key=${field} typed=${typed} field=${field} label=${label} rows=${rows} />`
  return html`
    <p class="hint">${texts.hint}</p>
    <form class="tryout" onSubmit=${(event: Event) => void run(event)}>
      <label>${texts.what}
        <select value=${of.value} onChange=${chosen((value) => (of.value = drafts.find((each) => each.of === value)?.of ?? of.value))}>
          ${drafts.map((each) => html`<option key=${each.of} value=${each.of}>${each.title}</option>`)}
        </select>
      </label>
      ${drafts.filter((each) => each.of === of.value).map(({ of: field, label, rows }) => area(field, label, rows))}
      ${area('object', texts.object, 8)}
      <${Pick} onPick=${(object: string) => (typed.value = { ...typed.value, object })} />
      ${area('oldObject', texts.oldObject)}
      ${of.value !== 'webhook' && area('params', texts.params)}
      ${area('namespaceObject', texts.namespaceObject)}
      ${isExpression && area('variables', texts.variables)}
      <div class="filters">
        <label>${texts.operation}
          <select value=${typed.value.operation} onChange=${chosen((operation) => (typed.value = { ...typed.value, operation }))}>
            ${operations.map((each) => html`<option key=${each}>${each}</option>`)}
          </select>
        </label>
        <${Line} typed=${typed} field="user" label=${texts.user} />
        <${Line} typed=${typed} field="groups" label=${texts.groups} />
      </div>
      <button type="submit" disabled=${isRunning.value}>${isRunning.value ? texts.running : texts.run}</button>
    </form>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    ${report.value && html`<${Results} report=${report.value} />`}
  `
}

async function questionOf(of: Of, typedAll: Typed): Promise<TryoutQuestion> {
  const { expression, policy, webhook, definition, ...typed } = typedAll
  const draft = { expression, policy, webhook, definition }[of]
  const { apiVersion, kind } = kindIn(typed.object.trim() === '' ? typed.oldObject : typed.object)
  const known = findKindOf(apiVersion, kind)
  const version = apiVersion.split('/').at(-1) ?? ''
  // Only configurations are merged by the kind's schema, which is public.
  const isSchemaNeeded = of === 'policy' && draft.includes('applyConfiguration')
  const schema = known && isSchemaNeeded ? await readSchema({ ...known, version }).catch(() => undefined) : undefined
  return { ...typed, of, draft, resource: known?.resource ?? '', schema }
}

function chosen(use: (value: string) => void) {
  return ({ currentTarget }: Event): void => {
    if (
      currentTarget instanceof HTMLSelectElement ||
      currentTarget instanceof HTMLInputElement ||
      currentTarget instanceof HTMLTextAreaElement
    )
      use(currentTarget.value)
  }
}

interface FieldProps {
  readonly typed: Signal<Typed>
  readonly field: keyof Typed
  readonly label: string
}

function Area({ typed, field, label, rows }: FieldProps & { readonly rows: number }) {
  const onInput = chosen((value) => (typed.value = { ...typed.value, [field]: value }))
  return html`<label>${label}<textarea rows=${rows} spellcheck=${false} value=${typed.value[field]} onInput=${onInput} /></label>`
}

function Line({ typed, field, label }: FieldProps) {
  const onInput = chosen((value) => (typed.value = { ...typed.value, [field]: value }))
  return html`<label>${label}<input value=${typed.value[field]} onInput=${onInput} /></label>`
}

/** Reads an object with the rights of the user. */
function Pick({ onPick }: { readonly onPick: (yaml: string) => void }) {
  const resource = useSignal('/pods')
  const namespace = useSignal('default')
  const name = useSignal('')
  const problem = useSignal('')
  const take = async (): Promise<void> => {
    problem.value = ''
    const [group = '', plural = ''] = resource.value.split('/')
    const kind = findKind(group, plural)
    if (!kind || name.value === '') return
    try {
      onPick(await readYaml(kind, kind.namespaced ? namespace.value : '', name.value))
    } catch (error) {
      problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
    }
  }
  const readable = kinds.value.filter(({ verbs }) => verbs.has('get'))
  return html`
    <details>
      <summary>${texts.pick}</summary>
      <div class="filters">
        <select aria-label=${texts.pickKind} value=${resource.value} onChange=${chosen((value) => (resource.value = value))}>
          ${readable.map(({ group, resource: plural }) => html`<option key=${`${group}/${plural}`} value=${`${group}/${plural}`}>${plural} ${group}</option>`)}
        </select>
        <input aria-label=${texts.pickNamespace} value=${namespace.value} onInput=${chosen((value) => (namespace.value = value))} />
        <input aria-label=${texts.pickName} placeholder=${texts.pickName} value=${name.value} onInput=${chosen((value) => (name.value = value))} />
        <button type="button" onClick=${() => void take()}>${texts.take}</button>
      </div>
      ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    </details>
  `
}

function Results({
  report: { problem, verdict, findings, left, reviews, changed },
}: {
  readonly report: TryoutReport
}) {
  const place = useRef<HTMLDivElement>(null)
  // The form is longer than most windows.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [findings])
  if (problem !== '') return html`<p role="alert" class="problem">${visible(problem)}</p>`
  const changes = changed && diffLines(changed.before, changed.after)
  return html`
    <div ref=${place}>
    ${verdict !== '' && html`<p role="status">${texts.verdicts[verdict]}</p>`}
    ${
      findings.length > 0 &&
      html`<${PlainTable} label=${texts.results} columns=${[texts.place, texts.verdict, texts.text, texts.cost]}>
      ${findings.map((each) => html`<${Finding} key=${each.place} finding=${each} />`)}
    <//>`
    }
    ${left > 0 && html`<p>${texts.left} ${left}</p>`}
    ${reviews !== '' && html`<h3>${texts.reviews}</h3><pre class="result" tabindex="0" aria-label=${texts.reviews}>${visible(reviews)}</pre>`}
    ${changes && (changes.length === 0 ? html`<p>${texts.noChanges}</p>` : html`<h3>${texts.changes}</h3><${Diff} changes=${changes} />`)}
    </div>
  `
}

function Finding({ finding: { place, verdict, text, reason, cost, costMax } }: { readonly finding: TryoutFinding }) {
  return html`
    <tr>
      <th scope="row">${visible(place)}</th>
      <td>${texts.findings[verdict]}</td>
      <td><pre class="result">${visible(text)}</pre>${reason === undefined ? '' : `${texts.reason} ${reason}`}</td>
      <td>${cost !== undefined && `${cost} / ${costMax}`}</td>
    </tr>
  `
}

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { findKind, type Kind } from '../api/kinds.ts'
import { ApiError } from '../api/session.ts'
import { createYaml } from '../api/yaml.ts'
import { html } from '../parts/html.ts'
import { Review } from '../parts/review.ts'
import { SchemaEditor } from '../parts/schemaeditor.ts'
import { useLack } from '../parts/uselack.ts'
import { type LineProblem, problemsIn } from '../state/fieldproblems.ts'
import { type DiffLine, diffLines } from '../state/linediff.ts'
import { goTo, route } from '../state/route.ts'
import { explain, texts } from '../text.ts'

/** Specs to begin with, by kind. */
const beginnings: Readonly<Record<string, string>> = {
  Deployment: `spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx
`,
  Pod: `spec:
  containers:
    - name: web
      image: nginx
`,
  ConfigMap: `data:
  key: value
`,
  Service: `spec:
  selector:
    app: web
  ports:
    - port: 80
`,
}

/** A new object of a kind: a dry run first, then the real one. */
export function CreateView() {
  const { group, resource, namespace } = route.value
  const kind = findKind(group, resource)
  return kind
    ? html`<${CreateForm} kind=${kind} namespace=${namespace || 'default'} />`
    : html`<p class="empty">${texts.nothingHere}</p>`
}

function CreateForm({ kind, namespace }: { readonly kind: Kind; readonly namespace: string }) {
  const beginning = useMemo(() => beginningOf(kind, namespace), [kind, namespace])
  const typed = useSignal(beginning)
  const lack = useLack(kind, namespace)('create')
  const proposal = useSignal<{ changes: readonly DiffLine[]; warnings: readonly string[] } | undefined>(undefined)
  const problem = useSignal('')
  const problems = useSignal<readonly LineProblem[]>([])
  const send = async (dryRun: boolean): Promise<void> => {
    problem.value = ''
    problems.value = []
    try {
      const { yaml, warnings } = await createYaml(kind, namespace, typed.value, dryRun)
      if (dryRun) proposal.value = { changes: diffLines('', yaml), warnings }
      else goTo({ view: 'object', group: kind.group, resource: kind.resource, ...namesIn(yaml, kind) })
    } catch (error) {
      proposal.value = undefined
      problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
      if (error instanceof ApiError && error.status) problems.value = problemsIn(error.status, typed.value)
    }
  }
  return html`
    <h1>${texts.create} ${kind.kind}</h1>
    <div class="actions"><button disabled=${lack !== undefined} title=${lack} onClick=${() => void send(true)}>${texts.save}</button></div>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <${SchemaEditor} kind=${kind} label=${texts.create} text=${beginning} problems=${problems.value}
      onChange=${(text: string) => (typed.value = text)} />
    ${proposal.value && html`<${Review} changes=${proposal.value.changes} warnings=${proposal.value.warnings} onApply=${() => void send(false)} onClose=${() => (proposal.value = undefined)} />`}
  `
}

function beginningOf(kind: Kind, namespace: string): string {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  const scope = kind.namespaced ? `  namespace: ${namespace}\n` : ''
  return `apiVersion: ${apiVersion}\nkind: ${kind.kind}\nmetadata:\n  name: web\n${scope}${beginnings[kind.kind] ?? 'spec: {}\n'}`
}

/** Where the server put the object, from its answer. */
function namesIn(yaml: string, kind: Kind): { name: string; namespace: string } {
  const field = (name: string): string => new RegExp(`^  ${name}: "?([^"\\n]+)"?$`, 'm').exec(yaml)?.[1] ?? ''
  return { name: field('name'), namespace: kind.namespaced ? field('namespace') : '' }
}

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { findKind, type Kind } from '../api/kinds.ts'
import { ApiError } from '../api/session.ts'
import { createYaml } from '../api/yaml.ts'
import { Editor } from '../parts/editor.ts'
import { html } from '../parts/html.ts'
import { Review } from '../parts/review.ts'
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
  const changes = useSignal<readonly DiffLine[] | undefined>(undefined)
  const problem = useSignal('')
  const send = async (dryRun: boolean): Promise<void> => {
    problem.value = ''
    try {
      const yaml = await createYaml(kind, namespace, typed.value, dryRun)
      if (dryRun) changes.value = diffLines('', yaml)
      else goTo({ view: 'object', group: kind.group, resource: kind.resource, ...namesIn(yaml, kind) })
    } catch (error) {
      changes.value = undefined
      problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
    }
  }
  return html`
    <h1>${texts.create} ${kind.kind}</h1>
    <div class="actions"><button onClick=${() => void send(true)}>${texts.save}</button></div>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <${Editor} label=${texts.create} text=${beginning} onChange=${(text: string) => (typed.value = text)} />
    ${changes.value && html`<${Review} changes=${changes.value} onApply=${() => void send(false)} onClose=${() => (changes.value = undefined)} />`}
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

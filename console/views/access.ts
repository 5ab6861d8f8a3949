import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type AccessQuestion, askAccess } from '../api/accessreview.ts'
import type { Kind } from '../api/kinds.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { readPolicies } from '../api/policies.ts'
import { ApiError } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { type Grant, grantsFor } from '../state/grants.ts'
import { route } from '../state/route.ts'
import { explain, texts } from '../text.ts'

const shownMax = 500

/** Who can do something to this object, and why. */
export function AccessTab({ kind }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const verb = useSignal('get')
  const search = useSignal('')
  const policies = useSignal<Awaited<ReturnType<typeof readPolicies>> | undefined>(undefined)
  useEffect(() => void readPolicies(namespace).then((read) => (policies.value = read)), [namespace])
  if (policies.value === undefined) return html`<p class="empty">${texts.loading}</p>`
  const { bindings, roles, isComplete } = policies.value
  const action = { verb: verb.value, group: kind.group, resource: kind.resource, name }
  const wanted = search.value.toLowerCase()
  const grants = grantsFor(action, bindings, roles).filter(({ subject }) => subject.toLowerCase().includes(wanted))
  return html`
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <label>${texts.verb} <select value=${verb} onChange=${(event: Event) => {
        if (event.currentTarget instanceof HTMLSelectElement) verb.value = event.currentTarget.value
      }}>${[...kind.verbs].map((each) => html`<option key=${each}>${each}</option>`)}</select></label>
      <input type="search" aria-label=${texts.subject} placeholder=${texts.subject} onInput=${(event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) search.value = event.currentTarget.value
      }} />
    </form>
    <${AskForUser} action=${action} namespace=${namespace} />
    <p class="hint">${texts.accessHint}</p>
    ${!isComplete && html`<p role="alert" class="problem">${texts.accessPartly}</p>`}
    <${Grants} grants=${grants.slice(0, shownMax)} />
  `
}

interface AskForUserProps {
  readonly action: Pick<AccessQuestion, 'verb' | 'group' | 'resource' | 'name'>
  readonly namespace: string
}

/** The server's answer for one user, of all its authorizers. */
function AskForUser({ action, namespace }: AskForUserProps) {
  const user = useSignal('')
  const groups = useSignal('')
  const answer = useSignal('')
  const problem = useSignal('')
  // It was about another verb.
  useEffect(() => void (answer.value = problem.value = ''), [action.verb])
  const ask = async (event: Event): Promise<void> => {
    event.preventDefault()
    answer.value = problem.value = ''
    const names = groups.value.split(',').map((each) => each.trim())
    const question = { ...action, namespace, user: user.value, groups: names.filter((each) => each !== '') }
    try {
      const { isAllowed, reason } = await askAccess(question)
      answer.value = `${question.user} ${isAllowed ? texts.mayDo : texts.mayNotDo}${reason === '' ? '' : `: ${reason}`}`
    } catch (error) {
      problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error)
    }
  }
  const field = (value: { value: string }, label: string, isRequired: boolean) => html`
    <input aria-label=${label} placeholder=${label} value=${value.value} required=${isRequired} spellcheck=${false} onInput=${(
      event: Event,
    ) => {
      if (event.currentTarget instanceof HTMLInputElement) value.value = event.currentTarget.value
    }} />
  `
  return html`
    <form class="filters" onSubmit=${(event: Event) => void ask(event)}>
      ${field(user, texts.userName, true)} ${field(groups, texts.groupNames, false)}
      <button type="submit">${texts.askAccess}</button>
      <span role="status">${answer}</span>
    </form>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
  `
}

function Grants({ grants }: { readonly grants: readonly Grant[] }) {
  if (grants.length === 0) return html`<p class="empty">${texts.none}</p>`
  return html`
    <${PlainTable} label=${texts.access} columns=${[texts.subject, texts.binding, texts.role]}>
      ${grants.map(({ subject, binding, role }, index) => html`<tr key=${index}><td>${subject}</td><td>${binding}</td><td>${role}</td></tr>`)}
    <//>
  `
}

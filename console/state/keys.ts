import { signal } from '@preact/signals'
import { adjust, goTo, route } from './route.ts'
import { clearMarks, marked } from './selection.ts'

/** Whether the list of kinds to go to is open, and the list of keys. */
export const paletteIsOpen = signal(false)
export const helpIsOpen = signal(false)
/** Whether the sign-in is shown although somebody is signed in. */
export const isAddingSession = signal(false)

/** The uid of the row that the keyboard is at, '' for none: changes of other rows don't move it. */
export const currentRow = signal('')
/** What j, k, Enter and x do; set by the table that is shown. */
export const table = { move: (_by: 1 | -1): void => {}, open: (): void => {}, mark: (): void => {} }

const places: Readonly<Record<string, () => void>> = {
  s: () => goTo({ view: 'search', namespace: route.value.namespace }),
  o: () => goTo({ view: 'overview' }),
  p: () => goTo({ resource: 'pods', namespace: route.value.namespace }),
  d: () => goTo({ group: 'apps', resource: 'deployments', namespace: route.value.namespace }),
  n: () => goTo({ resource: 'nodes' }),
}

/** Time within which the second key of `g p` has to follow. */
const sequenceMs = 1000

/** Acts on the keys of text.ts until the returned function is called. */
export function listenToKeys(): () => void {
  let wentAtMs = 0
  const onKey = (event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
      event.preventDefault()
      paletteIsOpen.value = true
    }
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
    // Links and buttons have a meaning for it of their own.
    if (event.key === 'Enter' && isControl(event.target)) return
    const follows = Date.now() - wentAtMs < sequenceMs
    wentAtMs = event.key === 'g' ? Date.now() : 0
    if (follows && places[event.key]) places[event.key]?.()
    else if (!act(event.key)) return
    event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.shadowRoot !== null ||
    target.closest('input:not([type=checkbox]), textarea, select, [data-keys]') !== null
  )
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary') !== null
}

/** False for a key without a meaning here. */
function act(key: string): boolean {
  const isObject = route.value.view === 'object'
  if (key === '?') helpIsOpen.value = true
  else if (key === '/') document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
  else if (key === 'j') table.move(1)
  else if (key === 'k') table.move(-1)
  else if (key === 'Enter' && currentRow.value !== '') table.open()
  else if (key === 'x') table.mark()
  else if (key === 'Escape') leave()
  else if (isObject && key === 'e') adjust({ tab: 'edit' })
  else if (isObject && key === 'l') adjust({ tab: 'logs' })
  else if (isObject && key === 's') adjust({ tab: 'terminal' })
  else return false
  return true
}

function leave(): void {
  if (marked.value.size > 0) return clearMarks()
  const { view, group, resource, namespace } = route.value
  if (view === 'object') goTo({ group, resource, namespace })
}

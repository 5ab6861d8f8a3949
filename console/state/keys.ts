import { signal } from '@preact/signals'
import { adjust, goTo, route } from './route.ts'

/** Whether the list of kinds to go to is open, and the list of keys. */
export const paletteIsOpen = signal(false)
export const helpIsOpen = signal(false)

/** The row that the keyboard is at, an index into what the table shows. */
export const currentRow = signal(-1)
/** The number of rows, and what Enter does with one; set by the table that is shown. */
export const table = { size: 0, open: (_row: number): void => {} }

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
    target.closest('input, textarea, select, [data-keys]') !== null
  )
}

/** False for a key without a meaning here. */
function act(key: string): boolean {
  const isObject = route.value.view === 'object'
  if (key === '?') helpIsOpen.value = true
  else if (key === '/') document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
  else if (key === 'j') currentRow.value = Math.min(currentRow.value + 1, table.size - 1)
  else if (key === 'k') currentRow.value = Math.max(currentRow.value - 1, 0)
  else if (key === 'Enter' && route.value.view === 'list' && currentRow.value >= 0) table.open(currentRow.value)
  else if (key === 'Escape') leave()
  else if (isObject && key === 'e') adjust({ tab: 'edit' })
  else if (isObject && key === 'l') adjust({ tab: 'logs' })
  else if (isObject && key === 's') adjust({ tab: 'terminal' })
  else return false
  return true
}

function leave(): void {
  const { view, group, resource, namespace } = route.value
  if (view === 'object') goTo({ group, resource, namespace })
}

import { signal } from '@preact/signals'

/** What the page shows. It is the fragment of the address, which the browser never sends, so links can be shared. */
export interface Route {
  readonly view: (typeof views)[number]
  readonly group: string
  readonly resource: string
  /** '' for all, and for kinds without. */
  readonly namespace: string
  readonly name: string
  /** The tab of an object's page. */
  readonly tab: string
  readonly search: string
  readonly labels: string
  readonly fields: string
}

const views = ['overview', 'list', 'object', 'create', 'search', 'extensions'] as const

const empty: Route = {
  view: 'overview',
  group: '',
  resource: '',
  namespace: '',
  name: '',
  tab: '',
  search: '',
  labels: '',
  fields: '',
}

export const route = signal<Route>(parseRoute(location.hash))

window.addEventListener('hashchange', () => {
  const next = parseRoute(location.hash)
  if (linkTo(next) !== linkTo(route.value)) route.value = next
})

/** The address of a route. */
export function linkTo(to: Partial<Route>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(to)) if (name !== 'view' && value !== '') query.set(name, value)
  return `#/${to.view ?? 'list'}${query.size > 0 ? `?${query}` : ''}`
}

/** Shows the route; a new entry of the browser's history. */
export function goTo(to: Partial<Route>): void {
  location.hash = linkTo(to)
}

/** Changes the shown route without a new entry of the history: filters and tabs. */
export function adjust(change: Partial<Route>): void {
  route.value = { ...route.value, ...change }
  history.replaceState(null, '', linkTo(route.value))
}

/** Reads a fragment; what it doesn't name is empty. */
function parseRoute(fragment: string): Route {
  const [path = '', search = ''] = fragment.replace(/^#\/?/, '').split('?')
  const query = new URLSearchParams(search)
  const view = views.find((name) => name === path) ?? 'overview'
  const read = Object.keys(empty).map((name) => [name, query.get(name) ?? ''])
  return { ...(Object.fromEntries(read) as unknown as Route), view }
}

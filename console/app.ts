import { useEffect } from 'preact/hooks'
import { kinds, readKinds } from './api/kinds.ts'
import { session } from './api/session.ts'
import { html } from './parts/html.ts'
import { loadedView } from './parts/loadedview.ts'
import { useTitle } from './parts/usetitle.ts'
import { isAddingSession, listenToKeys } from './state/keys.ts'
import { isOnline } from './state/network.ts'
import { route } from './state/route.ts'
import { texts } from './text.ts'
import { Header } from './views/header.ts'
import { ListView } from './views/list.ts'
import { OverviewView } from './views/overview.ts'
import { KindPalette } from './views/palette.ts'
import { Sidebar } from './views/sidebar.ts'
import { SignInView } from './views/signin.ts'

const kindsPeriodMs = 30_000
const laterMs = 1000

/** Loaded when they are opened; that of an object also once the first view is there. */
const loadObjectView = async () => (await import('./views/object.ts')).ObjectView
const ObjectView = loadedView(loadObjectView)
const CreateView = loadedView(async () => (await import('./views/create.ts')).CreateView)
const ExtensionsView = loadedView(async () => (await import('./views/extensions.ts')).ExtensionsView)
const SearchView = loadedView(async () => (await import('./views/search.ts')).SearchView)

/** The page: the sign-in, or one view between header and sidebar. */
export function App() {
  const { value: current } = session
  if (!current || isAddingSession.value) return html`<${SignInView} />`
  // Nothing that one user saw stays when another one goes on.
  return html`<${SignedIn} key=${`${current.id} ${current.seenAs}`} />`
}

function SignedIn() {
  useEffect(() => listenToKeys(), [])
  useEffect(() => {
    const timer = setTimeout(() => void loadObjectView().catch(() => {}), laterMs)
    return () => clearTimeout(timer)
  }, [])
  // New definitions appear without a reload.
  useEffect(() => {
    const read = (): void => void readKinds().catch(() => {})
    read()
    const timer = setInterval(read, kindsPeriodMs)
    return () => clearInterval(timer)
  }, [])
  useTitle()
  const toContents = (event: Event): void => {
    event.preventDefault()
    document.querySelector<HTMLElement>('#main')?.focus()
  }
  return html`
    <a class="skip" href="#main" onClick=${toContents}>${texts.toContents}</a>
    <${Header} />
    <${Sidebar} />
    <main id="main" tabindex="-1">
      <p role="status" class=${isOnline.value ? '' : 'offline'}>${isOnline.value ? '' : texts.offline}</p>
      ${kinds.value.length > 0 && html`<${CurrentView} />`}
    </main>
    <${KindPalette} />
  `
}

function CurrentView() {
  const shown = route.value
  if (shown.view === 'list') return html`<${ListView} key=${`${shown.group}/${shown.resource}`} />`
  if (shown.view === 'object')
    return html`<${ObjectView} key=${`${shown.group}/${shown.resource}/${shown.namespace}/${shown.name}`} />`
  if (shown.view === 'extensions') return html`<${ExtensionsView} />`
  if (shown.view === 'search') return html`<${SearchView} />`
  if (shown.view === 'create') return html`<${CreateView} />`
  return html`<${OverviewView} />`
}

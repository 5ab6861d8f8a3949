import { type Kind, kinds } from '../api/kinds.ts'
import { html } from '../parts/html.ts'
import { paletteIsOpen } from '../state/keys.ts'
import { linkTo, route } from '../state/route.ts'
import { texts } from '../text.ts'

const favourites: readonly (readonly [group: string, resource: string])[] = [
  ['apps', 'deployments'],
  ['', 'pods'],
  ['apps', 'statefulsets'],
  ['apps', 'daemonsets'],
  ['batch', 'jobs'],
  ['batch', 'cronjobs'],
  ['', 'services'],
  ['networking.k8s.io', 'ingresses'],
  ['', 'configmaps'],
  ['', 'secrets'],
  ['', 'persistentvolumeclaims'],
  ['', 'nodes'],
  ['', 'namespaces'],
  ['', 'events'],
]

export function Sidebar() {
  const listed = kinds.value.filter((kind) => kind.verbs.has('list'))
  const shown = favourites.flatMap(
    ([group, resource]) => listed.find((kind) => kind.group === group && kind.resource === resource) ?? [],
  )
  const groups = Map.groupBy(listed, ({ group }) => group)
  return html`
    <nav aria-label=${texts.allKinds}>
      <a href=${linkTo({ view: 'overview' })} aria-current=${route.value.view === 'overview' ? 'page' : undefined}>
        ${texts.overview}
      </a>
      <a href=${linkTo({ view: 'search' })} aria-current=${route.value.view === 'search' ? 'page' : undefined}>
        ${texts.searchAll}
      </a>
      <a href=${linkTo({ view: 'extensions' })} aria-current=${route.value.view === 'extensions' ? 'page' : undefined}>
        ${texts.extensions}
      </a>
      <button class="plain narrow" onClick=${() => (paletteIsOpen.value = true)}>${texts.goToKind}</button>
      <h2>${texts.favourites}</h2>
      ${shown.map((kind) => html`<${KindLink} key=${kind.resource} kind=${kind} />`)}
      <h2>${texts.allKinds}</h2>
      ${[...groups].map(
        ([group, members]) => html`
          <details key=${group}>
            <summary>${group === '' ? 'core' : group}</summary>
            ${members.map((kind) => html`<${KindLink} key=${kind.resource} kind=${kind} />`)}
          </details>
        `,
      )}
    </nav>
  `
}

function KindLink({ kind }: { readonly kind: Kind }) {
  const { group, resource, namespace, view } = route.value
  const isCurrent = view !== 'overview' && group === kind.group && resource === kind.resource
  const target = { group: kind.group, resource: kind.resource, namespace: kind.namespaced ? namespace : '' }
  return html`<a href=${linkTo(target)} aria-current=${isCurrent ? 'page' : undefined}>${kind.resource}</a>`
}

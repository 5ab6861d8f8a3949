import { type Kind, kinds } from '../api/kinds.ts'
import { html } from '../parts/html.ts'
import { paletteIsOpen } from '../state/keys.ts'
import { pluralOf } from '../state/pluralname.ts'
import { linkTo, route } from '../state/route.ts'
import { texts } from '../text.ts'

type Favourite = readonly [group: string, resource: string]

/** Kinds that most people look for, by what they are for. */
const favourites: readonly (readonly [title: string, kinds: readonly Favourite[]])[] = [
  [
    texts.workloads,
    [
      ['apps', 'deployments'],
      ['', 'pods'],
      ['apps', 'statefulsets'],
      ['apps', 'daemonsets'],
      ['batch', 'jobs'],
      ['batch', 'cronjobs'],
    ],
  ],
  [
    texts.networkKinds,
    [
      ['', 'services'],
      ['networking.k8s.io', 'ingresses'],
    ],
  ],
  [
    texts.configuration,
    [
      ['', 'configmaps'],
      ['', 'secrets'],
      ['', 'persistentvolumeclaims'],
    ],
  ],
  [
    texts.cluster,
    [
      ['', 'nodes'],
      ['', 'namespaces'],
      ['', 'events'],
    ],
  ],
]

export function Sidebar() {
  const listed = kinds.value.filter((kind) => kind.verbs.has('list'))
  const find = ([group, resource]: Favourite): Kind[] =>
    listed.filter((kind) => kind.group === group && kind.resource === resource)
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
      ${favourites.map(
        ([title, members]) => html`
          <h2 key=${title}>${title}</h2>
          ${members.flatMap(find).map((kind) => html`<${KindLink} key=${kind.resource} kind=${kind} />`)}
        `,
      )}
      <h2>${texts.allKinds}</h2>
      ${[...groups].map(
        ([group, members]) => html`
          <details key=${group}>
            <summary title=${group}>${group === '' ? 'core' : group}</summary>
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
  return html`<a href=${linkTo(target)} aria-current=${isCurrent ? 'page' : undefined}>${pluralOf(kind)}</a>`
}

import { useSignal } from '@preact/signals'
import { type Kind, kinds } from '../api/kinds.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { paletteIsOpen } from '../state/keys.ts'
import { goTo, route } from '../state/route.ts'
import { texts } from '../text.ts'

const shownMax = 12

/** Ctrl K: a kind by a part of its name or short name. */
export function KindPalette() {
  return paletteIsOpen.value ? html`<${OpenPalette} />` : null
}

function OpenPalette() {
  const wanted = useSignal('')
  const close = (): void => void (paletteIsOpen.value = false)
  const found = rank(kinds.value, wanted.value.toLowerCase()).slice(0, shownMax)
  const choose = (kind: Kind | undefined): void => {
    close()
    if (kind)
      goTo({ group: kind.group, resource: kind.resource, namespace: kind.namespaced ? route.value.namespace : '' })
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    choose(found[0])
  }
  return html`
    <${Dialog} title=${texts.goToKind} onClose=${close}>
      <form onSubmit=${submit}>
        <input autofocus aria-label=${texts.goToKind} value=${wanted} onInput=${(event: InputEvent) => {
          if (event.currentTarget instanceof HTMLInputElement) wanted.value = event.currentTarget.value
        }} />
      </form>
      <ul class="choices">
        ${found.map(
          (kind) => html`
            <li key=${`${kind.group}/${kind.resource}`}>
              <button class="plain" onClick=${() => choose(kind)}>${kind.resource} <small>${kind.group}</small></button>
            </li>
          `,
        )}
      </ul>
    <//>
  `
}

/** Short names and beginnings come first. */
function rank(all: readonly Kind[], wanted: string): Kind[] {
  const score = (kind: Kind): number => {
    if (kind.shortNames.includes(wanted)) return 0
    if (kind.resource.startsWith(wanted)) return 1
    return kind.resource.includes(wanted) || kind.kind.toLowerCase().includes(wanted) ? 2 : 3
  }
  const matching = all.filter((kind) => kind.verbs.has('list') && score(kind) < 3)
  return matching.sort((a, b) => score(a) - score(b))
}

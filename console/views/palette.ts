import { useSignal } from '@preact/signals'
import { type Kind, kinds } from '../api/kinds.ts'
import { session, sessionName, sessions, switchTo } from '../api/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { paletteIsOpen } from '../state/keys.ts'
import { pluralOf } from '../state/pluralname.ts'
import { goTo, route } from '../state/route.ts'
import { texts } from '../text.ts'

const shownMax = 12

interface Choice {
  readonly key: string
  readonly name: string
  /** Its difference from others of its name. */
  readonly note: string
  choose(): void
}

/** Ctrl K: a kind by a part of its name or short name, or another session by a part of its context or user. */
export function KindPalette() {
  return paletteIsOpen.value ? html`<${OpenPalette} />` : null
}

function OpenPalette() {
  const wanted = useSignal('')
  const close = (): void => void (paletteIsOpen.value = false)
  const text = wanted.value.toLowerCase()
  const others = sessionChoices(text)
  const found = [
    ...rank(kinds.value, text).map(kindChoice).slice(0, shownMax),
    ...others,
    ...searchChoices(wanted.value),
  ]
  const at = useSignal(0)
  const chosen = Math.min(at.value, found.length - 1)
  const choose = (choice: Choice | undefined): void => {
    close()
    choice?.choose()
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    choose(found[chosen])
  }
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    at.value = Math.max(0, Math.min(found.length - 1, chosen + by))
  }
  return html`
    <${Dialog} title=${texts.goToKind} onClose=${close}>
      <form onSubmit=${submit}>
        <input class="wide" autofocus role="combobox" aria-expanded="true" aria-controls="choices" aria-activedescendant=${`choice-${chosen}`}
          aria-label=${texts.goToKind} placeholder=${texts.goToKind} value=${wanted} spellcheck=${false} autocomplete="off" onKeyDown=${move} onInput=${(
            event: InputEvent,
          ) => {
            if (event.currentTarget instanceof HTMLInputElement) wanted.value = event.currentTarget.value
            at.value = 0
          }} />
      </form>
      <ul class="choices" id="choices" role="listbox" aria-label=${texts.goToKind}>
        ${found.map(
          (choice, index) => html`
            <li key=${choice.key} id=${`choice-${index}`} role="option" aria-selected=${index === chosen} onClick=${() => choose(choice)}>
              ${choice.name} <small>${choice.note}</small>
            </li>
          `,
        )}
      </ul>
    <//>
  `
}

/** The text itself may be a part of an object's name. */
function searchChoices(wanted: string): Choice[] {
  if (wanted === '') return []
  const choose = (): void => goTo({ view: 'search', search: wanted, namespace: route.value.namespace })
  return [{ key: 'search', name: texts.searchFor(wanted), note: texts.searchAll, choose }]
}

function kindChoice(kind: Kind): Choice {
  const { group, resource, namespaced } = kind
  return {
    key: `${group}/${resource}`,
    name: pluralOf(kind),
    note: group,
    choose: () => goTo({ group, resource, namespace: namespaced ? route.value.namespace : '' }),
  }
}

function sessionChoices(wanted: string): Choice[] {
  return sessions.value
    .filter((each) => each.id !== session.value?.id && sessionName(each).toLowerCase().includes(wanted))
    .map((each) => ({
      key: String(each.id),
      name: sessionName(each),
      note: texts.sessions,
      choose: () => switchTo(each.id),
    }))
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

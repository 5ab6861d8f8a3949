import { signal, useSignal } from '@preact/signals'
import { kinds } from '../api/kinds.ts'
import { LiveTable } from '../api/livetable.ts'
import { actingUser, seeAs, session, sessionName, sessions, signOut, switchTo } from '../api/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { html } from '../parts/html.ts'
import { Logo } from '../parts/logo.ts'
import { useFrame } from '../parts/useframe.ts'
import { useLiveTable } from '../parts/uselivetable.ts'
import { helpIsOpen, isAddingSession, paletteIsOpen } from '../state/keys.ts'
import { adjust, linkTo, route } from '../state/route.ts'
import { chooseTheme, theme, themes } from '../state/theme.ts'
import { texts } from '../text.ts'

export function Header() {
  return html`
    <header>
      <a class="brand" href=${linkTo({ view: 'overview' })}><${Logo} /> ${texts.title}</a>
      ${kinds.value.length > 0 && html`<${NamespaceChoice} />`}
      <span class="space" />
      <button class="finder" onClick=${() => (paletteIsOpen.value = true)}>${texts.goTo} <kbd>Ctrl K</kbd></button>
      <span class="space" />
      <${UserMenu} />
      <${Help} />
    </header>
  `
}

const unchanging = signal(0)

/** Every namespace, live; a text field where they can't be listed. */
function NamespaceChoice() {
  const kind = kinds.value.find(({ group, resource }) => group === '' && resource === 'namespaces')
  const table = useLiveTable(
    () => kind && new LiveTable({ kind, namespace: '', labelSelector: '', fieldSelector: '' }),
    [kind?.version, actingUser.value],
  )
  useFrame(table?.changes ?? unchanging)
  const names = [...(table?.rows.values() ?? [])].map(({ name }) => name).sort()
  const chosen = route.value.namespace
  const change = (event: Event): void => {
    if (event.currentTarget instanceof HTMLInputElement || event.currentTarget instanceof HTMLSelectElement)
      adjust({ namespace: event.currentTarget.value })
  }
  const isFixed = route.value.view === 'object'
  if (table?.currency.value === 'refused')
    return html`<input aria-label=${texts.namespace} value=${chosen} disabled=${isFixed} onChange=${change} />`
  if (chosen !== '' && !names.includes(chosen)) names.push(chosen)
  return html`
    <select aria-label=${texts.namespace} value=${chosen} disabled=${isFixed} onChange=${change}>
      <option value="">${texts.allNamespaces}</option>
      ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
    </select>
  `
}

function UserMenu() {
  const isOpen = useSignal(false)
  const other = useSignal(session.value?.seenAs ?? '')
  const submit = (event: Event): void => {
    event.preventDefault()
    seeAs(other.value.trim())
    isOpen.value = false
  }
  return html`
    <button class="plain user" onClick=${() => (isOpen.value = true)}>${actingUser.value} <small>@ ${location.host}</small></button>
    ${
      isOpen.value &&
      html`
        <${Dialog} title=${session.value?.user} onClose=${() => (isOpen.value = false)}>
          <p class="hint">${session.value?.groups.join(', ')}</p>
          <form onSubmit=${submit}>
            <label for="see-as">${texts.seeAs}</label>
            <input id="see-as" value=${other} onInput=${(event: Event) => (other.value = valueOf(event))} />
            <p class="hint">${texts.seeAsHint}</p>
            <button type="submit">${texts.apply}</button>
            <button type="button" class="plain" onClick=${() => signOut()}>${texts.signOut}</button>
          </form>
          <h3>${texts.sessions}</h3>
          <ul class="choices">
            ${sessions.value.map(
              (each) => html`
                <li key=${each.id}>
                  <button class="plain" aria-current=${each.id === session.value?.id ? 'true' : undefined} onClick=${() => switchTo(each.id)}>
                    ${sessionName(each)}
                  </button>
                </li>
              `,
            )}
          </ul>
          <button class="plain" onClick=${() => (isAddingSession.value = true)}>${texts.addSession}</button>
          <p><label>${texts.colours} <select value=${theme} onChange=${(event: Event) => {
            if (event.currentTarget instanceof HTMLSelectElement) chooseTheme(event.currentTarget.value)
          }}>${themes.map((each) => html`<option key=${each} value=${each}>${texts.themes[each]}</option>`)}</select></label></p>
        <//>
      `
    }
  `
}

function valueOf(event: Event): string {
  return event.currentTarget instanceof HTMLInputElement ? event.currentTarget.value : ''
}

function Help() {
  const close = (): void => void (helpIsOpen.value = false)
  return html`
    <button class="plain" aria-label=${texts.keys} onClick=${() => (helpIsOpen.value = true)}>?</button>
    ${
      helpIsOpen.value &&
      html`
        <${Dialog} title=${texts.keys} onClose=${close}>
          <dl class="keys">
            ${texts.help.map(([key, meaning]) => html`<dt key=${key}><kbd>${key}</kbd></dt><dd>${meaning}</dd>`)}
          </dl>
        <//>
      `
    }
  `
}

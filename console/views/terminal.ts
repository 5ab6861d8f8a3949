import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Kind, objectPath } from '../api/kinds.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { html } from '../parts/html.ts'
import { route } from '../state/route.ts'
import { texts } from '../text.ts'
import { containerNames } from './containers.ts'

/** A shell in one container of the pod. */
export function TerminalTab({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const names = containerNames(live.object)
  const container = useSignal('')
  const command = useSignal('sh')
  const opened = useSignal<{ container: string; command: string } | undefined>(undefined)
  const host = useRef<HTMLDivElement>(null)
  const state = useSignal('')
  const chosen = container.value || names[0] || ''
  useEffect(() => {
    const { current } = host
    const what = opened.value
    if (current === null || what === undefined) return undefined
    let close: (() => void) | undefined
    let isWanted = true
    const open = async (): Promise<void> => {
      const { openTerminal } = await import('../parts/terminal.ts')
      if (!isWanted) return
      const query = new URLSearchParams({ container: what.container, stdin: 'true', stdout: 'true', tty: 'true' })
      for (const word of what.command.split(/\s+/).filter(Boolean)) query.append('command', word)
      close = openTerminal(
        current,
        `${objectPath(kind, namespace, name)}/exec?${query}`,
        (text) => (state.value = text),
      )
    }
    void open()
    return () => {
      isWanted = false
      close?.()
    }
  }, [opened.value])
  const submit = (event: Event): void => {
    event.preventDefault()
    opened.value = { container: chosen, command: command.value }
  }
  return html`
    <form class="filters" onSubmit=${submit}>
      <select aria-label=${texts.container} value=${chosen} onChange=${(event: Event) => {
        if (event.currentTarget instanceof HTMLSelectElement) container.value = event.currentTarget.value
      }}>
        ${names.map((each) => html`<option key=${each}>${each}</option>`)}
      </select>
      <input aria-label=${texts.shell} value=${command} onInput=${(event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) command.value = event.currentTarget.value
      }} />
      <button type="submit">${texts.shellOpen}</button>
      <span role="status" class="hint">${state}</span>
    </form>
    <div class="terminal" ref=${host} data-keys />
  `
}

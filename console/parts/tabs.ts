import type { ComponentChildren } from 'preact'
import { html } from './html.ts'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly title: string }[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
  /** Of the chosen tab. */
  readonly children?: ComponentChildren
}

/** Tabs and the panel of the chosen one. Only that tab is in the order of focus; arrows go to the others. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === chosen)
    const to = targetOf(event.key, at, tabs.length)
    const next = to === undefined ? undefined : tabs[to]
    if (!next || !(event.currentTarget instanceof HTMLElement)) return
    event.preventDefault()
    onChoose(next.id)
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }
  return html`
    <div role="tablist" class="tabs" aria-label=${label} onKeyDown=${onKeyDown}>
      ${tabs.map(
        ({ id, title }) => html`
          <button key=${id} id=${`tab-${id}`} role="tab" aria-selected=${id === chosen} aria-controls="panel"
            tabindex=${id === chosen ? 0 : -1} onClick=${() => onChoose(id)}>${title}</button>
        `,
      )}
    </div>
    <div role="tabpanel" id="panel" class="panel" aria-labelledby=${`tab-${chosen}`}>${children}</div>
  `
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

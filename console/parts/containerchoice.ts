import type { Signal } from '@preact/signals'
import { texts } from '../text.ts'
import { html } from './html.ts'

interface ContainerChoiceProps {
  readonly names: readonly string[]
  readonly chosen: string
  /** Gets the name that the user chooses. */
  readonly container: Signal<string>
}

/** The choice among the containers of a pod. */
export function ContainerChoice({ names, chosen, container }: ContainerChoiceProps) {
  return html`
    <select aria-label=${texts.container} value=${chosen} onChange=${(event: Event) => {
      if (event.currentTarget instanceof HTMLSelectElement) container.value = event.currentTarget.value
    }}>
      ${names.map((each) => html`<option key=${each}>${each}</option>`)}
    </select>
  `
}

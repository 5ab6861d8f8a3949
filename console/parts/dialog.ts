import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../text.ts'
import { html } from './html.ts'

interface DialogProps {
  readonly title: string
  readonly children?: ComponentChildren
  readonly onClose: () => void
}

/** A modal dialog of the browser: focus stays inside, Escape closes it. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // Before the next key arrives.
  useLayoutEffect(() => {
    element.current?.showModal()
    return () => element.current?.close()
  }, [])
  return html`
    <dialog ref=${element} aria-label=${title} onClose=${onClose} data-keys>
      <h2>${title}</h2>
      ${children}
      <button class="plain corner" aria-label=${texts.close} onClick=${onClose}>×</button>
    </dialog>
  `
}

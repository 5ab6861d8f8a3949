import { html } from './html.ts'

/** The same as icon.svg. */
export function Logo() {
  return html`
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="6" />
      <path d="M5 22h22l-3 5H8zM9 20v-8h14v8h-3v-5h-8v5zM14 12V5h4v7z" />
    </svg>
  `
}

import { signal } from '@preact/signals'

/** The current time, for ages; moves once a second while the page is visible. */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)

import { now } from '../state/time.ts'
import { age } from '../text.ts'
import { html } from './html.ts'

/** Dates and times in the user's zone and habits. */
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** How long ago the instant was, and the instant itself for who points at it; nothing for NaN. */
export function Age({ ofMs }: { readonly ofMs: number }) {
  if (Number.isNaN(ofMs)) return null
  const title = local.format(ofMs)
  return html`<time datetime=${new Date(ofMs).toISOString()} title=${title}>${age(ofMs, now.value)}</time>`
}

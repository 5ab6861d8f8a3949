import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { LogLine } from '../state/logbuffer.ts'
import { html } from './html.ts'
import { setHeight, useWindow } from './usewindow.ts'

interface VirtualLinesProps {
  readonly label: string
  readonly lines: readonly LogLine[]
  /** Keeps the last line in view. */
  readonly follows: boolean
  /** The user scrolled up, or down to the end. */
  readonly onFollow: (follows: boolean) => void
  readonly renderLine: (line: LogLine) => ComponentChild
}

/** Height of a line, px; the style sheet's --log-line. */
const lineHeight = 18

/** Any number of lines, with elements only for those in view. */
export function VirtualLines({ label, lines, follows, onFollow, renderLine }: VirtualLinesProps) {
  const element = useRef<HTMLPreElement>(null)
  const seen = useRef({ top: 0, number: 0 })
  const { first, last } = useWindow(element, lineHeight, lines.length, (scroller) => {
    const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - lineHeight
    const movedUp = scroller.scrollTop < seen.current.top
    if (isAtEnd || movedUp) onFollow(isAtEnd)
    seen.current = { top: scroller.scrollTop, number: numberAt(lines, scroller) }
  })
  useLayoutEffect(() => {
    const { current: scroller } = element
    if (scroller === null) return
    if (follows) scroller.scrollTop = scroller.scrollHeight
    else {
      // Lines that were dropped before those in view don't move these.
      const at = Math.floor(scroller.scrollTop / lineHeight)
      const moved = at - indexOf(lines, seen.current.number)
      if (at > 0 && moved !== 0) scroller.scrollTop -= moved * lineHeight
    }
    seen.current = { top: scroller.scrollTop, number: numberAt(lines, scroller) }
  })
  return html`
    <pre class="log" ref=${element} tabindex="0" role="log" aria-label=${label}><div ref=${setHeight(first * lineHeight)} />${lines
      .slice(first, last)
      .map(
        (line) => html`<div key=${line.number} class="line">${renderLine(line)}</div>`,
      )}<div ref=${setHeight((lines.length - last) * lineHeight)} /></pre>
  `
}

function numberAt(lines: readonly LogLine[], { scrollTop }: HTMLElement): number {
  return lines[Math.floor(scrollTop / lineHeight)]?.number ?? 0
}

/** Index of the line with the number, or of the one after. */
function indexOf(lines: readonly LogLine[], number: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lines[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

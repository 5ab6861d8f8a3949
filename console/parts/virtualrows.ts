import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { html } from './html.ts'

interface VirtualRowsProps {
  readonly count: number
  /** Height of every row, px; the style sheet's --row. */
  readonly rowHeight: number
  /** A row to keep in view; -1 for none. */
  readonly current: number
  readonly columns: number
  readonly header: ComponentChild
  renderRow(index: number): ComponentChild
}

/** Rows beyond the window, so that a short scroll shows no gap. */
const spare = 10

/** A table of any number of rows that holds elements only for those in view. */
export function VirtualRows({ count, rowHeight, current, columns, header, renderRow }: VirtualRowsProps) {
  const element = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const { current: scroller } = element
    if (scroller === null) return undefined
    const look = (): void => setView({ top: scroller.scrollTop, height: scroller.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [])
  useLayoutEffect(() => {
    if (element.current !== null && current >= 0) showRow(element.current, current, rowHeight)
  }, [current, rowHeight])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spare)
  const gap = (rows: number) =>
    rows > 0 &&
    html`<tr class="gap" aria-hidden="true" ref=${setHeight(rows * rowHeight)}><td colspan=${columns} /></tr>`
  const shown: ComponentChild[] = []
  for (let index = first; index < last; index++) shown.push(renderRow(index))
  return html`
    <div class="rows" ref=${element}>
      <table aria-rowcount=${count}>
        <thead>
          ${header}
        </thead>
        <tbody>
          ${gap(first)} ${shown} ${gap(count - last)}
        </tbody>
      </table>
    </div>
  `
}

/** The policy of the page forbids style attributes, but not properties. */
function setHeight(px: number): (row: HTMLElement | null) => void {
  return (row) => void (row && row.style.setProperty('height', `${px}px`))
}

function showRow(scroller: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight
  // The header sticks to the top, a row high.
  const visible = scroller.clientHeight - 2 * rowHeight
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top > scroller.scrollTop + visible) scroller.scrollTop = top - visible
}

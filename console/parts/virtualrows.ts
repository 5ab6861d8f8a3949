import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { html } from './html.ts'
import { setHeight, useWindow } from './usewindow.ts'

interface VirtualRowsProps {
  /** What the table holds, for screen readers. */
  readonly label: string
  readonly count: number
  /** Height of every row, px; the style sheet's --row. */
  readonly rowHeight: number
  /** The row that the keyboard is at, which is focused and kept in view; '' for none. */
  readonly current: string
  readonly columns: number
  readonly header: ComponentChild
  /** Another value: the rows are others or in another order, and none is looked for where it was. */
  readonly arrangement: unknown
  keyOf(index: number): string
  /** -1 where there is no such row. */
  indexOf(key: string): number
  /** A row element with `data-row` set to its key. */
  renderRow(index: number): ComponentChild
}

/**
 * A table of any number of rows that holds elements only for those in view. Rows that come, go and move leave those in view
 * where they are, and the focus where it was.
 */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, count, rowHeight, current, columns, header, renderRow } = props
  const element = useRef<HTMLDivElement>(null)
  const anchor = useRef<Anchor>({ key: '', offset: 0, arrangement: props.arrangement })
  const { first, last } = useWindow(element, rowHeight, count, (scroller) => {
    anchor.current = anchorOf(scroller.scrollTop, props)
  })
  // Before the rows change in the document: a focused one that is moved there loses its focus.
  const focused = focusedRow(element.current)
  useLayoutEffect(() => {
    const { current: scroller } = element
    if (scroller === null) return
    const top = topOf(anchor.current, scroller.scrollTop, props)
    if (top !== scroller.scrollTop) scroller.scrollTop = top
    anchor.current = anchorOf(scroller.scrollTop, props)
    if (focused !== undefined && document.activeElement === document.body) focusRow(scroller, focused)
  })
  useLayoutEffect(() => {
    const { current: scroller } = element
    const index = current === '' ? -1 : props.indexOf(current)
    if (scroller === null || index < 0) return
    showRow(scroller, index, rowHeight)
    // A row that was out of view exists once the scrolling has been seen.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => focusRow(scroller, current)))
    focusRow(scroller, current)
    return () => cancelAnimationFrame(frame)
  }, [current, rowHeight])
  const gap = (rows: number) =>
    rows > 0 &&
    html`<tr class="gap" aria-hidden="true" ref=${setHeight(rows * rowHeight)}><td colspan=${columns} /></tr>`
  const shown: ComponentChild[] = []
  for (let index = first; index < last; index++) shown.push(renderRow(index))
  return html`
    <div class="rows" ref=${element}>
      <table aria-label=${label} aria-rowcount=${count + 1}>
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

type Anchor = { readonly key: string; readonly offset: number; readonly arrangement: unknown }

/** The row at the top of the window, and the part of it above. At the very top there is none: new rows show there. */
function anchorOf(top: number, { rowHeight, count, keyOf, arrangement }: VirtualRowsProps): Anchor {
  const index = Math.floor(top / rowHeight)
  return { key: top > 0 && index < count ? keyOf(index) : '', offset: top - index * rowHeight, arrangement }
}

/** Where the window has to be for the anchor to stay where it was. */
function topOf(
  anchor: Anchor,
  top: number,
  { rowHeight, count, keyOf, indexOf, arrangement }: VirtualRowsProps,
): number {
  if (anchor.key === '' || anchor.arrangement !== arrangement) return top
  const index = Math.floor(top / rowHeight)
  if (index < count && keyOf(index) === anchor.key) return top
  const moved = indexOf(anchor.key)
  return moved < 0 ? top : moved * rowHeight + anchor.offset
}

function focusedRow(scroller: HTMLElement | null): string | undefined {
  const { activeElement } = document
  if (scroller === null || activeElement === null || !scroller.contains(activeElement)) return undefined
  return activeElement.closest<HTMLElement>('[data-row]')?.dataset['row']
}

function focusRow(scroller: HTMLElement, key: string): void {
  const row = scroller.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)
  row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
}

function showRow(scroller: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight
  // The header sticks to the top, a row high.
  const visible = scroller.clientHeight - 2 * rowHeight
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top > scroller.scrollTop + visible) scroller.scrollTop = top - visible
}

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows beyond the window, so that a short scroll shows no gap. */
const spare = 10

/** The rows of a scrolling element that are in view, of `count` rows of one height; `onLook` is called when that may change. */
export function useWindow(
  element: RefObject<HTMLElement | null>,
  rowHeight: number,
  count: number,
  onLook: (scroller: HTMLElement) => void,
): { readonly first: number; readonly last: number } {
  const [view, setView] = useState({ top: 0, height: 800 })
  const latest = useRef(onLook)
  latest.current = onLook
  useLayoutEffect(() => {
    const { current: scroller } = element
    if (scroller === null) return undefined
    const look = (): void => {
      latest.current(scroller)
      setView({ top: scroller.scrollTop, height: scroller.clientHeight })
    }
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [])
  const first = Math.max(0, Math.min(count, Math.floor(view.top / rowHeight)) - spare)
  return { first, last: Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spare) }
}

/** The policy of the page forbids style attributes, but not properties. */
export function setHeight(px: number): (element: HTMLElement | null) => void {
  return (element) => void (element && element.style.setProperty('height', `${px}px`))
}

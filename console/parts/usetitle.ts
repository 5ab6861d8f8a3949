import { useEffect, useRef } from 'preact/hooks'
import { findKind } from '../api/kinds.ts'
import { type Route, route } from '../state/route.ts'
import { texts } from '../text.ts'

/** Names the view in the title of the page, and moves the focus into a view that follows another one. */
export function useTitle(): void {
  const title = titleOf(route.value)
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = title
    const main = document.querySelector<HTMLElement>('#main')
    // Not into the first one, nor where the view has put it on a field of its own.
    if (!isFirst.current && main !== null && !main.contains(document.activeElement)) main.focus()
    isFirst.current = false
    return () => void (document.title = texts.title)
  }, [title])
}

function titleOf({ view, group, resource, name }: Route): string {
  const kind = findKind(group, resource)?.kind ?? resource
  const parts = {
    overview: [texts.overview],
    search: [texts.searchAll],
    extensions: [texts.extensions],
    list: [kind],
    create: [texts.create, kind],
    object: [name, kind],
  }[view]
  return [...parts, texts.title].join(' · ')
}

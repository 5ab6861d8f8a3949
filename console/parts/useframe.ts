import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

/** The signal's value as of the last frame: a component follows hundreds of changes a second with one rendering each. */
export function useFrame<T>(source: ReadonlySignal<T>): T {
  const [value, setValue] = useState(source.peek())
  useEffect(() => {
    let frame = 0
    const stop = source.subscribe(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        setValue(source.peek())
      })
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [source])
  return value
}

import { assert } from '../base/index.ts'
import { type ControllerContext, createSeriesRecorder, type SeriesRecorder } from '../controller/index.ts'
import type { Profile } from './profile.ts'

/** A recorder of events for each profile, which reports them by its name. They close with the context. */
export function recordersOf(
  context: ControllerContext,
  profiles: readonly Profile[],
  host: string | undefined,
): (name: string) => SeriesRecorder {
  const recorders = new Map(
    profiles.map(({ name }) => {
      const instance = host === undefined ? name : `${name}-${host}`
      const recorder = createSeriesRecorder(context, { controller: name, instance })
      context.own(recorder)
      return [name, recorder] as const
    }),
  )
  return (name) => {
    const recorder = recorders.get(name)
    assert(recorder, 'a pod is scheduled by a profile of this scheduler')
    return recorder
  }
}

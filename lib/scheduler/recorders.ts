import { type ControllerContext, createEventSink, type EventRecorder } from '../controller/index.ts'
import type { Profile } from './profile.ts'

/** A recorder of events for each profile: their source is the profile's name. They close with the context. */
export function recordersOf(context: ControllerContext, profiles: readonly Profile[]): (name: string) => EventRecorder {
  const recorders = new Map(
    profiles.map(({ name }) => {
      const sink = createEventSink(context, { component: name })
      context.own(sink)
      return [name, sink] as const
    }),
  )
  return (name) => recorders.get(name) ?? context.events
}

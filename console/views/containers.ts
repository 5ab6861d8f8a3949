import { records, text } from '../api/kinds.ts'
import { type ApiObject, fieldOf } from '../api/liveobject.ts'

/** The names of a pod's containers: its own first, then ephemeral ones, then those that ran before. */
export function containerNames(pod: ApiObject | undefined): string[] {
  const lists = ['containers', 'ephemeralContainers', 'initContainers']
  return lists.flatMap((list) => records(fieldOf(pod, 'spec', list)).map((container) => text(container['name'])))
}

import type { Pod } from '../../api/gen/core/v1.ts'
import { statusErrors } from '../object/index.ts'

/** The container of a request: the named one, or the only one. Throws 400. */
export function containerOf({ metadata: { name: pod = '' }, spec }: Pod, asked: string): string {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {}
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name ?? '')
  if (asked !== '') {
    if (names.includes(asked)) return asked
    throw statusErrors.badRequest(`container ${asked} is not valid for pod ${pod}`)
  }
  const [only] = containers
  if (only?.name !== undefined && containers.length === 1) return only.name
  const choice = containers.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`
  throw statusErrors.badRequest(`a container name must be specified for pod ${pod}${choice}`)
}

import type { QueryParameters, RequestInfo } from '../request/index.ts'

/**
 * Estimates how many watches receive a write. Watches of all objects, of one namespace and of one object are counted
 * separately; watches of one value of the field that divides them are not, such as those of one node's pods: a write concerns
 * one of them at most.
 */
export class WatcherCounts {
  readonly #divideBy: (group: string, resource: string) => string | undefined
  readonly #counts = new Map<string, number>()

  /** `divideBy`: the field that divides a resource's watches, if one does. */
  constructor(divideBy: (group: string, resource: string) => string | undefined = () => undefined) {
    this.#divideBy = divideBy
  }

  /** Counts a watch until the returned function is called. */
  add(info: RequestInfo, query: QueryParameters): () => void {
    const field = this.#divideBy(info.group, info.resource)
    if (field !== undefined && (query.get('fieldSelector') ?? '').includes(`${field}=`)) return () => {}
    const key = keyOf(info.group, info.resource, info.namespace, info.name)
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    let counted = true
    return () => {
      if (!counted) return
      counted = false
      const left = (this.#counts.get(key) ?? 0) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }

  interestedIn({ group, resource, namespace, name }: RequestInfo): number {
    if (this.#counts.size === 0) return 0
    let total = this.#of(group, resource, '', '')
    if (namespace !== '') total += this.#of(group, resource, namespace, '')
    if (name !== '') total += this.#of(group, resource, namespace, name)
    return total
  }

  #of(group: string, resource: string, namespace: string, name: string): number {
    return this.#counts.get(keyOf(group, resource, namespace, name)) ?? 0
  }
}

/** None of the parts contains a slash: they are segments of a path. */
function keyOf(group: string, resource: string, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`
}

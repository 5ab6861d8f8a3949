import type { RequestInfo } from '../request/index.ts'

/**
 * Estimates how many watches receive a write. Watches of all objects, of one namespace and of one object are counted
 * separately; watches of one node's pods are not counted, as a write concerns at most one of them.
 */
export class WatcherCounts {
  readonly #counts = new Map<string, number>()

  /** Counts a watch until the returned function is called. */
  add(info: RequestInfo, query: URLSearchParams): () => void {
    if (info.resource === 'pods' && (query.get('fieldSelector') ?? '').includes('spec.nodeName=')) return () => {}
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

import type { NodeInfo } from './nodeinfo.ts'

/** The value of a node's topology label; undefined: it has none. */
export function topologyOf({ node }: NodeInfo, key: string): string | undefined {
  return node.metadata.labels?.[key]
}

/** Counts by topology: the label, and its value. */
export class TopologyCounts {
  readonly #counts = new Map<string, Map<string, number>>()

  add(key: string, value: string, count = 1): void {
    const values = this.#counts.get(key) ?? new Map<string, number>()
    this.#counts.set(key, values.set(value, (values.get(value) ?? 0) + count))
  }

  of(key: string, value: string): number {
    return this.#counts.get(key)?.get(value) ?? 0
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }
}

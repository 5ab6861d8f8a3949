import type { LabelValues } from '../base/index.ts'

/** Label values outside an allow list, or beyond the limit of series, are counted under this one. */
const unexpectedValue = 'unexpected'

export interface SeriesOptions<Cell> {
  /** Label names in the order of the values. */
  readonly labels: readonly string[]
  /** Maximum number of label combinations. */
  readonly seriesMax: number
  /** For each label (by position) the allowed values. */
  readonly allowed?: ReadonlyMap<number, ReadonlySet<string>>
  /** Values were replaced by `unexpected`. */
  onUnexpected(): void
  create(): Cell
}

export interface Series<Cell> {
  at(labels: LabelValues): Cell
  entries(): Iterable<{ readonly labels: LabelValues; readonly cell: Cell }>
  readonly size: number
  /** Deletes all series, for gauges that are computed at scrape. */
  clear(): void
}

type Branch<Cell> = Map<string, Branch<Cell> | Cell>

/**
 * Cells by their label values, in a tree with one level for each label, so that a look-up builds no string. Example:
 * `verb, code` leads from the root through 'GET' to the map of codes, and there through '200' to the cell.
 */
export function createSeries<Cell extends object>(options: SeriesOptions<Cell>): Series<Cell> {
  const depth = options.labels.length
  let root: Branch<Cell> = new Map()
  let all: { labels: LabelValues; cell: Cell }[] = []
  let only: Cell | undefined

  function at(given: LabelValues): Cell {
    if (depth === 0) return (only ??= add([]))
    const labels = options.allowed === undefined ? given : restrict(given, options.allowed)
    let node: Branch<Cell> | Cell | undefined = root
    for (let level = 0; level < depth && node !== undefined; level++) {
      // Every level above the last holds maps.
      node = (node as Branch<Cell>).get(labels[level] ?? '')
    }
    return node === undefined ? grow(labels) : (node as Cell)
  }

  function restrict(given: LabelValues, allowed: ReadonlyMap<number, ReadonlySet<string>>): LabelValues {
    const labels = [...given]
    let changed = false
    for (const [level, values] of allowed) {
      if (values.has(labels[level] ?? '')) continue
      labels[level] = unexpectedValue
      changed = true
    }
    if (changed) options.onUnexpected()
    return labels
  }

  function grow(labels: LabelValues): Cell {
    const isFull = all.length >= options.seriesMax
    if (isFull) options.onUnexpected()
    const path = isFull ? Array.from({ length: depth }, () => unexpectedValue) : labels.slice(0, depth)
    while (path.length < depth) path.push('')
    let branch = root
    for (const value of path.slice(0, -1)) {
      const next = (branch.get(value) as Branch<Cell> | undefined) ?? new Map<string, Branch<Cell> | Cell>()
      branch.set(value, next)
      branch = next
    }
    const last = path[depth - 1] ?? ''
    const cell = (branch.get(last) as Cell | undefined) ?? add(path)
    branch.set(last, cell)
    return cell
  }

  function add(labels: LabelValues): Cell {
    const cell = options.create()
    all.push({ labels, cell })
    return cell
  }

  return {
    at,
    entries: () => all,
    get size() {
      return all.length
    },
    clear() {
      root = new Map()
      all = []
      only = undefined
    },
  }
}

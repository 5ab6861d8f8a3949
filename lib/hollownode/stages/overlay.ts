type Tree = Readonly<Record<string, unknown>>

/** Fields that identify the entries of lists in a status. */
const keys = ['type', 'name', 'ip'] as const

/** Fields of which one part is set at a time, such as a container's `running` or `terminated`. */
const alternatives: ReadonlySet<string> = new Set(['state', 'lastState'])

/** Lays a part of a status over a whole one: maps are merged, lists by the names of their entries; null removes. */
export function laidOver(status: Tree, overlay: Tree): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...status }
  for (const [name, value] of Object.entries(overlay)) {
    if (value === null) delete merged[name]
    else merged[name] = alternatives.has(name) ? value : mergedValue(merged[name], value)
  }
  return merged
}

function mergedValue(before: unknown, value: unknown): unknown {
  if (isTree(value)) return laidOver(isTree(before) ? before : {}, value)
  if (!Array.isArray(value) || !Array.isArray(before)) return value
  const key = keys.find((each) => value.every((entry) => isTree(entry) && each in entry))
  if (key === undefined) return value
  const entries = [...before] as unknown[]
  for (const entry of value as Tree[]) {
    const at = entries.findIndex((each) => isTree(each) && each[key] === entry[key])
    if (at < 0) entries.push(entry)
    else entries[at] = laidOver(entries[at] as Tree, entry)
  }
  return entries
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Fields of an object that are shown; it may have many more. */
export const fieldsMax = 500

/** The leaves of a set of fields as paths, at most `max`: `spec.containers[name="web"].image`. */
export function ownedFields(set: unknown, max = fieldsMax): string[] {
  const found: string[] = []
  const visit = (node: unknown, path: string): void => {
    if (!isRecord(node) || found.length >= max) return
    const steps = Object.keys(node).filter((key) => key !== '.')
    if (steps.length === 0 && path !== '') found.push(path)
    for (const key of steps) visit(node[key], path + stepOf(key, path === ''))
  }
  visit(set, '')
  return found
}

function stepOf(key: string, isFirst: boolean): string {
  const value = key.slice(2)
  if (key.startsWith('f:')) return isFirst ? value : `.${value}`
  if (!key.startsWith('k:')) return `[${value}]`
  try {
    const keys: unknown = JSON.parse(value)
    return `[${Object.entries(isRecord(keys) ? keys : {})
      .map(([name, each]) => `${name}=${JSON.stringify(each)}`)
      .join(',')}]`
  } catch {
    return `[${value}]`
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

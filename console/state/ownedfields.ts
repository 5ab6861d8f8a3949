/** Fields that are shown; an object may have many more. */
const fieldsMax = 2000

/** The leaves of a set of fields as paths: `spec.containers[name="web"].image`. */
export function ownedFields(set: unknown): string[] {
  const found: string[] = []
  const visit = (node: unknown, path: string): void => {
    if (!isRecord(node) || found.length >= fieldsMax) return
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

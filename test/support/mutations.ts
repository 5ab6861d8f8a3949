import type { JsonValue } from '../../lib/object/index.ts'

/** No object has more of them. */
const pathsMax = 60

/** Changes of an object in the words of `parseMutation`, at every one of its paths below `spec`, `status`, `data` and the like. */
export function mutationsOf(object: Readonly<Record<string, unknown>>): string[] {
  const found: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(object))
    if (!['apiVersion', 'kind', 'metadata'].includes(name)) addPaths(name, value as JsonValue, found)
  return found.slice(0, pathsMax).flatMap(([path, value]) => [`${path} removed`, ...changesOf(path, value)])
}

function addPaths(path: string, value: JsonValue, into: [string, JsonValue][]): void {
  into.push([path, value])
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) || /[.[\]]/.test(name) ? `[${name}]` : `.${name}`
    addPaths(`${path}${step}`, inner as JsonValue, into)
  }
}

function changesOf(path: string, value: JsonValue): string[] {
  if (typeof value === 'string') return ['Bad_V@lue!', '<300 x a>', '-1', 'other'].map((text) => `${path}=${text}`)
  if (typeof value === 'number') return ['-1', '0', '70000'].map((text) => `${path}=${text}`)
  if (typeof value === 'boolean') return [`${path}=${String(!value)}`]
  if (Array.isArray(value) && value.length > 0) return [`${path}=<first item duplicated>`]
  return []
}

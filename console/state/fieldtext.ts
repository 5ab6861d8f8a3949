/** A field that holds the wanted text. */
export interface FieldText {
  /** `spec.containers[0].image`. */
  readonly path: string
  readonly value: string
}

/** Values of one object that are looked at, and how deep. */
const valuesMax = 20_000
const depthMax = 60

/**
 * The first field of an object, in its order, whose value holds the text, whatever its case. Who manages which field is no
 * text of the object.
 */
export function fieldWith(object: unknown, wanted: string): FieldText | undefined {
  const lower = wanted.toLowerCase()
  const waiting: { readonly path: string; readonly value: unknown; readonly depth: number }[] = [
    { path: '', value: object, depth: 0 },
  ]
  for (let seen = 0; seen < valuesMax; seen++) {
    const next = waiting.pop()
    if (!next) return undefined
    const { path, value, depth } = next
    if (typeof value !== 'object' || value === null) {
      const text = String(value ?? '')
      if (text.toLowerCase().includes(lower)) return { path, value: text }
    } else if (depth < depthMax && path !== 'metadata.managedFields') {
      const members = membersOf(path, value)
      // One by one: a call has no room for as many arguments as an object may have members.
      for (const [name, each] of members.reverse()) waiting.push({ path: name, value: each, depth: depth + 1 })
    }
  }
  return undefined
}

/** As many as are looked at, by their paths. */
function membersOf(path: string, value: object): [string, unknown][] {
  if (Array.isArray(value)) return value.slice(0, valuesMax).map((each, index) => [`${path}[${index}]`, each])
  const members: [string, unknown][] = Object.entries(value).slice(0, valuesMax)
  return members.map(([key, each]) => [
    path === '' ? key : /^\w+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`,
    each,
  ])
}

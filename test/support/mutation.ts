import type { ApiObject, JsonValue } from '../../lib/object/index.ts'

/** A change of a JSON object as the observations name it: `spec.a[0].b=x`, `spec.a removed`, `spec.a -> y`. */
interface Mutation {
  readonly path: readonly (string | number)[]
  readonly change: { readonly remove: true } | { readonly set: string } | { readonly become: string }
}

export function parseMutation(text: string): Mutation | undefined {
  const removed = / removed$/.exec(text)
  if (removed) return { path: parsePath(text.slice(0, removed.index)), change: { remove: true } }
  const arrow = text.indexOf(' -> ')
  if (arrow >= 0) return { path: parsePath(text.slice(0, arrow)), change: { become: text.slice(arrow + 4) } }
  const equals = text.indexOf('=')
  return equals < 0 ? undefined : { path: parsePath(text.slice(0, equals)), change: { set: text.slice(equals + 1) } }
}

/** `a.b[0][c.d]` → a, b, 0, c.d */
function parsePath(text: string): (string | number)[] {
  return Array.from(text.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g), ([, bracketed, name]) => {
    const step = bracketed ?? name ?? ''
    return bracketed !== undefined && /^\d+$/.test(bracketed) ? Number(bracketed) : step
  })
}

/** Changes a copy; undefined when the object has nothing there. */
export function mutate(object: ApiObject, { path, change }: Mutation): ApiObject | undefined {
  const copy = structuredClone(object)
  let holder: unknown = copy
  for (const step of path.slice(0, -1)) holder = at(holder, step)
  const last = path.at(-1)
  if (last === undefined || typeof holder !== 'object' || holder === null) return undefined
  const before = at(holder, last)
  if (before === undefined) return undefined
  if ('remove' in change) {
    if (Array.isArray(holder)) holder.splice(Number(last), 1)
    else delete (holder as Record<string, unknown>)[last]
  } else
    (holder as Record<string | number, unknown>)[last] =
      'set' in change ? valueOf(change.set, before) : successor(change.become, before)
  return copy
}

function at(holder: unknown, step: string | number): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string | number, unknown>)[step] : undefined
}

/** Texts grow by an 'x'; long ones are shown cut. */
function successor(text: string, before: unknown): unknown {
  return typeof before === 'string' && text.endsWith('x') ? `${before}x` : valueOf(text, before)
}

function valueOf(text: string, before: unknown): unknown {
  const repeated = /^<(\d+) x a>$/.exec(text)
  if (repeated) return 'a'.repeat(Number(repeated[1]))
  if (text === '<bad key>') {
    const values = Object.values(before as Record<string, unknown>)
    return { ...(before as Record<string, unknown>), 'Bad@ Key': values[0] }
  }
  if (text === '<first item duplicated>') return [...(before as unknown[]), (before as unknown[])[0]]
  if (text === '{}') return {}
  if (text === '[]') return []
  if (text === '""') return ''
  if (typeof before !== 'string' && /^(-?\d+|true|false)$/.test(text)) return JSON.parse(text) as JsonValue
  return text
}

import { untypedText } from '../codec/index.ts'
import type { ApiObject, JsonValue } from '../object/index.ts'

/**
 * An object as the stock server writes it, keys sorted, in parts around its resourceVersion: the stored form has none, and
 * what is answered after the write has one. Both are made from the same parts.
 */
export interface ObjectText {
  /** Up to the metadata, and what follows them. */
  readonly head: string
  readonly tail: string
  /** The metadata's members before and after resourceVersion, without braces; may be empty. */
  readonly before: string
  readonly after: string
}

const versionField = 'resourceVersion'

export function objectText(object: ApiObject): ObjectText {
  const head: string[] = []
  const tail: string[] = []
  for (const key of Object.keys(object).sort(byCodeUnits)) {
    const value = object[key]
    if (key === 'metadata' || value === undefined) continue
    const member = `${JSON.stringify(key)}:${untypedText(value as JsonValue)}`
    if (key < 'metadata') head.push(member)
    else tail.push(member)
  }
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(object.metadata))
    if (key !== versionField && value !== undefined) (key < versionField ? before : after)[key] = value
  return {
    head: `{${head.map((member) => `${member},`).join('')}"metadata":{`,
    before: members(before),
    after: members(after),
    tail: `}${tail.map((member) => `,${member}`).join('')}}`,
  }
}

/** `resourceVersion` undefined: the stored form. */
export function joinText({ head, before, after, tail }: ObjectText, resourceVersion: string | undefined): string {
  const version = resourceVersion === undefined ? '' : `"${versionField}":${JSON.stringify(resourceVersion)}`
  return head + [before, version, after].filter((part) => part !== '').join(',') + tail
}

function members(fields: Record<string, unknown>): string {
  return untypedText(fields as JsonValue).slice(1, -1)
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

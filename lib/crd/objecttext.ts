import { untypedText } from '../codec/index.ts'
import type { ApiObject, JsonObject, JsonValue } from '../object/index.ts'

/**
 * An object in the stock server's form, keys sorted, in parts around its resourceVersion: the stored form has none, the
 * answer after the write has one. Both are joined from the same parts.
 */
export interface ObjectText {
  /** The text before the metadata's members, and that after them. */
  readonly head: string
  readonly tail: string
  /** The metadata's members before and after resourceVersion, without braces; may be empty. */
  readonly before: string
  readonly after: string
}

const versionField = 'resourceVersion'

export function objectText(object: ApiObject): ObjectText {
  const { head, before, after, tail } = splitObject(object)
  return joined({
    head: head.map(([key, value]) => member(key, untypedText(value))),
    before: untypedText(before),
    after: untypedText(after),
    tail: tail.map(([key, value]) => member(key, untypedText(value))),
  })
}

type Member = readonly [key: string, value: JsonValue]

/** The parts of the text, as values: members of the object and of its metadata. */
interface SplitObject {
  readonly head: readonly Member[]
  readonly tail: readonly Member[]
  readonly before: JsonObject
  readonly after: JsonObject
}

function splitObject(object: ApiObject): SplitObject {
  const head: Member[] = []
  const tail: Member[] = []
  for (const key of Object.keys(object).sort(byCodeUnits)) {
    const value = object[key] as JsonValue | undefined
    if (key === 'metadata' || value === undefined) continue
    if (key < 'metadata') head.push([key, value])
    else tail.push([key, value])
  }
  const before: JsonObject = {}
  const after: JsonObject = {}
  for (const [key, value] of Object.entries(object.metadata))
    if (key !== versionField && value !== undefined) (key < versionField ? before : after)[key] = value as JsonValue
  return { head, before, after, tail }
}

function member(key: string, text: string): string {
  return `${JSON.stringify(key)}:${text}`
}

function joined({
  head,
  before,
  after,
  tail,
}: {
  readonly head: readonly string[]
  readonly before: string
  readonly after: string
  readonly tail: readonly string[]
}): ObjectText {
  return {
    head: `{${head.map((each) => `${each},`).join('')}"metadata":{`,
    before: before.slice(1, -1),
    after: after.slice(1, -1),
    tail: `}${tail.map((each) => `,${each}`).join('')}}`,
  }
}

/** `resourceVersion` undefined: the stored form. */
export function joinText({ head, before, after, tail }: ObjectText, resourceVersion: string | undefined): string {
  const version = resourceVersion === undefined ? '' : `"${versionField}":${JSON.stringify(resourceVersion)}`
  return head + [before, version, after].filter((part) => part !== '').join(',') + tail
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

import { assert, isRecord } from '../base/index.ts'
import { FieldFinder } from '../codec/index.ts'
import type { StructType } from '../schema/index.ts'

/**
 * Two fields of one struct with the same value: a text, and the newer list that begins with it. The text wins when they
 * differ; an absent one is derived from the other. In every version of a kind.
 *  It is a default, but declared instead of a function: whether two texts are equal can be checked without their
 *  values, and an address differs in every object (see DefaultsProof).
 */
export interface MirroredField {
  /** Path of the struct with both fields: names with dots. Without the struct there is nothing to do. */
  readonly within: string
  readonly text: string
  readonly list: string
  /** The field of the list's items that holds the text; absent: the items are texts. */
  readonly item?: string
}

/** Makes the two fields equal, in place. */
export function applyMirror(object: object, mirror: MirroredField): void {
  const struct = ownerOf(object, mirror)
  if (!struct) return
  const { text, first } = textsOf(struct, mirror)
  if (text === first) return
  if (text === '') struct[mirror.text] = first
  else struct[mirror.list] = [mirror.item === undefined ? text : { [mirror.item]: text }]
}

/** Whether applyMirror would not change the object of a canonical message of this struct. */
export function mirrorCheck(
  struct: StructType,
  { within, text, list, item }: MirroredField,
): (message: Uint8Array) => boolean {
  const path: number[] = []
  let inner = struct
  for (const name of within.split('.')) {
    path.push(tagOf(inner, name))
    inner = structOf(inner, name)
  }
  const textTag = tagOf(inner, text)
  const listTag = tagOf(inner, list)
  const itemTag = item === undefined ? undefined : tagOf(structOf(inner, list), item)
  const found = new FieldFinder()
  return (message) => {
    let from = 0
    let to = message.length
    for (const tag of path) {
      if (!found.find(tag, message, from, to)) return true
      ;({ from, to } = found)
    }
    const hasText = found.find(textTag, message, from, to)
    const textFrom = hasText ? found.from : 0
    const textTo = hasText ? found.to : 0
    const hasFirst =
      found.find(listTag, message, from, to) &&
      (itemTag === undefined || found.find(itemTag, message, found.from, found.to))
    if (!hasFirst) return textFrom === textTo
    return areEqual(message, textFrom, textTo, found.from, found.to)
  }
}

function areEqual(bytes: Uint8Array, from: number, to: number, otherFrom: number, otherTo: number): boolean {
  if (to - from !== otherTo - otherFrom) return false
  for (let i = 0; i < to - from; i++) if (bytes[from + i] !== bytes[otherFrom + i]) return false
  return true
}

/** The tag of a field with a length. */
function tagOf(struct: StructType, name: string): number {
  const member = struct.message.find(({ field }) => field?.name === name)
  assert(member, `${struct.name} has no ${name} of its own`)
  return (member.number << 3) | 2
}

function structOf(struct: StructType, name: string): StructType {
  const type = struct.byName.get(name)?.type
  const inner = type?.is === 'list' ? type.element : type
  assert(inner?.is === 'struct', `${name} of ${struct.name} is no struct`)
  return inner
}

function ownerOf(object: object, { within }: MirroredField): Record<string, unknown> | undefined {
  let struct: unknown = object
  for (const name of within.split('.')) struct = isRecord(struct) ? struct[name] : undefined
  return isRecord(struct) ? struct : undefined
}

function textsOf(
  struct: Record<string, unknown>,
  { text, list, item }: MirroredField,
): { text: string; first: string } {
  const items = struct[list]
  const first: unknown = Array.isArray(items) ? items[0] : undefined
  return { text: asText(struct[text]), first: asText(item === undefined ? first : isRecord(first) && first[item]) }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

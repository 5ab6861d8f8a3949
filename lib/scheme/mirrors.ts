import { isRecord } from '../base/index.ts'

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
  const struct = structOf(object, mirror)
  if (!struct) return
  const { text, first } = textsOf(struct, mirror)
  if (text === first) return
  if (text === '') struct[mirror.text] = first
  else struct[mirror.list] = [mirror.item === undefined ? text : { [mirror.item]: text }]
}

/** True when applyMirror would not change the object. */
export function isMirrored(object: object, mirror: MirroredField): boolean {
  const struct = structOf(object, mirror)
  if (!struct) return true
  const { text, first } = textsOf(struct, mirror)
  return text === first
}

/** Paths that isMirrored reads. */
export function mirrorReads({ within, text, list }: MirroredField): readonly string[] {
  return [`${within}.${text}`, `${within}.${list}`]
}

function structOf(object: object, { within }: MirroredField): Record<string, unknown> | undefined {
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

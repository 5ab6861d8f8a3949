import { isRecord } from '../base/index.ts'

/**
 * Two fields of one struct for one thing: a text, and the list that came later and begins with it. The text wins where
 * they differ; where one is absent it follows from the other. In every version of a kind.
 *
 * It is a default, but one that is declared and not a function: whether two texts are the same can be seen without what
 * they are, which for an address differs in every object (see DefaultsProof).
 */
export interface MirroredField {
  /** Path of the struct that has both: names with dots. Where it is absent nothing is done. */
  readonly within: string
  readonly text: string
  readonly list: string
  /** The field of the list's items that has the text; absent: they are texts themselves. */
  readonly item?: string
}

/** Brings the two fields together, in place. */
export function applyMirror(object: object, mirror: MirroredField): void {
  const struct = structOf(object, mirror)
  if (!struct) return
  const { text, first } = textsOf(struct, mirror)
  if (text === first) return
  if (text === '') struct[mirror.text] = first
  else struct[mirror.list] = [mirror.item === undefined ? text : { [mirror.item]: text }]
}

/** True when applyMirror would leave the object as it is. */
export function isMirrored(object: object, mirror: MirroredField): boolean {
  const struct = structOf(object, mirror)
  if (!struct) return true
  const { text, first } = textsOf(struct, mirror)
  return text === first
}

/** Paths of all that isMirrored reads. */
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

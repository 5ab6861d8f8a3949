// Reading values of objects whose shape the page does not know.

export type ApiObject = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The elements that are objects; none for what is no list. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** '' for what is no string. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value at the fields, undefined where one is missing. */
export function fieldOf(object: unknown, ...path: readonly string[]): unknown {
  let value = object
  for (const step of path) value = isRecord(value) ? value[step] : undefined
  return value
}

export function metadataOf(object: ApiObject | undefined): Record<string, unknown> {
  const metadata = object?.['metadata']
  return isRecord(metadata) ? metadata : {}
}

/** The contents of a file before they are checked. */
export type Fields = Readonly<Record<string, unknown>>

/** '' for a field that is absent or no text. */
export function textField(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

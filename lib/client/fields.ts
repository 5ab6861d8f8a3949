/** The contents of a file before validation. */
export type FileFields = Readonly<Record<string, unknown>>

/** '' for a field that is absent or not a string. */
export function textField(fields: FileFields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

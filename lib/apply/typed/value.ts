export type JsonFields = Readonly<Record<string, unknown>>

export function isEmptyRecord(value: JsonFields): boolean {
  for (const key in value) if (value[key] !== undefined) return false
  return true
}

/** The value of an own field. Users choose the names, so `constructor` must find nothing. */
export function own(fields: JsonFields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

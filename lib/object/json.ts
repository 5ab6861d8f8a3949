/** As JSON.stringify, also for integers beyond 2^53, which decoded objects have as bigint. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, bareNumber, indent)
}

/** `rawJSON` is not in TypeScript's library yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

function bareNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value
}

/** Number of fields and items of a value; stops beyond `max`. */
export function countValues(root: unknown, max = Number.POSITIVE_INFINITY): number {
  let values = 0
  const rest: unknown[] = [root]
  for (let value = rest.pop(); value !== undefined && values <= max; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const keys = Array.isArray(value) ? undefined : Object.keys(value)
    const count = keys?.length ?? (value as unknown[]).length
    values += count
    // Reading the members of a wide map costs more than listing their names.
    if (values > max) break
    for (let index = 0; index < count; index++) {
      const inner = (value as Record<string, unknown>)[keys?.[index] ?? index]
      if (typeof inner === 'object' && inner !== null) rest.push(inner)
    }
  }
  return values
}

/** As JSON.stringify, and takes integers beyond 2^53, which decoded objects have as bigint. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, bareNumber, indent)
}

/** `rawJSON` is not in TypeScript's library yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

function bareNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value
}

/** Fields and items of a value; stops counting beyond `max`. */
export function countValues(root: unknown, max = Number.POSITIVE_INFINITY): number {
  let values = 0
  const rest: unknown[] = [root]
  for (let value = rest.pop(); value !== undefined && values <= max; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Array.isArray(value) ? value : Object.values(value)) {
      values++
      if (typeof inner === 'object' && inner !== null) rest.push(inner)
    }
  }
  return values
}

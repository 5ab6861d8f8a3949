/** As JSON.stringify, and takes integers beyond 2^53, which decoded objects have as bigint. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, bareNumber, indent)
}

/** `rawJSON` is not in TypeScript's library yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

function bareNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value
}

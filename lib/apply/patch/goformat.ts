/** Formats a JSON value as Go's %v: `map[a:1 b:[x y]]`, null as <nil>. Cut after `charactersMax`. */
export function formatGo(value: unknown, charactersMax = 4096): string {
  const text = format(value)
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}

function format(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(format).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `map[${entries.map(([key, inner]) => `${key}:${format(inner)}`).join(' ')}]`
}

/**
 * A user's extra attributes out of the headers that begin with `prefix`, by what follows it: keys percent-decoded, several
 * headers of one key joined in their order. `headers` have lower-case names; those that are undefined are not there.
 */
export function extraOfHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  prefixes: readonly string[],
  valuesOf: (header: string) => readonly string[],
): Record<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>()
  for (const prefix of prefixes) {
    for (const header of Object.keys(headers)) {
      if (!header.startsWith(prefix) || headers[header] === undefined) continue
      const key = unescape(header.slice(prefix.length))
      extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(header)])
    }
  }
  return Object.fromEntries(extra)
}

/** Keys may hold characters that headers' names may not; a malformed escape is taken as it is. */
function unescape(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/**
 * A user's extra attributes from the headers that begin with `prefix`; the rest of the name is the percent-decoded key,
 * and several headers of one key are joined in their order. `headers` have lower-case names; undefined ones are
 * ignored.
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

/** Keys may have characters that header names can't have; a malformed escape is kept as it is. */
function unescape(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

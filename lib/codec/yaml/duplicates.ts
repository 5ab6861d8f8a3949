const lead = 'yaml: unmarshal errors:\n'

/** Joins duplicate keys to one error with the stock server's text: a line each. */
export function formatDuplicates(duplicates: readonly string[]): string {
  return lead + duplicates.map((each) => `  ${each}`).join('\n')
}

/** The warnings for a client: one for each error, and one for each line of a text of `formatDuplicates`. */
export function warningsOf(strictErrors: readonly string[]): string[] {
  return strictErrors.flatMap((text) =>
    text.startsWith(lead)
      ? text
          .slice(lead.length)
          .split('\n')
          .map((line) => line.trim())
      : [text],
  )
}

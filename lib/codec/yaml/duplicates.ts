const lead = 'yaml: unmarshal errors:\n'

/** Keys that stand twice as one finding, in the words of the stock server: a line each. */
export function formatDuplicates(duplicates: readonly string[]): string {
  return lead + duplicates.map((each) => `  ${each}`).join('\n')
}

/** The warnings for a client: each finding, and each line of a text of `formatDuplicates`. */
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

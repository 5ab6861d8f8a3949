/**
 * The line by which a program that has no log (yet) reports something: JSON where its command line asks for JSON logs,
 * though it may hold mistakes that keep the flags from being parsed.
 */
export function failureLine(
  program: string,
  message: string,
  words: readonly string[] = process.argv.slice(2),
  level: 'error' | 'warn' = 'error',
): string {
  if (!asksForJson(words)) return `${program}: ${message}\n`
  return `${JSON.stringify({ level, ts: Date.now(), logger: program, msg: message })}\n`
}

/** The last `--logging-format` counts. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const flags = end < 0 ? words : words.slice(0, end)
  let format: string | undefined
  for (const [index, word] of flags.entries()) {
    const [, argument] = /^--logging[-_]format(?:=(.*))?$/s.exec(word) ?? [undefined, undefined]
    if (argument !== undefined) format = argument
    else if (/^--logging[-_]format$/.test(word)) format = flags[index + 1]
  }
  return format === 'json'
}

/**
 * The line that reports a failure before the log is open: JSON where the command line asks for JSON logs, even if its
 * flags can't be parsed.
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

/** The last `--logging-format` is used. */
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

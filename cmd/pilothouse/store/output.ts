import { systemClock } from '../../../lib/base/index.ts'
import { FlagError } from '../../../lib/flags/index.ts'

const sayEveryMs = 2000

/** Columns as wide as their widest cell. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('   ')
      .trimEnd()
  return rows.map((row) => `${line(row)}\n`).join('')
}

/** Waits until the text is written: a long list is not kept in memory. */
export async function print(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

/** One line for the operator, on the standard error output. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit++
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`
}

export function chooseOutput<Format extends string>(given: string, formats: readonly Format[]): Format {
  const found = formats.find((format) => format === given)
  if (found !== undefined) return found
  throw new FlagError(`--output: ${JSON.stringify(given)} is none of ${formats.join(', ')}`)
}

/** Prints a line at most once an interval. */
export function sometimes(): (line: string) => void {
  let saidMs = systemClock.monotonicMs()
  return (line) => {
    const nowMs = systemClock.monotonicMs()
    if (nowMs - saidMs < sayEveryMs) return
    saidMs = nowMs
    say(line)
  }
}

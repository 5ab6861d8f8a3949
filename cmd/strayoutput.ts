import { asksForJson, failureLine } from './failureline.ts'

/** Console functions by which dependencies write to the terminal. */
const consoleFunctions = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const

/** Passes to `report` what Node and dependencies would write to the terminal. A later call replaces an earlier one. */
export function catchStrayOutput(report: (message: string, warning?: string) => void): void {
  const { format } = process.getBuiltinModule('node:util')
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => report(message, name))
  for (const name of consoleFunctions) console[name] = (...values: unknown[]) => report(format(...values))
}

/**
 * Prints every line as JSON, if the command line asks for JSON logs, until the log is open. Must run before the rest of
 * a program is imported.
 */
export function reportInJson(program: string): void {
  if (!asksForJson(process.argv.slice(2))) return
  const crash = (error: unknown): void => {
    process.stderr.write(failureLine(program, error instanceof Error ? (error.stack ?? error.message) : String(error)))
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  catchStrayOutput((message) => process.stderr.write(failureLine(program, message, process.argv.slice(2), 'warn')))
}

/** Structured fields of a log line. Never a secret: no tokens, no bodies, no headers. */
export type LogFields = Readonly<Record<string, unknown>>

/** The logger of all rooms; the implementation (pino) is in lib/observe. */
export interface Logger {
  /** Always printed. */
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Printed when --v is at least `level`. */
  verbose(level: number, message: string, fields?: LogFields): void
  /** Always printed: one message of several lines, which text logs print unchanged, without quotes. */
  lines(lines: readonly string[]): void
  /** True when `verbose(level, …)` would print: check it before computing expensive fields. */
  enabled(level: number): boolean
  /** A logger with the name of a component. */
  named(component: string): Logger
}

export const silentLogger: Logger = {
  info() {},
  warn() {},
  error() {},
  verbose() {},
  lines() {},
  enabled: () => false,
  named: () => silentLogger,
}

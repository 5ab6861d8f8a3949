/** Structured fields of a log line. Never a secret: no tokens, no bodies, no headers. */
export type LogFields = Readonly<Record<string, unknown>>

/** The logger that rooms are given; the implementation (pino) lives in lib/observe. */
export interface Logger {
  /** Always printed. */
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Printed when --v is at least `level`. */
  verbose(level: number, message: string, fields?: LogFields): void
  /** Always printed: one message of several lines, which text logs show as such, without quotes. */
  lines(lines: readonly string[]): void
  /** True when `verbose(level, …)` would print: guard for costly fields. */
  enabled(level: number): boolean
  /** A logger that names its component. */
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

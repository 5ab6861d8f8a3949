import type { Clock, Closable, LogFields, Logger } from '../base/index.ts'
import { LineWriter } from './linewriter.ts'
import { redactFields, redactText } from './redact.ts'
import { createVerbosityOf, type VerbosityPatterns } from './verbosity.ts'

interface LoggerOptions {
  readonly format: 'text' | 'json'
  /** `verbose(level)` is printed up to this level; may be changed later. */
  readonly verbosity: number
  /** Levels for some components; the higher of both applies. */
  readonly modules?: VerbosityPatterns
  /** File descriptor: 2 is the standard error output. */
  readonly descriptor: number
  /** File descriptor of informational lines, if not the same. */
  readonly infoDescriptor?: number
  /** Bytes of informational lines that are buffered before they are written. Default 0. */
  readonly infoBufferBytes?: number
  readonly pid: number
  readonly flushPeriodMs: number
  /** Bytes that may wait for a slow reader; further lines are dropped and counted. Default 16 MiB. */
  readonly pendingBytesMax?: number
}

export interface LoggerControl extends Closable {
  readonly logger: Logger
  setVerbosity(level: number): void
  /** Writes all buffered lines at once, before the process ends. */
  flush(): void
  /** Stops the timer after a last flush. Lines that come later are written at once. */
  close(): void
}

type Severity = 'I' | 'W' | 'E'

/** Writes one line; `level` is set for verbose lines. */
type Write = (
  severity: Severity,
  level: number,
  component: string,
  message: string | readonly string[],
  fields: LogFields | undefined,
) => void

/** pino with the name of the severity as its only own member. */
const bareLines = {
  base: undefined,
  timestamp: false,
  level: 'trace',
  formatters: { level: (level: string) => ({ level }) },
} as const

/** The component of loggers without a name. */
const unnamed = 'main'

/** Maximum time that a line is buffered without the option. */
const gatherMs = 50

/**
 * Lines are buffered for a moment and written without waiting for the reader. Errors are written at once, with
 * everything buffered before.
 */
export async function createLogger(clock: Clock, options: LoggerOptions): Promise<LoggerControl> {
  const { default: pino } = await import('pino')
  const { pendingBytesMax = 16 * 1024 * 1024, infoDescriptor, infoBufferBytes = 0 } = options
  const verbosityOf = createVerbosityOf(options.modules ?? [])
  let verbosity = options.verbosity
  let dropped = 0
  let isClosed = false
  const openSink = (descriptor: number, bufferBytes: number) =>
    new LineWriter(clock, {
      descriptor,
      bufferBytes: Math.min(bufferBytes, pendingBytesMax / 4),
      pendingBytesMax,
      onDropped: () => dropped++,
    })
  const sink = openSink(options.descriptor, 4096)
  const infoSink = infoDescriptor === undefined ? sink : openSink(infoDescriptor, infoBufferBytes)
  const writeLine =
    options.format === 'text'
      ? textWriter({ I: infoSink, W: sink, E: sink }, clock, options.pid)
      : jsonWriter(pino(bareLines, infoSink), pino(bareLines, sink), clock)

  let gathering: Closable | undefined
  const writeSoon = (): void => {
    gathering = undefined
    sink.writeOut()
    if (infoBufferBytes === 0) infoSink.writeOut()
  }
  const write: Write = (severity, level, component, message, fields) => {
    writeLine(severity, level, component, message, fields)
    if (isClosed) flush()
    else gathering ??= clock.after(gatherMs, writeSoon)
  }

  function make(component: string): Logger {
    const ownVerbosity = verbosityOf(component === '' ? unnamed : component)
    const enabled = (level: number): boolean => level <= verbosity || level <= ownVerbosity
    return {
      info: (message, fields) => write('I', 0, component, message, fields),
      warn: (message, fields) => write('W', 0, component, message, fields),
      error: (message, fields) => {
        write('E', 0, component, message, fields)
        sink.writeOut()
      },
      verbose(level, message, fields) {
        if (enabled(level)) write('I', level, component, message, fields)
      },
      lines: (lines) => write('I', 0, component, lines, undefined),
      enabled,
      named: (name) => make(component === '' ? name : `${component}.${name}`),
    }
  }
  const logger = make('')
  const timer = clock.every(options.flushPeriodMs, flushAndReport)

  function flushAndReport(): void {
    if (dropped > 0) {
      const lines = dropped
      logger.warn('log lines were dropped since the reader is slow', { lines })
      // One more means that this line wasn't taken either: try again later.
      dropped = dropped === lines ? 0 : lines
    }
    infoSink.writeOut()
    sink.writeOut()
  }
  function flush(): void {
    infoSink.flush()
    sink.flush()
  }
  return {
    logger,
    setVerbosity(level) {
      verbosity = level
    },
    flush,
    close() {
      isClosed = true
      void timer.close()
      void gathering?.close()
      flush()
    },
  }
}

/** Lines in klog's format: `I1121 08:35:39.123456   12345 cache] "loaded" resource="pods"`, times in UTC. */
function textWriter(sinks: Record<Severity, { write(line: string): unknown }>, clock: Clock, pid: number): Write {
  const process = String(pid).padStart(7)
  return (severity, _level, component, message, fields) => {
    const time = new Date(clock.now()).toISOString()
    const date = time.slice(5, 7) + time.slice(8, 10)
    let line = `${severity}${date} ${time.slice(11, 23)}000 ${process} ${component === '' ? unnamed : component}] ${textOf(message)}`
    if (fields !== undefined)
      for (const [name, value] of Object.entries(redactFields(fields)))
        if (value !== undefined) line += ` ${name}=${JSON.stringify(value)}`
    sinks[severity].write(`${line}\n`)
  }
}

function textOf(message: string | readonly string[]): string {
  return typeof message === 'string' ? JSON.stringify(redactText(message)) : message.map(printable).join('\n')
}

/** A client must not be able to begin a line with text that it sent. */
function printable(line: string): string {
  return redactText(line).replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

type WriteFields = (fields: object, message: string) => void

/** Objects with the members of Kubernetes' JSON logs: ts (ms), logger, msg, v (informational lines), and the fields. */
function jsonWriter(
  infoLog: { info: WriteFields },
  log: { warn: WriteFields; error: WriteFields },
  clock: Clock,
): Write {
  return (severity, level, component, message, fields) => {
    const line = {
      ts: clock.now(),
      ...(component === '' ? {} : { logger: component }),
      ...(severity === 'I' ? { v: level } : {}),
      ...(fields === undefined ? {} : redactFields(fields)),
    }
    const text = typeof message === 'string' ? redactText(message) : message.map(printable).join('\n')
    if (severity === 'E') log.error(line, text)
    else if (severity === 'W') log.warn(line, text)
    else infoLog.info(line, text)
  }
}

/** Where a span belongs: of the `traceparent` header (W3C Trace Context). */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly sampled: boolean
}

export interface Span {
  readonly context: SpanContext | undefined
  set(name: string, value: string | number | boolean): void
  event(name: string): void
  end(error?: Error): void
}

/** What rooms trace through; the exporter is the server's to choose. */
export interface Tracer {
  /** True when spans go anywhere: guard for costly attributes. */
  readonly enabled: boolean
  start(name: string, parent?: SpanContext): Span
}

const silentSpan: Span = { context: undefined, set() {}, event() {}, end() {} }

export const silentTracer: Tracer = { enabled: false, start: () => silentSpan }

/** Undefined for a header that is absent or malformed, which starts a new trace. */
export function parseTraceparent(header: string | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== '')) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

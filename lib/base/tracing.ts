/** Names are those of OpenTelemetry's conventions where it has one. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

interface RequestSpan {
  readonly name: string
  /** Unix time. */
  readonly receivedAtMs: number
  readonly attributes: SpanAttributes
  /** `traceparent` and `baggage` from the client. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client's span becomes the parent; spans of other clients are linked, and the trace begins here. */
  readonly trustsClient: boolean
}

/** A span in progress. */
interface OpenSpan {
  end(attributes: SpanAttributes, error?: unknown): void
}

/** Records the duration of work within the trace of the current request. */
export interface Tracer {
  /**
   * Runs `work` in a span below the current one. Outside of any span, or when the trace isn't sampled, nothing is
   * recorded.
   */
  within<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>
  /** A step of the current span is done. */
  event(name: string, attributes?: SpanAttributes): void
  /** Headers that pass the current trace on to another server; none outside of a request. */
  headers(): Readonly<Record<string, string>>
}

export interface RequestTracer extends Tracer {
  /** Runs `work` in the span of a request; `work` must end the span. */
  request<Result>(start: RequestSpan, work: (span: OpenSpan) => Result): Result
}

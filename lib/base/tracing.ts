/** Names are those of OpenTelemetry's conventions where it has one. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

interface RequestSpan {
  readonly name: string
  /** Unix time. */
  readonly receivedAtMs: number
  readonly attributes: SpanAttributes
  /** `traceparent` and `baggage` as the client sent them. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client's span becomes the parent; of other clients it is linked, and the trace begins here. */
  readonly trustsClient: boolean
}

/** A span that has begun. */
interface OpenSpan {
  end(attributes: SpanAttributes, error?: unknown): void
}

/** Records what takes how long, within the trace that the current request belongs to. */
export interface Tracer {
  /** Runs `work` in a span below the current one. Outside of any, or where the trace isn't sampled, nothing is recorded. */
  within<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>
  /** A step of the current span is done. */
  event(name: string, attributes?: SpanAttributes): void
  /** Headers that hand the current trace on to another server; none outside of a request. */
  headers(): Readonly<Record<string, string>>
}

export interface RequestTracer extends Tracer {
  /** Runs `work` in the span of a request, which `work` is to end. */
  request<Result>(start: RequestSpan, work: (span: OpenSpan) => Result): Result
}

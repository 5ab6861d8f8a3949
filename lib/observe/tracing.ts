import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span } from '@opentelemetry/api'
import type { Clock, Logger, RequestTracer } from '../base/index.ts'

export interface TracingOptions {
  /** `localhost:4317`, `dns:///host:port` or `unix:///path`: OTLP over gRPC without TLS. */
  readonly endpoint: string
  /** The fraction of traces that are recorded when they begin here. */
  readonly samplingRatePerMillion: number
  readonly serviceName: string
  readonly instanceId: string
}

export interface Tracing extends RequestTracer {
  /** Sends the remaining spans, for five seconds at most. */
  close(): Promise<void>
}

/** The current span's context. */
interface Current {
  readonly context: Context
  /** Every span of a request has its audit id. */
  readonly auditId: string
}

const instrumentation = 'KubernetesAPI'
const spansWaitingMax = 2048
const spansPerExport = 512
const exportDelayMs = 5000
const exportTimeoutMs = 5000
const complainEveryMs = 60_000

async function loadLibraries() {
  try {
    return await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-grpc'),
      import('@grpc/grpc-js'),
    ])
  } catch (cause) {
    const packages = 'api, core, resources, sdk-trace-node and exporter-trace-otlp-grpc'
    throw new Error(`tracing needs the packages ${packages} of @opentelemetry: install them beside this one`, { cause })
  }
}

/**
 * Sends spans of this process to a collector in the background. Only this file loads OpenTelemetry, an optional
 * dependency: rejects with an Error that names the package to install.
 */
export async function openTracing(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  options: TracingOptions,
): Promise<Tracing> {
  const [api, core, resources, sdk, { OTLPTraceExporter }, { credentials }] = await loadLibraries()
  const exporter = new OTLPTraceExporter({
    url: exporterUrl(options.endpoint),
    credentials: credentials.createInsecure(),
    timeoutMillis: exportTimeoutMs,
  })
  const complain = createComplaint(clock, log)
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': options.serviceName,
      'service.instance.id': options.instanceId,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(options.samplingRatePerMillion / 1_000_000),
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(
        {
          export: (spans, done) =>
            exporter.export(spans, (result) => {
              if (result.error) complain(result.error)
              done({ code: core.ExportResultCode.SUCCESS })
            }),
          shutdown: () => exporter.shutdown(),
          forceFlush: () => exporter.forceFlush(),
        },
        {
          maxQueueSize: spansWaitingMax,
          maxExportBatchSize: spansPerExport,
          scheduledDelayMillis: exportDelayMs,
          exportTimeoutMillis: exportTimeoutMs,
        },
      ),
    ],
  })
  const propagator = new core.CompositePropagator({
    propagators: [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()],
  })
  const tracer = provider.getTracer(instrumentation)
  const current = new AsyncLocalStorage<Current>()

  return {
    request({ name, receivedAtMs, attributes, headers, trustsClient }, work) {
      const { traceparent, baggage } = headers
      const sent = { ...(traceparent && { traceparent }), ...(baggage && { baggage }) }
      const carried = propagator.extract(api.ROOT_CONTEXT, sent, api.defaultTextMapGetter)
      const parent = trustsClient ? carried : api.ROOT_CONTEXT
      const link = trustsClient ? undefined : api.trace.getSpanContext(carried)
      const span = tracer.startSpan(
        name,
        {
          kind: api.SpanKind.SERVER,
          startTime: receivedAtMs,
          attributes,
          links: link && api.isSpanContextValid(link) ? [{ context: link }] : [],
        },
        parent,
      )
      const open = {
        end(more: Parameters<Span['setAttributes']>[0], error?: unknown) {
          span.setAttributes(more)
          if (error !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR, message: messageOf(error) })
          span.end()
        },
      }
      const context = api.trace.setSpan(parent, span)
      return current.run({ context, auditId: String(attributes['audit-id'] ?? '') }, work, open)
    },
    async within(name, attributes, work) {
      const outer = current.getStore()
      if (outer === undefined || api.trace.getSpan(outer.context)?.isRecording() !== true) return await work()
      const { context, auditId } = outer
      const all = auditId === '' ? attributes : { 'audit-id': auditId, ...attributes }
      const span = tracer.startSpan(name, { kind: api.SpanKind.INTERNAL, attributes: all }, context)
      try {
        return await current.run({ context: api.trace.setSpan(context, span), auditId }, work)
      } catch (error) {
        span.setStatus({ code: api.SpanStatusCode.ERROR, message: messageOf(error) })
        throw error
      } finally {
        span.end()
      }
    },
    event(name, attributes) {
      const outer = current.getStore()
      if (outer) api.trace.getSpan(outer.context)?.addEvent(name, attributes)
    },
    headers() {
      const context = current.getStore()?.context
      const carrier: Record<string, string> = {}
      if (context !== undefined) propagator.inject(context, carrier, api.defaultTextMapSetter)
      return carrier
    },
    async close() {
      await Promise.race([provider.shutdown(), clock.sleep(exportTimeoutMs)]).catch(complain)
    },
  }
}

/** In the exporter's form. Throws an Error for an unsupported endpoint. */
function exporterUrl(endpoint: string): string {
  if (endpoint.startsWith('unix-abstract:')) throw new Error('endpoints of the scheme unix-abstract are not supported')
  if (endpoint.startsWith('unix:')) return endpoint
  return `http://${endpoint.replace(/^(dns:)?\/*/, '')}`
}

/** An unreachable collector is reported once a minute. */
function createComplaint(clock: Clock, log: Logger): (error: unknown) => void {
  let quietUntilMs = -Infinity
  return (error) => {
    const nowMs = clock.monotonicMs()
    if (nowMs < quietUntilMs) return
    quietUntilMs = nowMs + complainEveryMs
    log.warn('traces could not be sent', { error })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

import type { Tracer } from '../../base/index.ts'
import type { Call } from '../../request/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { ObjectsRendering } from './objects.ts'
import { PartialRendering } from './partial.ts'
import { PlainRendering } from './plain.ts'
import type { Asked, Rendering, Send } from './rendering.ts'
import { requestAttributes } from './spans.ts'
import { TableRendering } from './table.ts'

/**
 * Chooses the form of a call's answers: objects for clients in this process, else what the Accept header requests.
 * Throws 406 for a format that the endpoint doesn't have. `stream`: for a watch.
 */
export function renderingOf(
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
  use: 'response' | 'stream' = 'response',
): Rendering {
  const asked: Asked = { call, endpoint, services, negotiated: endpoint.negotiator[use](call.headers['accept']) }
  const rendering = choose(asked)
  return services.tracer ? traced(rendering, asked, services.tracer) : rendering
}

function choose(asked: Asked): Rendering {
  const { objects } = asked.call
  if (objects) return new ObjectsRendering(asked, objects)
  const { transform } = asked.negotiated
  if (!transform) return new PlainRendering(asked)
  return transform.kind === 'Table' ? new TableRendering(asked, transform) : new PartialRendering(asked, transform)
}

/** Encodes and sends answers in a span of their own; watches last as long as the span of their request. */
function traced(rendering: Rendering, { call, negotiated }: Asked, tracer: Tracer): Rendering {
  const { mediaType, format } = negotiated
  const within = (answer: Send): Promise<void> => {
    const attributes = { ...requestAttributes(call), mediaType, encoder: format }
    return tracer.within('SerializeObject', attributes, async () => answer())
  }
  return {
    walks: rendering.walks,
    one: (entry) => within(() => rendering.one(entry)),
    written: (status, written) => within(() => rendering.written(status, written)),
    unstored: (status, object) => within(() => rendering.unstored(status, object)),
    outcome: (status) => within(() => rendering.outcome(status)),
    list: (listed, metadata) => within(() => rendering.list(listed, metadata)),
    async prepareList(listed, metadata) {
      const send = await rendering.prepareList(listed, metadata)
      return () => within(send)
    },
    watch: () => rendering.watch(),
  }
}

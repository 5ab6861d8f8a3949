import type { Tracer } from '../../base/index.ts'
import type { Call } from '../../request/index.ts'
import type { EndpointServices } from '../endpointservices.ts'

/** The stock server's names of handler spans, by verb. Those of watches last as long as the request's own. */
const names: Readonly<Record<string, string>> = {
  create: 'Create',
  get: 'Get',
  list: 'List',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
}

/** Runs the handler of a verb in a span of its own, whose events are the handler's steps. */
export function inHandlerSpan(call: Call, tracer: Tracer, handle: () => Promise<void>): Promise<void> {
  const name = Object.hasOwn(names, call.info.verb) ? names[call.info.verb] : undefined
  if (name === undefined) return handle()
  const attributes = {
    ...requestAttributes(call),
    client: call.remoteAddress,
    'user-agent': call.headers['user-agent'] ?? '',
    accept: call.headers['accept'] ?? '',
  }
  return tracer.within(name, attributes, async () => {
    await handle()
    tracer.event('Writing http response done')
  })
}

/** Records a step of a handler: for the log of slow requests, and as an event of the handler's span. */
export function step(
  call: Call,
  { tracer }: Pick<EndpointServices, 'tracer'>,
  name: string,
  attributes?: Readonly<Record<string, string | number>>,
): void {
  call.step?.(name, attributes)
  tracer?.event(name, attributes)
}

export function requestAttributes(call: Call): { method: string; url: string; protocol: string } {
  const protocol = call.httpVersion === '2' ? 'HTTP/2.0' : 'HTTP/1.1'
  return { method: call.method, url: call.url, protocol }
}

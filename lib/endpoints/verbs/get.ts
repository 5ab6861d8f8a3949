import { statusErrors } from '../../object/index.ts'
import { type Call, parseGetOptions } from '../../request/index.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import { withConverted } from '../answer/withconverted.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { isLargeEntry } from '../largework.ts'
import { consistencyOfGet } from '../request/readconsistency.ts'

/** GET of one object, or of a subresource that shows the same object. */
export async function get(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const rendering = renderingOf(call, endpoint, services)
  const { resourceVersion } = parseGetOptions(call.query)
  const { namespace, name } = call.info
  const { key } = endpoint.registry.target(namespace, name)
  step(call, services, 'About to Get from storage')
  const { entry } = await endpoint.registry.cache.get(key, { at: consistencyOfGet(resourceVersion) })
  if (!entry) throw statusErrors.notFound(endpoint.gvr, name)
  return withConverted(endpoint, [entry], () => {
    endpoint.checkShown?.(entry.object())
    step(call, services, 'About to write a response')
    if (rendering.walks && services.largeWork && isLargeEntry(entry))
      return services.largeWork.handle(call, endpoint, entry)
    return rendering.one(entry)
  })
}

import type { Entry } from '../../cache/index.ts'
import { largeBytesMin } from '../../codec/index.ts'
import { statusErrors } from '../../object/index.ts'
import { type Call, type Negotiated, parseGetOptions } from '../../request/index.ts'
import { largeItem } from '../answer/largeitem.ts'
import { respondLargeItem, respondObject, send } from '../answer/respond.ts'
import { inSerializationSpan, step } from '../answer/spans.ts'
import { isRendered, wantsPretty } from '../answer/textform.ts'
import { withConverted } from '../answer/withconverted.ts'
import type { Endpoint } from '../endpoint.ts'
import { consistencyOfGet } from '../request/readconsistency.ts'
import type { Services } from '../services.ts'

/** GET of one object, or of a subresource that shows the same object. */
export async function get(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const negotiated = endpoint.negotiator.response(call.headers['accept'])
  const { resourceVersion } = parseGetOptions(call.query)
  const { namespace, name } = call.info
  const { key } = endpoint.registry.target(namespace, name)
  step(call, services, 'About to Get from storage')
  const { entry } = await endpoint.registry.cache.get(key, { at: consistencyOfGet(resourceVersion) })
  if (!entry) throw statusErrors.notFound(endpoint.gvr, name)
  return withConverted(endpoint, [entry], () => answer(call, endpoint, services, negotiated, entry))
}

function answer(
  call: Call,
  endpoint: Endpoint,
  services: Services,
  negotiated: Negotiated,
  entry: Entry,
): void | Promise<void> {
  const { scheme, clock } = services
  endpoint.checkShown?.(entry.object())
  step(call, services, 'About to write a response')
  return inSerializationSpan(call, services, negotiated, () => {
    if (!call.objects && !negotiated.transform && (endpoint.custom || isRendered(call, negotiated))) {
      const making = largeItem(endpoint, entry, negotiated.format, services)
      if (making) return making.then((item) => respondLargeItem(call, endpoint, negotiated, 200, item))
      if (entry.stored.length >= largeBytesMin)
        return respondLargeItem(call, endpoint, negotiated, 200, entry.bytes(endpoint.item(negotiated.format)))
    }
    if (call.objects || negotiated.transform || wantsPretty(call, negotiated))
      return respondObject(call, endpoint, scheme, clock.now(), negotiated, 200, entry.object())
    return send(call, 200, negotiated.mediaType, entry.bytes(endpoint.body(negotiated.format)))
  })
}

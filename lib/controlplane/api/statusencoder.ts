import { createNegotiator, type Format, type Negotiated } from '../../request/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { type EncodeStatus, encodeStatusAsJson } from '../../server/index.ts'

/** Encodes errors in the format that the client accepts, or JSON when it accepts none of the server's. */
export function createStatusEncoder(scheme: Scheme, { cbor }: { readonly cbor: boolean }): EncodeStatus {
  const formats: readonly Format[] = ['json', 'yaml', 'protobuf', ...(cbor ? (['cbor'] as const) : [])]
  const negotiator = createNegotiator({ formats, streamFormats: [], transforms: false })
  return (status, accept, pretty) => {
    const chosen = choose(() => negotiator.response(accept))
    if (!chosen || chosen.format === 'json')
      return encodeStatusAsJson(status, accept, pretty || chosen?.pretty === true)
    const { mediaType } = chosen
    return { contentType: mediaType, body: scheme.objects.encodeObject(status, { mediaType }) }
  }
}

/** Undefined: the client accepts none of the server's formats. */
function choose(negotiate: () => Negotiated): Negotiated | undefined {
  try {
    return negotiate()
  } catch {
    return undefined
  }
}

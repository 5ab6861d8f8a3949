import { createNegotiator, type Format, type Negotiated } from '../../request/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { type EncodeStatus, encodeStatusAsJson } from '../../server/index.ts'

/** Errors in the format that the client accepts, JSON when it accepts none of ours. */
export function createStatusEncoder(scheme: Scheme, { cbor }: { readonly cbor: boolean }): EncodeStatus {
  const formats: readonly Format[] = ['json', 'yaml', 'protobuf', ...(cbor ? (['cbor'] as const) : [])]
  const negotiator = createNegotiator({ formats, streamFormats: [], transforms: false })
  return (status, accept, pretty) => {
    const chosen = choose(() => negotiator.response(accept))
    if (!chosen || chosen.format === 'json')
      return encodeStatusAsJson(status, accept, pretty || chosen?.pretty === true)
    const { mediaType } = chosen
    return { contentType: mediaType, body: scheme.encodeObject(status, { mediaType }) }
  }
}

/** Undefined: the client accepts none of ours. */
function choose(negotiate: () => Negotiated): Negotiated | undefined {
  try {
    return negotiate()
  } catch {
    return undefined
  }
}

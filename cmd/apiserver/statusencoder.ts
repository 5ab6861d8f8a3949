import type { ApiObject } from '../../lib/object/index.ts'
import { createNegotiator, type Format } from '../../lib/request/index.ts'
import type { Scheme } from '../../lib/scheme/index.ts'
import { type EncodeStatus, encodeStatusAsJson } from '../../lib/server/index.ts'

/** Errors in the format that the client accepts, JSON when it accepts none of ours. */
export function createStatusEncoder(scheme: Scheme, { cbor }: { readonly cbor: boolean }): EncodeStatus {
  const formats: readonly Format[] = ['json', 'yaml', 'protobuf', ...(cbor ? (['cbor'] as const) : [])]
  const negotiator = createNegotiator({ formats, streamFormats: [], transforms: false })
  return (status, accept) => {
    const mediaType = chooseFormat(() => negotiator.response(accept).mediaType)
    if (mediaType === 'application/json') return encodeStatusAsJson(status, accept)
    return { contentType: mediaType, body: scheme.encodeObject(status as unknown as ApiObject, { mediaType }) }
  }
}

function chooseFormat<Name extends string>(choose: () => Name): Name | 'application/json' {
  try {
    return choose()
  } catch {
    return 'application/json'
  }
}

import type { ApiObject } from '../../object/index.ts'
import type { Endpoint } from '../endpoint.ts'

/** A subresource view shows only the metadata fields of its own kind, and webhooks convert labels and annotations. */
export function shownMetadata(endpoint: Endpoint, object: ApiObject): ApiObject['metadata'] {
  return (endpoint.main || endpoint.capabilities.convertsOnRead ? endpoint.toServed(object) : object).metadata
}

import type { ApiObject } from '../../object/index.ts'
import type { Endpoint } from '../endpoint.ts'

/** A subresource view shows the part of the metadata that its own kind has, and webhooks convert labels and annotations. */
export function shownMetadata(endpoint: Endpoint, object: ApiObject): ApiObject['metadata'] {
  return (endpoint.main || endpoint.capabilities.convertsOnRead ? endpoint.toServed(object) : object).metadata
}

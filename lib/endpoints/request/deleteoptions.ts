import { yamlInlineBytesMax } from '../../codec/index.ts'
import { statusErrors } from '../../object/index.ts'
import {
  type Call,
  checkDeleteOptions,
  type DeleteRequestOptions,
  formatMediaTypes,
  type Negotiator,
  parseDeleteOptions,
  type RawDeleteOptions,
} from '../../request/index.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { readBody } from './body.ts'

/**
 * Options of a deletion: the body's, or without one the query's. dryRun in either of the two has effect: a deletion
 * can't be undone. Throws 400 for another kind of body, 422 for invalid values.
 */
export async function readDeleteOptions(
  call: Call,
  { kindCodec, unsafeDeletion }: EndpointServices,
  negotiator: Negotiator,
): Promise<DeleteRequestOptions> {
  if ((await call.body()).byteLength === 0) return parseDeleteOptions(call.query, { unsafeDeletion })
  const format = negotiator.body(call.headers['content-type'])
  const body = await readBody(call, format)
  if (format === 'yaml' && body.length > yamlInlineBytesMax)
    throw statusErrors.tooLarge(`options in YAML have at most ${yamlInlineBytesMax} bytes`)
  const mediaType = formatMediaTypes[format]
  const options: RawDeleteOptions = kindCodec.decodeOptions(body, { mediaType, kind: 'DeleteOptions' })
  const dryRun = [...(options.dryRun ?? []), ...call.query.getAll('dryRun')]
  return checkDeleteOptions({ ...options, dryRun }, { unsafeDeletion })
}

import type { ApiObject } from '../object/index.ts'
import { type Call, parseListOptions } from '../request/index.ts'
import { admitDeletion } from './delete.ts'
import { readDeleteOptions } from './deleteoptions.ts'
import type { Endpoint } from './endpoint.ts'
import { send } from './respond.ts'
import { scopeOf } from './scope.ts'
import type { Services } from './services.ts'
import { writeContext } from './write.ts'

/** DELETE of what a collection's selectors leave. Answers the list of what was deleted. */
export async function removeCollection(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const { scheme } = services
  const { format, mediaType } = endpoint.negotiator.response(call.headers['accept'])
  const listOptions = parseListOptions(call.query, services)
  const { start, end, selection } = scopeOf(call, endpoint, listOptions, '')
  const options = await readDeleteOptions(call, scheme, endpoint.negotiator)
  const { predicate } = selection
  const removed = await endpoint.registry.deleteCollection(
    { start, end, ...(predicate ? { predicate } : {}) },
    options,
    {
      ...writeContext(call, options.dryRun),
      signal: call.signal,
      validate: (_, old) => admitDeletion(call, endpoint, services, options, old?.metadata.name ?? '', old),
    },
  )
  const itemType = format === 'yaml' ? 'application/json' : mediaType
  const items = removed.map((object: ApiObject) => scheme.encodeItem(endpoint.fromHub(object), itemType))
  return send(call, 200, mediaType, scheme.encodeListFromItems(endpoint.listGvk, {}, items, mediaType))
}

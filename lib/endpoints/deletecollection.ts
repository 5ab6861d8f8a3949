import { type Call, parseListOptions } from '../request/index.ts'
import { admitDeletion } from './delete.ts'
import { readDeleteOptions } from './deleteoptions.ts'
import type { Endpoint } from './endpoint.ts'
import { listMetadata, readCollection } from './list.ts'
import { send } from './respond.ts'
import { scopeOf } from './scope.ts'
import type { Services } from './services.ts'
import { writeContext } from './write.ts'

/** DELETE of what a collection's selectors leave, or of one page of it. Answers the list of what was deleted. */
export async function removeCollection(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const { scheme } = services
  const { format, mediaType } = endpoint.negotiator.response(call.headers['accept'])
  const listOptions = parseListOptions(call.query, services)
  const scope = scopeOf(call, endpoint, listOptions, '')
  const options = await readDeleteOptions(call, scheme, endpoint.negotiator)
  const page = await readCollection(endpoint, listOptions, scope)
  const items = page.entries.map((entry) => entry.bytes(endpoint.item(format)))
  const objects = page.entries.map((entry) => entry.object())
  await endpoint.registry.deleteCollection(objects, options, {
    ...writeContext(call, options.dryRun),
    signal: call.signal,
    validate: (_, old) => admitDeletion(call, endpoint, services, options, old?.metadata.name ?? '', old),
  })
  const metadata = listMetadata(page, listOptions, scope)
  return send(call, 200, mediaType, scheme.encodeListFromItems(endpoint.listGvk, metadata, items, mediaType))
}

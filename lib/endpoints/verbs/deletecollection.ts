import type { ListMeta } from '../../object/index.ts'
import { type Call, type DeleteRequestOptions, parseListOptions } from '../../request/index.ts'
import type { Collection } from '../answer/listselected.ts'
import type { Rendering } from '../answer/rendering.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import { refuseUnsafeCollection } from '../answer/unreadable.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { scopeOf } from '../request/collectionscope.ts'
import { readDeleteOptions } from '../request/deleteoptions.ts'
import { writeContext } from '../request/write.ts'
import { admitDeletion } from './delete.ts'
import { listMetadata, readCollection, withCollection } from './list.ts'

/**
 * DELETE of the selected objects of a collection, or of one page. Answers the list of deleted objects; to clients in
 * this process an empty one, unless it is audited: a namespace of 70,000 custom objects took 150 MB for the list.
 */
export async function removeCollection(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const rendering = renderingOf(call, endpoint, services)
  const listOptions = parseListOptions(call.query, services)
  const scope = scopeOf(call, endpoint, listOptions, '')
  const options = await readDeleteOptions(call, services, endpoint.negotiator)
  step(call, services, 'Decoded delete options')
  refuseUnsafeCollection(options)
  const page = await readCollection(endpoint, listOptions, scope, services)
  const metadata = listMetadata(page, listOptions, scope)
  return withCollection(endpoint, page, () =>
    removeAll(call, endpoint, services, { rendering, options, page, metadata }),
  )
}

interface Removal {
  readonly rendering: Rendering
  readonly options: DeleteRequestOptions
  readonly page: Collection
  readonly metadata: ListMeta
}

async function removeAll(
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
  { rendering, options, page: { entries }, metadata }: Removal,
): Promise<void> {
  // Refuses a form that can't show the list before anything is deleted. A large list is written while it is sent, from
  // stored bytes.
  const send = await rendering.prepareList({ entries: call.objects?.wantsDeleted === false ? [] : entries }, metadata)
  const { registry } = endpoint
  const targets = entries.map(({ key }) => registry.targetAt(key))
  step(call, services, 'About to delete object from database', { count: targets.length })
  await registry.deleteCollection(targets, options, {
    ...writeContext(call, options.dryRun),
    signal: call.signal,
    validate: (_, old) => admitDeletion(call, endpoint, services, options, old?.metadata.name ?? '', old),
  })
  step(call, services, 'Object deleted from database')
  return send()
}

import type { ListMeta } from '../../object/index.ts'
import { type Call, type DeleteOptions, type Negotiated, parseListOptions } from '../../request/index.ts'
import { listBody, sendList } from '../answer/listbody.ts'
import type { Collection } from '../answer/listselected.ts'
import { inSerializationSpan, step } from '../answer/spans.ts'
import { refuseUnsafeCollection } from '../answer/unreadable.ts'
import type { Endpoint } from '../endpoint.ts'
import { readDeleteOptions } from '../request/deleteoptions.ts'
import { scopeOf } from '../request/scope.ts'
import { writeContext } from '../request/write.ts'
import type { Services } from '../services.ts'
import { admitDeletion } from './delete.ts'
import { listMetadata, objectList, readCollection, withCollection } from './list.ts'

/**
 * DELETE of what a collection's selectors leave, or of one page of it. Answers the list of what was deleted; to clients in
 * this process an empty one, unless it is audited: a namespace of 70,000 custom objects took 150 MB for the list.
 */
export async function removeCollection(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const negotiated = endpoint.negotiator.response(call.headers['accept'])
  const listOptions = parseListOptions(call.query, services)
  const scope = scopeOf(call, endpoint, listOptions, '')
  const options = await readDeleteOptions(call, services, endpoint.negotiator)
  step(call, services, 'Decoded delete options')
  refuseUnsafeCollection(options)
  const page = await readCollection(endpoint, listOptions, scope, services)
  const metadata = listMetadata(page, listOptions, scope)
  return withCollection(endpoint, page, () =>
    removeAll(call, endpoint, services, { negotiated, options, page, metadata }),
  )
}

interface Removal {
  readonly negotiated: Negotiated
  readonly options: DeleteOptions
  readonly page: Collection
  readonly metadata: ListMeta
}

async function removeAll(
  call: Call,
  endpoint: Endpoint,
  services: Services,
  { negotiated, options, page, metadata }: Removal,
): Promise<void> {
  // An unknown media type is refused before anything is deleted.
  const { objects } = call
  const listed = objects?.wantsDeleted === false ? { ...page, entries: [] } : page
  const list = objects && (await objectList(endpoint, services, negotiated, listed, metadata))
  // A large one is written while it is sent: until then, stored bytes stand for it.
  const body = list ? undefined : await listBody(call, endpoint, services, negotiated, page, metadata)
  const { registry } = endpoint
  const targets = page.entries.map(({ key }) => registry.targetAt(key))
  step(call, services, 'About to delete object from database', { count: targets.length })
  await registry.deleteCollection(targets, options, {
    ...writeContext(call, options.dryRun),
    signal: call.signal,
    validate: (_, old) => admitDeletion(call, endpoint, services, options, old?.metadata.name ?? '', old),
  })
  step(call, services, 'Object deleted from database')
  return inSerializationSpan(call, services, negotiated, () =>
    body ? sendList(call, negotiated, body) : list && objects?.answerList(200, list),
  )
}

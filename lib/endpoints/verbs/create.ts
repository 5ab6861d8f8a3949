import type { ApiObject } from '../../object/index.ts'
import { ensureNamespace, wipeSystemMetadata } from '../../registry/index.ts'
import { type Call, parseCreateOptions } from '../../request/index.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { mutate, validate } from '../request/admit.ts'
import { checkAfterAdmission, dropRepeatedOwners, readObject } from '../request/body.ts'
import { managerOf } from '../request/manager.ts'
import { admissionSubject, limitedContext, optionFields, prepareForStorage } from '../request/write.ts'

/** POST to a collection. */
export async function create(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const rendering = renderingOf(call, endpoint, services)
  const options = parseCreateOptions(call.query)
  const read = await readObject(call, endpoint.codec, endpoint, options.fieldValidation, services)
  step(call, services, 'Conversion done')
  const object = asNew(read(), call, endpoint)

  const { admission } = services
  const manager = managerOf(options.fieldManager, call.headers['user-agent'])
  const subject = admissionSubject(call, endpoint, object.metadata.name ?? '', options.dryRun, optionFields(options))
  const change = { object, existing: undefined, manager, subresource: '' }
  const settled = await prepareForStorage(endpoint, services, change, async (owned) => {
    await mutate(admission, subject, 'CREATE', owned, undefined)
    checkAfterAdmission(owned, call, endpoint)
  })

  step(call, services, 'About to store object in database')
  const written = await endpoint.registry.create(settled, {
    ...limitedContext(call, options.dryRun, services),
    validate: (final) => validate(admission, subject, 'CREATE', final && endpoint.toServed(final), undefined),
  })
  step(call, services, 'Write to database call succeeded')
  return rendering.written(201, written)
}

/** An object that a client sent, without the metadata that the server sets, in the namespace of the URL. */
function asNew(object: ApiObject, call: Call, endpoint: Endpoint): ApiObject {
  wipeSystemMetadata(object.metadata)
  ensureNamespace(object, endpoint.namespaced ? call.info.namespace : '')
  dropRepeatedOwners(object, call)
  return object
}

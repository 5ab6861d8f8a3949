import type { ApiObject } from '../../object/index.ts'
import { type Existing, ensureNamespace, wipeSystemMetadata } from '../../registry/index.ts'
import { type Call, parseUpdateOptions } from '../../request/index.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { mutate } from '../request/admit.ts'
import { checkAfterAdmission, checkName, dropRepeatedOwners, readObject } from '../request/body.ts'
import { managerOf } from '../request/manager.ts'
import { admissionSubject, changeContext, optionFields, prepareForStorage } from '../request/write.ts'

/** PUT of an object, or of a subresource that is a part of it. */
export async function update(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const rendering = renderingOf(call, endpoint, services)
  const { namespace, name, subresource } = call.info
  const options = parseUpdateOptions(call.query)
  const target = endpoint.registry.target(namespace, name)
  const read = await readObject(call, endpoint.codec, endpoint, options.fieldValidation, services)
  step(call, services, 'Conversion done')
  const first = asReplacement(read(), call, endpoint)
  const { uid = '' } = first.metadata

  const { admission } = services
  const manager = managerOf(options.fieldManager, call.headers['user-agent'])
  const subject = admissionSubject(call, endpoint, name, options.dryRun, optionFields(options))
  let unused: ApiObject | undefined = first
  const transform = async (existing: Existing | undefined): Promise<ApiObject> => {
    const object = unused ?? asReplacement(read(), call, endpoint)
    unused = undefined
    if (!existing) wipeSystemMetadata(object.metadata)
    return prepareForStorage(endpoint, services, { object, existing, manager, subresource }, async (owned, live) => {
      await mutate(admission, subject, live ? 'UPDATE' : 'CREATE', owned, live)
      checkAfterAdmission(owned, call, endpoint)
      if (!live) checkName(owned, name)
    })
  }

  const change = { transform, subresource: endpoint.main ? '' : subresource, ...(uid === '' ? {} : { uid }) }
  const context = changeContext(call, endpoint, services, subject)
  step(call, services, 'About to store object in database')
  const written = await endpoint.registry.update(target, change, context)
  step(call, services, 'Write to database call succeeded')
  return rendering.written(written.created ? 201 : 200, written)
}

/** An object that a client sent, which is that of the URL. Throws 400. */
function asReplacement(object: ApiObject, call: Call, endpoint: Endpoint): ApiObject {
  ensureNamespace(object, endpoint.namespaced ? call.info.namespace : '')
  checkName(object, call.info.name)
  dropRepeatedOwners(object, call)
  // In a PUT an empty list stops the tracking of managers, like the list of one empty entry in every request.
  if (object.metadata.managedFields?.length === 0) object.metadata.managedFields = [{}]
  return object
}

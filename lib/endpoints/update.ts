import type { ApiObject } from '../object/index.ts'
import { ensureNamespace, type Existing, wipeSystemMetadata } from '../registry/index.ts'
import { type Call, parseUpdateOptions } from '../request/index.ts'
import { mutate, validate } from './admit.ts'
import { checkName, dropRepeatedOwners, readObject } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { managerOf } from './ownership.ts'
import { respondWritten } from './respond.ts'
import type { Services } from './services.ts'
import { admissionSubject, ignoreOwnershipTimes, optionFields, ownershipContext, writeContext } from './write.ts'

/** PUT of an object, or of a subresource that is a part of it. */
export async function update(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const negotiated = endpoint.negotiator.response(call.headers['accept'])
  const { namespace, name, subresource } = call.info
  const options = parseUpdateOptions(call.query)
  const target = endpoint.registry.target(namespace, name)
  const read = await readObject(call, services.scheme, endpoint.negotiator, endpoint.gvk, options.fieldValidation)
  const first = own(read(), call, endpoint)
  const { uid = '' } = first.metadata

  const { ownership, admission } = services
  const manager = managerOf(options.fieldManager, call.headers['user-agent'])
  const subject = admissionSubject(call, endpoint, name, options.dryRun, {
    kind: 'UpdateOptions',
    fields: optionFields(options),
  })
  let unused: ApiObject | undefined = first
  const transform = async (existing: Existing | undefined): Promise<ApiObject> => {
    let object = unused ?? own(read(), call, endpoint)
    unused = undefined
    const live = existing && endpoint.fromHub(existing.object)
    if (!live) wipeSystemMetadata(object.metadata)
    if (ownership) {
      const about = ownershipContext(endpoint, services, manager, subresource)
      object = live ? ownership.onUpdate(live, object, about) : ownership.onCreate(object, about)
    }
    await mutate(admission, subject, live ? 'UPDATE' : 'CREATE', object, live)
    dropRepeatedOwners(object, call)
    if (ownership && live) ignoreOwnershipTimes(object, existing, live)
    return endpoint.toHub(object)
  }

  const change = { transform, subresource, ...(uid === '' ? {} : { uid }) }
  const written = await endpoint.registry.update(target, change, {
    ...writeContext(call, options.dryRun),
    validate: (final, old) =>
      validate(
        admission,
        subject,
        old ? 'UPDATE' : 'CREATE',
        final && endpoint.fromHub(final),
        old && endpoint.fromHub(old),
      ),
  })
  return respondWritten(call, endpoint, services, negotiated, written.created ? 201 : 200, written)
}

function own(object: ApiObject, call: Call, endpoint: Endpoint): ApiObject {
  ensureNamespace(object, endpoint.namespaced ? call.info.namespace : '')
  checkName(object, call.info.name)
  dropRepeatedOwners(object, call)
  return object
}

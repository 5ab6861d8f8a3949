import type { ApiObject } from '../../object/index.ts'
import type { Removed } from '../../registry/index.ts'
import type { Call, DeleteRequestOptions } from '../../request/index.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import { requireUnsafeDeletion } from '../answer/unreadable.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { mutate, validate } from '../request/admit.ts'
import { readDeleteOptions } from '../request/deleteoptions.ts'
import { admissionSubject, limitedContext } from '../request/write.ts'

/** DELETE of one object. */
export async function remove(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const { namespace, name } = call.info
  const target = endpoint.registry.target(namespace, name)
  const rendering = renderingOf(call, endpoint, services)
  const options = await readDeleteOptions(call, services, endpoint.negotiator)
  step(call, services, 'Decoded delete options')
  await requireUnsafeDeletion(call, endpoint, services, options)
  step(call, services, 'About to delete object from database')
  const removed = await endpoint.registry.delete(target, options, {
    ...limitedContext(call, options.dryRun, services),
    validate: (_, old) => admitDeletion(call, endpoint, services, options, name, old),
  })
  step(call, services, 'Object deleted from database')
  const status = statusOf(removed, options)
  if (removed.stored) return rendering.written(status, { ...removed, created: false })
  if (removed.unread) return rendering.outcome(unreadStatus(endpoint, name))
  if (removed.deleted && endpoint.table.deleteReturns !== 'object')
    return rendering.outcome(successStatus(endpoint, name, removed))
  return rendering.unstored(status, removed.object)
}

/**
 * A deletion that waits for finalizers is 202 only with orphanDependents false, as in the stock server; otherwise 200.
 */
function statusOf({ deleted }: Removed, { orphanDependents }: DeleteRequestOptions): number {
  return !deleted && orphanDependents === false ? 202 : 200
}

export async function admitDeletion(
  call: Call,
  endpoint: Endpoint,
  { admission }: EndpointServices,
  options: DeleteRequestOptions,
  name: string,
  old: ApiObject | undefined,
): Promise<void> {
  if (!admission.handles('DELETE')) return
  const subject = admissionSubject(call, endpoint, name, options.dryRun, fieldsOf(options))
  const oldObject = old && endpoint.toServed(old)
  await mutate(admission, subject, 'DELETE', undefined, oldObject)
  await validate(admission, subject, 'DELETE', undefined, oldObject)
}

function fieldsOf({ dryRun, ignoreStoreReadError: _, ...options }: DeleteRequestOptions): object {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), ...(dryRun ? { dryRun: ['All'] } : {}) }
}

function unreadStatus({ gvk }: Endpoint, name: string): ApiObject {
  const details = { name, ...(gvk.group === '' ? {} : { group: gvk.group }), kind: gvk.kind }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}

function successStatus({ gvr }: Endpoint, name: string, { object }: Removed): ApiObject {
  const { group, resource } = gvr
  const { uid = '' } = object.metadata
  const details = { name, ...(group === '' ? {} : { group }), kind: resource, ...(uid === '' ? {} : { uid }) }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}

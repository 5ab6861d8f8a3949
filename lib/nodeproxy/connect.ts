import { forbiddenMessage } from '../authz/index.ts'
import type { VirtualKit } from '../endpoints/index.ts'
import { type ApiObject, type GroupVersionResource, statusErrors } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import type { NodeProxyDependencies } from './contract.ts'

/** Runs admission for a connection. Throws when it refuses, and 400 for a dry run, which connects nothing. */
export async function admitConnection(
  call: Call,
  kit: VirtualKit,
  resource: GroupVersionResource,
  options: ApiObject,
): Promise<void> {
  if (call.query.has('dryRun')) throw statusErrors.badRequest('dryRun is not supported')
  const { namespace, name, subresource } = call.info
  const kind = { group: '', version: 'v1', kind: options.kind }
  const subject = { call, kind, resource, subresource, namespace, name, dryRun: false, options: {} }
  await kit.admit(subject, 'CONNECT', options)
}

/**
 * A WebSocket begins with a GET, which is authorized as one; opening a terminal requires the permission to create it,
 * whatever the protocol. Throws 403.
 */
export async function requireCreate(call: Call, { authorizer, gate }: NodeProxyDependencies): Promise<void> {
  const { info, user } = call
  if (info.verb === 'create' || !gate('AuthorizePodWebsocketUpgradeCreatePermission')) return
  const { isResource, path, group, version, resource, subresource, namespace, name } = info
  const attributes = { user, verb: 'create', isResource, path, group, version, resource, subresource, namespace, name }
  const { decision, reason, error } = await authorizer.authorize(attributes, call)
  if (decision === 'allow') return
  if (error !== undefined) throw statusErrors.internal('authorization could not be decided', error)
  throw statusErrors.forbidden(info, name, forbiddenMessage(attributes, reason))
}

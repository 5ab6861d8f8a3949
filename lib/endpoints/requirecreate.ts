import { type AuthorizationAttributes, type AuthorizationResult, forbiddenMessage } from '../authz/index.ts'
import { statusErrors } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import type { Services } from './services.ts'

/**
 * Whoever makes an object by a PUT or an apply must be allowed to create it, too: so far only the update or the patch
 * was authorized. Throws the 403 of the verb create, or 500 where an authorizer failed. To be asked once it is known that
 * there is no such object, and so that nobody learns by it what is stored, never before.
 */
export function requireCreate(call: Call, { authorizer }: Services): void | Promise<void> {
  const { isResource, path, group, version, resource, subresource, namespace, name } = call.info
  const where = { isResource, path, group, version, resource, subresource, namespace, name }
  const attributes: AuthorizationAttributes = { user: call.user, verb: 'create', ...where }
  const answer = authorizer.authorize(attributes, call)
  return answer instanceof Promise ? answer.then((result) => settle(attributes, result)) : settle(attributes, answer)
}

function settle(attributes: AuthorizationAttributes, { decision, reason, error }: AuthorizationResult): void {
  if (decision === 'allow') return
  if (error !== undefined) throw statusErrors.internal('authorization could not be decided', error)
  throw statusErrors.forbidden(attributes, attributes.name, forbiddenMessage(attributes, reason))
}

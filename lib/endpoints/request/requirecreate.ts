import { type AuthorizationAttributes, type AuthorizationResult, forbiddenMessage } from '../../authz/index.ts'
import { statusErrors } from '../../object/index.ts'
import type { Call } from '../../request/index.ts'
import type { EndpointServices } from '../endpointservices.ts'

/**
 * A PUT or an apply that creates an object needs the permission to create it, too: only the update or the patch has
 * been authorized. Throws the 403 of the verb create, or 500 where an authorizer failed. Called only once it is known
 * that the object doesn't exist, so that the answer doesn't reveal what is stored.
 */
export function requireCreate(call: Call, { authorizer }: EndpointServices): void | Promise<void> {
  const { isResource, path, group, version, resource, subresource, namespace, name } = call.info
  const where = { isResource, path, group, version, resource, subresource, namespace, name }
  const attributes: AuthorizationAttributes = { user: call.user, verb: 'create', ...where }
  const answer = authorizer.authorize(attributes, call)
  return answer instanceof Promise
    ? answer.then((result) => requireAllowed(attributes, result))
    : requireAllowed(attributes, answer)
}

function requireAllowed(attributes: AuthorizationAttributes, { decision, reason, error }: AuthorizationResult): void {
  if (decision === 'allow') return
  if (error !== undefined) throw statusErrors.internal('authorization could not be decided', error)
  throw statusErrors.forbidden(attributes, attributes.name, forbiddenMessage(attributes, reason))
}

import { quote } from '../object/index.ts'
import type { AuthorizationAttributes } from './authorizer.ts'

/** The message of a 403: the action, with & < > as entities since browsers may show it, a colon, and the reason. */
export function forbiddenMessage(attributes: AuthorizationAttributes, reason = ''): string {
  const text = describe(attributes).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return reason === '' ? text : `${text}: ${reason}`
}

function describe({
  user,
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  namespace,
}: AuthorizationAttributes): string {
  const who = `User ${quote(user.name)} cannot ${verb}`
  if (!isResource) return `${who} path ${quote(path)}`
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  return `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`
}

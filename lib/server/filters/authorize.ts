import type { AuthorizationAttributes, AuthorizationResult } from '../../authz/index.ts'
import { quote, statusErrors } from '../../object/index.ts'
import type { Call } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import type { Filter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { ServerMetrics } from '../metrics.ts'

/** Lets pass what the user may do; answers the rest with 403. */
export function authorize({ authorizer, log }: ServerDependencies, metrics: ServerMetrics): Filter {
  function accept(call: ServerCall, attributes: AuthorizationAttributes, result: AuthorizationResult): void {
    const allowed = result.decision === 'allow'
    call.audit.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid')
    call.audit.annotate('authorization.k8s.io/reason', result.reason)
    if (allowed) return
    if (result.error !== undefined) log.error('authorization failed', { auditId: call.auditId, error: result.error })
    call.responseHeaders.push('x-content-type-options', 'nosniff')
    throw statusErrors.forbidden(attributes, attributes.name, refusal(attributes, result.reason))
  }
  return (call, next) => {
    const startedMs = call.clock.monotonicMs()
    const attributes = attributesOf(call)
    const result = authorizer.authorize(attributes, call)
    if (result instanceof Promise) {
      return result.then((settled) => {
        metrics.authorized(settled, call.clock.monotonicMs() - startedMs)
        accept(call, attributes, settled)
        return next(call)
      })
    }
    metrics.authorized(result, call.clock.monotonicMs() - startedMs)
    accept(call, attributes, result)
    return next(call)
  }
}

const selectorVerbs = new Set(['list', 'watch', 'deletecollection'])

function attributesOf(call: Call): AuthorizationAttributes {
  const { info, user } = call
  const { verb, isResource, path, group, version, resource, subresource, namespace, name } = info
  const attributes = { user, verb, isResource, path, group, version, resource, subresource, namespace, name }
  if (!selectorVerbs.has(verb) || !call.url.includes('Selector=')) return attributes
  const labelSelector = call.query.get('labelSelector')
  const fieldSelector = call.query.get('fieldSelector')
  return {
    ...attributes,
    ...(labelSelector === null ? {} : { labelSelector }),
    ...(fieldSelector === null ? {} : { fieldSelector }),
  }
}

/** Why not, in the words that clients show their users. */
function refusal(attributes: AuthorizationAttributes, reason: string): string {
  const { user, verb, isResource, path, group, resource, subresource, namespace } = attributes
  let text = `User ${quote(user.name)} cannot ${verb} `
  if (isResource) {
    const what = subresource === '' ? resource : `${resource}/${subresource}`
    text += `resource ${quote(what)} in API group ${quote(group)} `
    text += namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  } else text += `path ${quote(path)}`
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return reason === '' ? shown : `${shown}: ${reason}`
}

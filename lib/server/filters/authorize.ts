import { type AuthorizationAttributes, type AuthorizationResult, forbiddenMessage } from '../../authz/index.ts'
import { quote, statusErrors } from '../../object/index.ts'
import type { Call } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import type { Next, ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import { sendText } from '../failure.ts'
import type { ServerMetrics } from '../metrics.ts'

/**
 * Answers 403 for what the user may not do, and 500 where an authorizer failed, even one whose failure is configured to
 * deny.
 */
export function authorize({ authorizer, log }: ServerDependencies, metrics: ServerMetrics): ServerFilter {
  function decide(
    call: ServerCall,
    next: Next,
    attributes: AuthorizationAttributes,
    result: AuthorizationResult,
  ): void | Promise<void> {
    const allowed = result.decision === 'allow'
    if (!allowed && result.error !== undefined) {
      log.error('authorization failed', { auditId: call.auditId, error: result.error })
      call.audit.annotate('authorization.k8s.io/reason', 'internal error')
      return sendText(call, 500, undecided(call))
    }
    call.audit.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid')
    call.audit.annotate('authorization.k8s.io/reason', result.reason)
    if (allowed) return next(call)
    call.responseHeaders.push('x-content-type-options', 'nosniff')
    throw statusErrors.forbidden(attributes, attributes.name, forbiddenMessage(attributes, result.reason))
  }
  function authorized(call: ServerCall, result: AuthorizationResult, startedMs: number): void {
    call.timings.authorizedMs = call.clock.monotonicMs()
    metrics.authorized(result, call.timings.authorizedMs - startedMs)
  }
  return (call, next) => {
    const startedMs = call.clock.monotonicMs()
    const attributes = attributesOf(call)
    const result = authorizer.authorize(attributes, call)
    if (result instanceof Promise) {
      return result.then((settled) => {
        authorized(call, settled, startedMs)
        return decide(call, next, attributes, settled)
      })
    }
    authorized(call, result, startedMs)
    return decide(call, next, attributes, result)
  }
}

/** The action that a call asks for. */
export function attributesOf(call: Call): AuthorizationAttributes {
  const { info, user } = call
  const { verb, isResource, path, group, version, resource, subresource, namespace, name } = info
  const attributes = { user, verb, isResource, path, group, version, resource, subresource, namespace, name }
  if (!info.selects || call.query.size === 0) return attributes
  const labelSelector = call.query.get('labelSelector') ?? undefined
  const fieldSelector = call.query.get('fieldSelector') ?? undefined
  return { ...attributes, labelSelector, fieldSelector }
}

/** The stock server's message without the error, which is only logged. */
function undecided(call: ServerCall): string {
  const url = quote(call.url).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `Internal Server Error: ${url}: authorization could not be decided\n`
}

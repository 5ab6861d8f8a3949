import type { RequestTracer } from '../../base/index.ts'
import { mastersGroup, type RequestInfo } from '../../request/index.ts'
import type { ServerFilter } from '../chain.ts'

/** Spans of these users become parents of ours. */
const trustedGroups = new Set([mastersGroup, 'system:monitoring'])

/** Runs the rest of the chain in a span, which ends when the answer is out. */
export function trace(tracer: RequestTracer): ServerFilter {
  return (call, next) =>
    tracer.request(
      {
        name: spanName(call.method, call.info),
        receivedAtMs: call.timings.receivedAtMs,
        attributes: {
          'http.target': call.url,
          'audit-id': call.auditId,
          'http.request.method': call.method,
          'url.path': call.path,
          'url.scheme': 'https',
          'network.protocol.name': 'http',
          'network.protocol.version': call.httpVersion,
          'client.address': call.remoteAddress,
          'user_agent.original': call.headers['user-agent'] ?? '',
        },
        headers: call.headers,
        trustsClient: call.user.groups.some((group) => trustedGroups.has(group)),
      },
      (span) => {
        call.onFinish({
          finish({ responder: { status, bytesSent }, outcome: { crashed, failure } }) {
            span.end(
              { 'http.response.status_code': status, 'http.response.body.size': bytesSent },
              crashed ? failure : undefined,
            )
          },
        })
        return next(call)
      },
    )
}

/** `GET /api/v1/namespaces/{:namespace}/pods/{:name}/status`: names are left out. Other paths: the method alone. */
function spanName(method: string, info: RequestInfo): string {
  if (!info.isResource) return method
  const { group, version, namespace, resource, name, subresource } = info
  const parts = group === '' ? ['/api', version] : ['/apis', group, version]
  if (namespace !== '' && resource !== 'namespaces') parts.push('namespaces', '{:namespace}')
  parts.push(resource)
  if (name !== '') parts.push('{:name}')
  if (subresource !== '') parts.push(subresource)
  return `${method} ${parts.join('/')}`
}

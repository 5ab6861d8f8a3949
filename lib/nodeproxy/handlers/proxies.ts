import { networkErrorText } from '../../base/index.ts'
import { hostPort } from '../../client/index.ts'
import type { VirtualHandler } from '../../endpoints/index.ts'
import { type GroupVersionResource, StatusError, statusErrors } from '../../object/index.ts'
import { AddressRefused, type BackendResponse, forward, forwardedHeaders } from '../../proxy/index.ts'
import type { Call } from '../../request/index.ts'
import { admitConnection } from '../connect.ts'
import type { NodeProxyDependencies, NodeProxyOptions } from '../contract.ts'
import { streamIdleMs } from '../limits.ts'
import { optionsObject } from '../options/object.ts'
import { escapePath, pathBehindProxy, pathOfProxy, queryOf } from '../proxypath.ts'
import { rewriteResponse } from '../rewrite/response.ts'
import type { ProxyTarget } from '../target.ts'

/** A resource whose objects accept requests of any kind. */
export interface ProxyKind {
  readonly gvr: GroupVersionResource
  readonly namespaced: boolean
  readonly optionsKind: string
  /** Finds the target of the request. Throws when it is forbidden. */
  locate(namespace: string, id: string): Promise<ProxyTarget>
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Forwards requests below `…/proxy`, and rewrites the links of the answers to lead there. */
export function createProxyHandler(
  { clock }: NodeProxyDependencies,
  { isUserHeader, bytesPerSecMax }: NodeProxyOptions,
  { gvr, namespaced, optionsKind, locate }: ProxyKind,
): VirtualHandler {
  return {
    gvr,
    subresource: 'proxy',
    verbs: ['create', 'delete', 'get', 'patch', 'update', ''],
    methods,
    takesPath: true,
    namespaced,
    named: true,
    async handle(call, kit) {
      const path = pathBehindProxy(call)
      await admitConnection(call, kit, gvr, optionsObject(optionsKind, path === '' ? {} : { path }))
      const target = await locate(call.info.namespace, call.info.parts[1] ?? '')
      if (path === '' && !call.upgrade && (call.method === 'GET' || call.method === 'HEAD')) return await redirect(call)
      const prefix = pathOfProxy(call)
      const host = call.headers['host'] ?? call.headers[':authority'] ?? hostPort(target.address)
      const escaped = escapePath(path === '' ? '/' : path)
      await forward(call, target.server, {
        clock,
        path: escaped + queryOf(call),
        headers: { ...forwardedHeaders(call, isUserHeader), host, 'x-forwarded-uri': prefix + escaped },
        idleMs: streamIdleMs,
        bytesPerSecMax,
        rejectsRedirects: false,
        adapt: (response) => {
          if (call.upgrade && response.status < 400) throw notUpgraded(response)
          return rewriteResponse(response, { prefix, hosts: new Set([host, hostPort(target.address)]) })
        },
        failed: (failed, _failure, error) => {
          const text = networkErrorText(error)
          if (error instanceof AddressRefused) throw statusErrors.badRequest(text)
          if (failed.upgrade) throw new StatusError(500, '', `error dialing backend: ${text}`, { cause: error })
          throw statusErrors.unavailable(`error trying to reach service: ${text}`)
        },
      })
    },
  }
}

/** Relative links of a page need the slash. */
function redirect(call: Call): void | Promise<void> {
  const mark = call.url.indexOf('?')
  const path = mark < 0 ? call.url : call.url.slice(0, mark)
  return call.responder.send(301, { location: `${path}/${queryOf(call)}` })
}

function notUpgraded({ status, body }: BackendResponse): StatusError {
  body.on('error', () => {}).destroy()
  return new StatusError(500, '', `invalid upgrade response: status code ${status}`)
}

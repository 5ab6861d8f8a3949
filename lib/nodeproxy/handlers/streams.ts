import type { Pod } from '../../../api/gen/core/v1.ts'
import { networkErrorText } from '../../base/index.ts'
import type { VirtualHandler } from '../../endpoints/index.ts'
import { StatusError, statusErrors } from '../../object/index.ts'
import { forward, forwardedHeaders, type RequestHeaders } from '../../proxy/index.ts'
import type { Call, QueryParameters } from '../../request/index.ts'
import { admitConnection, requireCreate } from '../connect.ts'
import { containerOf } from '../container.ts'
import type { NodeProxyDependencies, NodeProxyOptions } from '../contract.ts'
import type { Kubelets } from '../kubelet/kubelets.ts'
import { streamIdleMs, upgradeTimeoutMs } from '../limits.ts'
import { findObject } from '../objects.ts'
import {
  type ConnectOptions,
  parseAttachOptions,
  parseExecOptions,
  parsePortForwardOptions,
} from '../options/streams.ts'
import type { StreamTarget } from '../streams/target.ts'
import { translate } from '../streams/translate.ts'
import { tunnelSpdy } from '../streams/tunnelspdy.ts'
import { isWebSocket, offeredProtocols } from '../websocket/accept.ts'

interface StreamKind {
  readonly subresource: 'exec' | 'attach' | 'portforward'
  /** The kubelet's name for it. */
  readonly path: string
  parse(query: QueryParameters): ConnectOptions
}

const kinds: readonly StreamKind[] = [
  { subresource: 'exec', path: 'exec', parse: parseExecOptions },
  { subresource: 'attach', path: 'attach', parse: parseAttachOptions },
  { subresource: 'portforward', path: 'portForward', parse: parsePortForwardOptions },
]
const gvr = { group: '', version: 'v1', resource: 'pods' }

/** Label values of the metric. */
type WebSocketServer = 'proxied_to_kubelet' | 'translated_at_apiserver'

/** Commands, terminals and ports of pods. */
export function createStreamHandlers(
  dependencies: NodeProxyDependencies,
  options: NodeProxyOptions,
  kubelets: Kubelets,
): VirtualHandler[] {
  const requests = dependencies.metrics.counter({
    name: 'apiserver_websocket_streaming_requests_total',
    help: 'WebSockets of commands, terminals and ports, by what serves them: the kubelet, or this server by translation.',
    labels: ['subresource', 'proxy_type'],
    stability: 'ALPHA',
  })
  return kinds.map((kind) => ({
    gvr,
    subresource: kind.subresource,
    verbs: ['create', 'get'],
    namespaced: true,
    named: true,
    async handle(call, kit) {
      const asked = kind.parse(call.query)
      await admitConnection(call, kit, gvr, asked.object)
      await requireCreate(call, dependencies)
      const target = await targetOf(call, kind, asked, dependencies, kubelets)
      if (!call.upgrade) throw statusErrors.badRequest('Upgrade request required')
      const counted = (by: WebSocketServer): void => requests.add([kind.subresource, by])
      await connect(call, target, asked, dependencies, { ...options, counted })
    },
  }))
}

async function targetOf(
  { info: { namespace, name } }: Call,
  { path }: StreamKind,
  { container, parameters }: ConnectOptions,
  { registry }: NodeProxyDependencies,
  kubelets: Kubelets,
): Promise<StreamTarget> {
  // The registry's pods have been decoded by their table.
  const pod = (await findObject(registry, gvr, namespace, name)) as Pod
  const segments = [path, namespace, name, ...(container === undefined ? [] : [containerOf(pod, container)])]
  const nodeName = pod.spec?.nodeName ?? ''
  if (nodeName === '') throw statusErrors.badRequest(`pod ${name} does not have a host assigned`)
  const kubelet = await kubelets.of(nodeName)
  const query = parameters.size === 0 ? '' : `?${parameters}`
  return { kubelet, path: `/${segments.map(encodeURIComponent).join('/')}${query}` }
}

async function connect(
  call: Call,
  target: StreamTarget,
  { streams }: ConnectOptions,
  { clock, gate, metrics }: NodeProxyDependencies,
  { isUserHeader, bytesPerSecMax, counted }: NodeProxyOptions & { counted(by: WebSocketServer): void },
): Promise<void> {
  const offered = offeredProtocols(call)
  const isServed = target.kubelet.servesWebSockets && gate('ExtendWebSocketsToKubelet')
  const services = { clock, metrics, bytesPerSecMax }
  if (!isServed && streams && offered.includes('v5.channel.k8s.io') && gate('TranslateStreamCloseWebsocketRequests')) {
    counted('translated_at_apiserver')
    return await translate(call, target, streams, services)
  }
  const headers = streamHeaders(call, target, isUserHeader)
  const isTunnel = !streams && offered.some((protocol) => protocol.startsWith('SPDY/3.1+'))
  if (!isServed && isTunnel && gate('PortForwardWebsockets')) {
    counted('translated_at_apiserver')
    return await tunnelSpdy(call, target, offered, headers, services)
  }
  if (isWebSocket(call)) counted('proxied_to_kubelet')
  await forward(call, target.kubelet.verified, {
    clock,
    path: target.path,
    headers,
    timeoutMs: upgradeTimeoutMs,
    idleMs: streamIdleMs,
    bytesPerSecMax,
    rejectsRedirects: false,
    adapt: (response) => {
      if (response.status >= 400) return response
      response.body.on('error', () => {}).destroy()
      throw new StatusError(500, '', `invalid upgrade response: status code ${response.status}`)
    },
    failed: (_call, _failure, error) => {
      throw new StatusError(500, '', `error dialing backend: ${networkErrorText(error)}`, { cause: error })
    },
  })
}

/** Kubelets read the protocol's versions from separate header lines. */
function streamHeaders(call: Call, { kubelet }: StreamTarget, isUserHeader: (name: string) => boolean): RequestHeaders {
  const versions = call.headerValues?.('x-stream-protocol-version') ?? []
  return {
    ...forwardedHeaders(call, isUserHeader),
    host: new URL(kubelet.origin).host,
    ...(versions.length === 0 ? {} : { 'x-stream-protocol-version': [...versions] }),
  }
}

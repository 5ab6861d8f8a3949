import type { Pod } from '../../../api/gen/core/v1.ts'
import { type Counter, networkErrorText } from '../../base/index.ts'
import type { VirtualHandler } from '../../endpoints/index.ts'
import { StatusError } from '../../object/index.ts'
import { type BackendResponse, pump } from '../../proxy/index.ts'
import type { Call } from '../../request/index.ts'
import { containerOf } from '../container.ts'
import type { NodeProxyDependencies } from '../contract.ts'
import type { Kubelet, Kubelets } from '../kubelet/kubelets.ts'
import { kubeletProblem } from '../kubelet/problem.ts'
import { findObject } from '../objects.ts'
import { type PodLogOptions, parseLogOptions } from '../options/log.ts'
import { isWebSocket } from '../websocket/accept.ts'
import { sendMessages } from '../websocket/sendmessages.ts'

/** GET of a pod's `log`: the output of a container, as its node's kubelet keeps it. */
export function createLogHandler(dependencies: NodeProxyDependencies, kubelets: Kubelets): VirtualHandler {
  const { clock, registry, gate } = dependencies
  const metrics = createLogMetrics(dependencies)
  return {
    gvr: { group: '', version: 'v1', resource: 'pods' },
    subresource: 'log',
    verbs: ['get'],
    namespaced: true,
    named: true,
    async handle(call) {
      const { namespace, name } = call.info
      const options = parseLogOptions(call.query, name, gate('PodLogsQuerySplitStreams'))
      // The registry's pods have been decoded by their table.
      const pod = (await findObject(registry, { group: '', resource: 'pods' }, namespace, name)) as Pod
      const container = containerOf(pod, options.container)
      const nodeName = pod.spec?.nodeName ?? ''
      // A pod without a node has no output yet.
      if (nodeName === '') return await call.responder.send(204, {})
      metrics.used.add([options.insecureSkipTLSVerifyBackend ? 'skip_tls_allowed' : 'enforce_tls'])
      const path = ['containerLogs', namespace, name, container].map(encodeURIComponent).join('/')
      const kubelet = await kubelets.of(nodeName)
      const response = await askForLog(call, kubelet, `/${path}${queryOf(options)}`, options, metrics)
      if (response.status < 200 || response.status > 206) throw await kubeletProblem(response, name)
      if (isWebSocket(call)) await sendMessages(call, response.body, clock)
      else await pump(response.body, call.responder.stream(200, { 'content-type': 'text/plain' }))
    },
  }
}

function queryOf({ parameters }: PodLogOptions): string {
  return parameters.size === 0 ? '' : `?${parameters}`
}

async function askForLog(
  call: Call,
  { verified, unverified, address, origin }: Kubelet,
  path: string,
  { insecureSkipTLSVerifyBackend }: PodLogOptions,
  metrics: LogMetrics,
): Promise<BackendResponse> {
  const fail = (why: string, cause?: unknown): never => {
    throw new StatusError(500, '', `Get ${JSON.stringify(origin + path)}: ${why}`, { cause })
  }
  try {
    const asked = {
      method: 'GET',
      path,
      headers: { host: new URL(origin).host },
      isBodiless: true,
      signal: call.signal,
    }
    const exchange = await (insecureSkipTLSVerifyBackend ? unverified : verified).begin(address, asked)
    const response = await exchange.answer
    const { status, headers, body, upgraded } = response
    if (!upgraded && !(status >= 300 && status < 400 && headers.location !== undefined)) return response
    upgraded?.socket.destroy()
    body.on('error', () => {}).destroy()
    return fail(upgraded ? 'the kubelet changed the protocol' : 'redirects forbidden')
  } catch (error) {
    if (call.signal.aborted || error instanceof StatusError) throw error
    const text = networkErrorText(error)
    if (text.includes('x509:')) metrics.untrusted.add([])
    return fail(text, error)
  }
}

interface LogMetrics {
  readonly used: Counter
  readonly untrusted: Counter
}

function createLogMetrics({ metrics }: NodeProxyDependencies): LogMetrics {
  return {
    used: metrics.counter({
      name: 'kube_apiserver_pod_logs_insecure_backend_total',
      help: "Logs that were asked for, by whether the certificate of the node's kubelet has to be valid.",
      labels: ['usage'],
      stability: 'ALPHA',
    }),
    untrusted: metrics.counter({
      name: 'kube_apiserver_pod_logs_backend_tls_failure_total',
      help: "Logs that were not read because the certificate of the node's kubelet is not valid.",
      labels: [],
      stability: 'ALPHA',
    }),
  }
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findEtcd } from '../../../hack/programs.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, request, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { type ConnectProxy, startConnectProxy } from '../../support/egress/connectproxy.ts'
import { type KonnectivityProxy, startKonnectivityProxy } from '../../support/egress/konnectivityproxy.ts'
import { startEtcd } from '../../support/etcd.ts'
import { eventually } from '../../support/eventually.ts'
import { createNode, createPod } from '../../support/fakekubelet/cluster.ts'
import { type FakeKubelet, startFakeKubelet } from '../../support/fakekubelet/fakekubelet.ts'
import { createKubeletLogs } from '../../support/fakekubelet/logs.ts'
import { createKubeletStreams } from '../../support/fakekubelet/streams.ts'
import { type HookServer, startHookServer } from '../../support/hookserver.ts'
import { openWebSocket } from '../../support/websocket.ts'

const pods = '/api/v1/namespaces/default/pods'
const hookIp = '10.96.7.7'
const remoteIp = '10.96.7.8'

function selectionsIn(
  folder: string,
  name: string,
  sockets: Readonly<Record<string, readonly [string, string]>>,
): string {
  const file = join(folder, `${name}.yaml`)
  const egressSelections = Object.entries(sockets).map(([network, [proxyProtocol, udsName]]) => ({
    name: network,
    connection: { proxyProtocol, transport: { uds: { udsName } } },
  }))
  const kind = 'EgressSelectorConfiguration'
  writeFileSync(file, JSON.stringify({ apiVersion: 'apiserver.k8s.io/v1beta1', kind, egressSelections }))
  return `--egress-selector-config-file=${file}`
}

describe('a server whose nodes are behind a proxy', function () {
  this.timeout(60_000)
  const folder = scratchFolder('egress-server')
  const at = (name: string): string => join(folder.path, name)
  const logs = createKubeletLogs()
  let cluster: KonnectivityProxy
  let controlplane: ConnectProxy
  let kubelet: FakeKubelet
  let web: Server
  let hooks: HookServer
  let server: Apiserver

  before(async () => {
    mkdirSync(at('inside'))
    const streams = createKubeletStreams({ folder: at('inside'), attached: ['cat'] })
    kubelet = await startFakeKubelet({
      routes: [logs.route, ...streams.routes],
      names: ['node-1.cluster', '10.9.9.9', 'remote.default.svc'],
    })
    web = createServer((asked, answer) => answer.end(`web answers ${asked.url}`)).listen(0, '127.0.0.1')
    await once(web, 'listening')
    hooks = await startHookServer(['hook.default.svc', 'hook.elsewhere', 'tokens.elsewhere'])
    hooks.on('/token', () => ({ status: 401, body: '' }))
    const webPort = (web.address() as AddressInfo).port
    // Only the proxies know where the addresses of the cluster and the names of the other network lead.
    const ports: Readonly<Record<string, number>> = {
      [`node-1.cluster:${kubelet.port}`]: kubelet.port,
      [`10.9.9.9:${kubelet.port}`]: kubelet.port,
      '10.1.1.1:80': webPort,
      [`${hookIp}:443`]: hooks.port,
      [`${remoteIp}:443`]: kubelet.port,
      'hook.elsewhere:443': hooks.port,
      'tokens.elsewhere:443': hooks.port,
    }
    const find = (name: string) => ({ host: '127.0.0.1', port: ports[name] ?? 1 })
    cluster = await startKonnectivityProxy(at('cluster.sock'), { find })
    controlplane = await startConnectProxy({ socketPath: at('controlplane.sock'), find })
    writeFileSync(at('kubelets.crt'), kubelet.authority)
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'c',
          cluster: { server: 'https://tokens.elsewhere/token', 'certificate-authority-data': hooks.caBundle },
        },
      ],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
      users: [{ name: 'c', user: {} }],
      'current-context': 'c',
    }
    writeFileSync(at('tokens.yaml'), JSON.stringify(kubeconfig))
    server = await startComposed(folder.path, [
      selectionsIn(folder.path, 'egress', {
        cluster: ['GRPC', at('cluster.sock')],
        controlplane: ['HTTPConnect', at('controlplane.sock')],
      }),
      `--kubelet-certificate-authority=${at('kubelets.crt')}`,
      `--authentication-token-webhook-config-file=${at('tokens.yaml')}`,
      '--authentication-token-webhook-version=v1',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--disable-admission-plugins=ServiceAccount',
    ])
    await createNode(server, 'node-1', kubelet.port, 'node-1.cluster')
    await createNode(server, 'by-ip', kubelet.port, '10.9.9.9')
    await createPod(server, 'web', { podIP: '10.1.1.1', port: 80 })
    logs.write('default/web/main', 'one', 'two')
    for (const [name, clusterIP] of [
      ['hook', hookIp],
      ['remote', remoteIp],
    ]) {
      const spec = { clusterIP, ports: [{ port: 443 }] }
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec })
      const answer = await request(server, '/api/v1/namespaces/default/services', { method: 'POST', body })
      assert.equal(answer.status, 201, answer.body)
    }
  })
  after(async () => {
    await server.stop()
    await eventually(() => cluster.open.size + controlplane.open.size === 0, 'nothing is left open')
    await kubelet.close()
    web.close()
    await hooks.close()
    cluster.close()
    await controlplane.close()
    folder.remove()
  })

  it('gets logs from a kubelet whose name only the proxy knows, over verified TLS', async () => {
    const { status, body } = await request(server, `${pods}/web/log`)
    assert.deepEqual([status, body], [200, 'one\ntwo\n'])
    assert.ok(cluster.dialled.includes(`node-1.cluster:${kubelet.port}`))
  })

  it('runs commands there', async () => {
    const socket = await openWebSocket(
      `${server.url}${pods}/web/exec?command=sh&command=-c&command=cat%3Bexit 3&stdin=1&stdout=1`,
      ['v5.channel.k8s.io'],
      { authorization: `Bearer ${adminToken}` },
    )
    socket.send(Buffer.concat([Buffer.of(0), Buffer.alloc(200_000, 'x')]))
    socket.send(Buffer.of(255, 0))
    await socket.closed
    assert.equal(socket.textOf(1).length, 200_000)
    assert.match(socket.textOf(3), /exit code 3/)
  })

  it('forwards requests to pods and nodes', async () => {
    const fromPod = await request(server, `${pods}/web/proxy/page?a=1`)
    assert.deepEqual([fromPod.status, fromPod.body], [200, 'web answers /page?a=1'])
    const fromNode = await request(server, '/api/v1/nodes/by-ip/proxy/containerLogs/default/web/main')
    assert.deepEqual([fromNode.status, fromNode.body], [200, 'one\ntwo\n'])
  })

  it('refuses nodes at addresses that no node may have, as without a proxy', async () => {
    for (const address of ['127.0.0.1', 'localhost', '169.254.169.254']) {
      await request(server, '/api/v1/nodes/bad', { method: 'DELETE' })
      await createNode(server, 'bad', kubelet.port, address)
      const { status, body } = await request(server, '/api/v1/nodes/bad/proxy/healthz')
      assert.deepEqual([status, /address not allowed/.test(body)], [400, true], address)
    }
    assert.ok(!cluster.dialled.some((name) => /^(127|169|localhost)/.test(name)))
  })

  it('answers with the proxy’s words when it can’t reach a node', async () => {
    await createNode(server, 'lost', 1, '10.9.9.8')
    await createPod(server, 'lost', { nodeName: 'lost' })
    const { status, body } = await request(server, `${pods}/lost/log`)
    assert.equal(status, 500)
    assert.match(
      body,
      /Get \\"https:\/\/10\.9\.9\.8:1\/containerLogs\/default\/lost\/main\\": dial tcp 10\.9\.9\.8:1: connect ECONNREFUSED/,
    )
  })

  const hookTo = (name: string, clientConfig: object): object => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { ...clientConfig, caBundle: hooks.caBundle },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  })
  const ways = [
    ['of a service through the cluster’s proxy', { service: { namespace: 'default', name: 'hook', path: '/review' } }],
    ['of a URL through the control plane’s', { url: 'https://hook.elsewhere/review' }],
  ] as const
  for (const [index, [way, clientConfig]] of ways.entries())
    it(`calls webhooks ${way}`, async () => {
      hooks.on('/review', () => ({ response: { allowed: false, status: { message: `refused ${index}` } } }))
      const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
      const hook = hookTo(`hook-${index}`, clientConfig)
      assert.equal((await request(server, path, { method: 'POST', body: JSON.stringify(hook) })).status, 201)
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${index}` } }
      const create = () =>
        request(server, '/api/v1/namespaces/default/configmaps', { method: 'POST', body: JSON.stringify(map) })
      await eventually(async () => {
        const { status, body } = await create()
        return body.includes(`refused ${index}`) || { status, body }
      }, 'the webhook refuses')
      assert.equal((await request(server, `${path}/hook-${index}`, { method: 'DELETE' })).status, 200)
      const [dialled, name] =
        index === 0 ? [cluster.dialled, `${hookIp}:443`] : [controlplane.dialled, 'hook.elsewhere:443']
      assert.ok(dialled.includes(name), String(dialled))
    })

  it('reaches aggregated servers through the cluster’s proxy', async () => {
    const path = '/apis/apiregistration.k8s.io/v1/apiservices'
    const apiService = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.remote.example.com' },
      spec: {
        group: 'remote.example.com',
        version: 'v1',
        service: { namespace: 'default', name: 'remote' },
        caBundle: Buffer.from(kubelet.authority).toString('base64'),
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    }
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'remote-1', labels: { 'kubernetes.io/service-name': 'remote' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.1.2'] }],
      ports: [{ name: '', port: 443 }],
    }
    const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
    const made = await request(server, slices, { method: 'POST', body: JSON.stringify(slice) })
    assert.equal(made.status, 201, made.body)
    const before = cluster.dialled.length
    assert.equal((await request(server, path, { method: 'POST', body: JSON.stringify(apiService) })).status, 201)
    // What listens there is no API server, but it answers.
    await eventually(async () => {
      const { body } = await request(server, `${path}/v1.remote.example.com`)
      return body.includes('FailedDiscoveryCheck') && body.includes('404') ? true : body
    }, 'the server behind it has answered')
    assert.ok(cluster.dialled.slice(before).includes(`${remoteIp}:443`))
  })

  it('has tokens reviewed through the control plane’s proxy', async () => {
    await request(server, '/api', { token: 'unknown' })
    assert.ok(controlplane.dialled.includes('tokens.elsewhere:443'))
  })

  it('counts its connections', async () => {
    const { body } = await request(server, '/metrics')
    assert.match(body, /^apiserver_egress_dialer_dial_start_total\{.*grpc.*\} [1-9]/m)
    assert.match(body, /^apiserver_egress_dialer_dial_duration_seconds_count\{.*http_connect.*\} [1-9]/m)
    assert.match(body, /^apiserver_egress_dialer_dial_failure_count\{.*stage="proxy".*\} [1-9]/m)
  })
})

describe('a server whose etcd is behind a proxy', function () {
  this.timeout(60_000)
  before(async function () {
    if ((await findEtcd()) === undefined) this.skip()
  })

  it('stores and watches through it, and finds it again when connections break', async () => {
    const folder = scratchFolder('egress-etcd')
    const etcd = await startEtcd()
    const { port } = new URL(etcd.url)
    const socketPath = join(folder.path, 'etcd.sock')
    const proxy = await startConnectProxy({ socketPath, find: () => ({ host: '127.0.0.1', port: Number(port) }) })
    const server = await startComposed(folder.path, [
      selectionsIn(folder.path, 'egress', { etcd: ['HTTPConnect', socketPath] }),
      '--storage-backend=etcd3',
      '--etcd-servers=http://etcd.elsewhere:2379',
    ])
    const create = async (name: string): Promise<number> => {
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
      return (
        await request(server, '/api/v1/namespaces/default/configmaps', { method: 'POST', body: JSON.stringify(map) })
      ).status
    }
    assert.equal(await create('first'), 201)
    for (const connection of proxy.open) connection.destroy()
    await eventually(async () => (await create('second')) === 201, 'it is connected again')
    assert.ok(proxy.dialled.length > 1)
    assert.ok(proxy.dialled.every((name) => name === 'etcd.elsewhere:2379'))
    await server.stop()
    await proxy.close()
    await etcd.stop()
    folder.remove()
  })
})

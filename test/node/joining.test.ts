import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tls from 'node:tls'
import { resources } from '../../api/gen/resources.ts'
import { kubectlOf } from '../support/kubectl.ts'
import { container, forever, podOf } from './objects.ts'
import { describeOnNode } from './sharednode.ts'
import { isPodReady, untilObject, untilPod } from './waiting.ts'

const { configmaps, nodes, pods, secrets } = resources.core.v1
const { certificatesigningrequests } = resources.certificates.v1
const { leases } = resources.coordination.v1

const inDefault = (name: string) => ({ name, namespace: 'default' })

describeOnNode('a real kubelet that joins', (on) => {
  after(async () => {
    await on().cluster.client.resource(pods).deleteCollection({ namespace: 'default' })
  })

  it('gets its client certificate by the bootstrap token, approved and signed by the controllers', async () => {
    const { cluster, node } = on()
    const { items } = await cluster.client.resource(certificatesigningrequests).list()
    const request = items.find(({ spec }) => spec.signerName === 'kubernetes.io/kube-apiserver-client-kubelet')
    assert.equal(request?.spec.username, `system:bootstrap:${cluster.token.split('.')[0]}`)
    const approval = request?.status.conditions?.[0]
    assert.deepEqual([approval?.type, approval?.reason], ['Approved', 'AutoApproved'])
    const pem = readFileSync(join(node.machine.folder, 'pki/kubelet-client-current.pem'))
    const certificate = new X509Certificate(pem)
    assert.equal(certificate.subject, 'O=system:nodes\nCN=system:node:node-1')
    assert.ok(certificate.checkIssued(new X509Certificate(cluster.plane.caCertificate)))
  })

  it('serves with a certificate that the controllers signed once an administrator approved it', async () => {
    const { cluster, node } = on()
    const certificate = await certificateOf(node.machine.address, cluster.plane.caCertificate)
    assert.equal(certificate.subject.CN, 'system:node:node-1')
    assert.match(certificate.subjectaltname ?? '', /DNS:node-1, IP Address:10\./)
  })

  it('reports what it has, and renews its lease', async () => {
    const { client } = on().cluster
    const { status, spec } = await client.resource(nodes).get({ name: 'node-1' })
    assert.equal(status.capacity?.['pods'], '110')
    assert.match(status.nodeInfo?.kubeletVersion ?? '', /^v1\./)
    assert.match(status.nodeInfo?.containerRuntimeVersion ?? '', /^containerd:\/\//)
    assert.deepEqual(spec.taints ?? [], [])
    const place = { namespace: 'kube-node-lease', name: 'node-1' }
    const lease = await untilObject(client, leases, place, () => true)
    const next = await untilObject(
      client,
      leases,
      place,
      ({ spec: { renewTime } }) => renewTime !== lease.spec?.renewTime,
    )
    assert.equal(next.spec?.holderIdentity, 'node-1')
  })

  it('may read what its own pods use, and nothing else', async () => {
    const { cluster, node } = on()
    const { client } = cluster
    for (const name of ['mine', 'another'])
      await client
        .resource(secrets)
        .create({ apiVersion: 'v1', kind: 'Secret', metadata: inDefault(name), type: 'Opaque', data: {} })
    await client.resource(configmaps).create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: inDefault('map') })
    const uses = podOf('uses', [container(forever, { envFrom: [{ secretRef: { name: 'mine' } }] })])
    await client.resource(pods).create(uses)
    // A pod that no node has.
    await client.resource(pods).create(podOf('elsewhere', [container(forever)], { nodeSelector: { no: 'such' } }))
    await untilPod(client, 'uses', isPodReady)
    const kubelet = kubectlOf(join(node.machine.folder, 'kubelet.conf'), join(cluster.site.folder, 'kubelet-home'))
    const may = async (...line: string[]): Promise<string> => {
      const { code, stderr } = await kubelet(line)
      return code === 0 ? 'yes' : stderr.trim()
    }
    assert.equal(await may('get', 'secret', 'mine'), 'yes')
    assert.equal(
      await may('get', 'secret', 'another'),
      'Error from server (Forbidden): secrets "another" is forbidden: User "system:node:node-1" cannot get resource "secrets" in API group "" in the namespace "default": no relationship found between node \'node-1\' and this object',
    )
    assert.match(await may('get', 'configmap', 'map'), /no relationship found between node 'node-1' and this object/)
    assert.match(
      await may('get', 'secrets'),
      /^Error from server \(Forbidden\): secrets is forbidden: User "system:node:node-1" cannot list resource "secrets"/,
    )
    assert.match(await may('get', 'pods'), /can only list\/watch pods with spec\.nodeName field selector$/)
    assert.equal(await may('get', 'pods', '--field-selector=spec.nodeName=node-1'), 'yes')
    assert.equal(await may('label', 'node', 'node-1', 'colour=blue'), 'yes')
    assert.match(
      await may('label', 'node', 'node-1', 'node-restriction.kubernetes.io/colour=blue'),
      /is not allowed to modify labels: node-restriction\.kubernetes\.io\/colour/,
    )
    assert.match(await may('taint', 'node', 'node-1', 'key=value:NoSchedule'), /is not allowed to modify taints/)
    assert.match(
      await may('delete', 'pod', 'elsewhere'),
      /node "node-1" can only delete pods with spec\.nodeName set to itself/,
    )
    assert.match(
      await may('create', 'token', 'default'),
      /node requested token not bound to a pod|no relationship found/,
    )
    assert.match(await may('delete', 'node', 'node-1'), /forbidden/)
  })
})

/** The certificate of a kubelet's port, which the authority must verify. */
async function certificateOf(address: string, ca: string): Promise<tls.PeerCertificate> {
  const socket = tls.connect({ host: address, port: 10250, ca })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}

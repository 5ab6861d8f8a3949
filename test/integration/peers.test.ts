import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { findEtcd } from '../../hack/programs.ts'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import type { Apiserver } from '../../lib/controlplane/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import { createAuthority } from '../../lib/pki/index.ts'
import { adminToken, scratchFolder } from '../support/apiserver.ts'
import { startComposed } from '../support/composed.ts'
import { type EtcdServer, startEtcd } from '../support/etcd.ts'
import { eventuallyEquals } from '../support/eventually.ts'
import { type Answer, ask } from '../support/plane.ts'

/** A group version that the newer replica alone serves. */
const migrations = '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations'
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const definition = {
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}

describe('replicas of different versions', function () {
  this.timeout(60_000)
  const folder = scratchFolder('peers')
  const metrics = createMetrics()
  let etcd: EtcdServer
  let older: Apiserver
  let newer: Apiserver
  let flags: readonly string[]

  const file = (name: string, text: string): string => {
    const path = join(folder.path, name)
    writeFileSync(path, text)
    return path
  }
  const start = (hostName: string, more: readonly string[], settings: object = {}): Promise<Apiserver> =>
    startComposed(folder.path, [...flags, ...more], { hostName, ...settings })
  const call = (server: Apiserver, path: string, options: object = {}): Promise<Answer> =>
    ask(server.url, path, { token: adminToken, ...options })
  const groupsOf = async (server: Apiserver, accept: string): Promise<string[]> => {
    const { body } = await call(server, '/apis', { headers: { accept } })
    return (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
  }

  before(async function () {
    if (findEtcd() === undefined) this.skip()
    etcd = await startEtcd()
    const services = { clock: systemClock, random: systemRandom }
    const cluster = createAuthority(services, { commonName: 'cluster' })
    const front = createAuthority(services, { commonName: 'front-proxy' })
    const names = ['127.0.0.1', 'localhost', 'kubernetes.default.svc']
    const serving = cluster.issue({ commonName: 'apiserver', usage: 'server', names })
    const proxy = front.issue({ commonName: 'front-proxy-client', usage: 'client' })
    flags = [
      '--storage-backend=etcd3',
      '--authorization-mode=RBAC',
      `--etcd-servers=${etcd.url}`,
      `--tls-cert-file=${file('serving.crt', serving.certificate)}`,
      `--tls-private-key-file=${file('serving.key', serving.key)}`,
      `--requestheader-client-ca-file=${file('front.crt', front.certificate)}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      `--proxy-client-cert-file=${file('proxy.crt', proxy.certificate)}`,
      `--proxy-client-key-file=${file('proxy.key', proxy.key)}`,
      `--peer-ca-file=${file('cluster.crt', cluster.certificate)}`,
      '--peer-advertise-ip=127.0.0.1',
      '--feature-gates=UnknownVersionInteroperabilityProxy=true',
    ]
    newer = await start('newer', ['--runtime-config=storagemigration.k8s.io/v1alpha1=true'])
    // Before the other replica asks this one what it serves.
    assert.equal((await call(newer, definitions, { body: definition })).status, 201)
    await eventuallyEquals(async () => (await call(newer, '/apis/example.com/v1/things')).status, 200, 'it is served')
    older = await start('older', [], { metrics })
  })
  after(async () => {
    await newer?.stop()
    await older?.stop()
    await etcd?.stop()
    folder.remove()
  })

  it('pass requests on that only the other one serves, with the user, and answer all others themselves', async () => {
    await eventuallyEquals(
      async () => (await call(older, migrations)).status,
      200,
      'the newer replica is known',
      20_000,
    )
    const resource = { group: 'apps', version: 'v1', resource: 'deployments' }
    const body = {
      apiVersion: 'storagemigration.k8s.io/v1alpha1',
      kind: 'StorageVersionMigration',
      metadata: { name: 'm' },
      spec: { resource },
    }
    const created = await call(older, migrations, { body })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual((await call(newer, `${migrations}/m`)).body['spec'].resource, resource)
    const patched = await call(older, `${migrations}/m`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { labels: { a: 'b' } } },
    })
    assert.deepEqual([patched.status, patched.body.metadata.labels], [200, { a: 'b' }])
    const managers = patched.body.metadata.managedFields as { manager: string }[]
    assert.ok(managers.length > 0)
    // The user is the client's own, whose rights count on both.
    const denied = await ask(older.url, migrations, {})
    assert.equal(denied.status, 403)
    const impersonated = await call(older, migrations, { headers: { 'impersonate-user': 'nobody-in-particular' } })
    assert.match(impersonated.body.message, /User "nobody-in-particular" cannot list resource/)
    const another = { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' }
    assert.equal((await call(older, migrations, { headers: another })).status, 200)
    // Headers of front proxies make no other user of a client that is none.
    const claimed = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' }
    assert.equal((await ask(older.url, migrations, { headers: claimed })).status, 403)
    assert.equal((await call(older, '/api/v1/namespaces/default')).status, 200)
    assert.equal((await call(older, '/apis/nothing.example.com/v1/things')).status, 404)
    const { body: exposed } = await metrics.exposition('text', ['apiserver_rerouted_request_total'])
    const series = '{code="201",group="storagemigration.k8s.io",resource="storageversionmigrations",version="v1alpha1"}'
    assert.ok(exposed.includes(`apiserver_rerouted_request_total${series} 1`), exposed)
  })

  it('don’t pass on forwarded requests', async () => {
    const answer = await call(older, migrations, { headers: { 'x-kubernetes-peer-proxied': 'true' } })
    assert.equal(answer.status, 404)
  })

  it('stream forwarded watches', async () => {
    const authorized = { headers: { authorization: `Bearer ${adminToken}` }, rejectUnauthorized: false }
    const seen = await new Promise<string>((resolve, reject) => {
      const request = https.get(`${older.url}${migrations}?watch=true`, authorized, (response) =>
        response.once('data', (chunk) => {
          resolve(String(chunk))
          request.destroy()
        }),
      )
      request.on('error', reject)
    })
    assert.match(seen, /^\{"type":"ADDED"/)
  })

  it('name in discovery what any of them serves, and their own to clients that ask for it', async () => {
    assert.ok((await groupsOf(older, aggregated)).includes('storagemigration.k8s.io'))
    assert.ok(!(await groupsOf(older, `${aggregated};profile=nopeer`)).includes('storagemigration.k8s.io'))
    assert.deepEqual(await groupsOf(newer, aggregated), await groupsOf(newer, `${aggregated};profile=nopeer`))
    const own = await call(older, '/apis')
    assert.ok(!own.text.includes('storagemigration.k8s.io'))
  })

  it('serve custom resources without their peers: a missing one is not requested from others', async () => {
    await eventuallyEquals(async () => (await call(older, '/apis/example.com/v1/things')).status, 200, 'it is served')
    const gone = await call(newer, `${definitions}/things.example.com`, { method: 'DELETE' })
    assert.equal(gone.status, 200)
    await eventuallyEquals(async () => (await call(older, '/apis/example.com/v1/things')).status, 404, 'it is gone')
    const { body: exposed } = await metrics.exposition('text', ['apiserver_rerouted_request_total'])
    assert.ok(!exposed.includes('example.com'))
  })

  it('sign off: what only a stopped replica has served is not found', async () => {
    await newer.stop()
    const stopped = await call(older, migrations)
    assert.equal(stopped.status, 503)
    assert.match(stopped.text, /Error getting ip and port info of the remote server while proxying/)
  })

  it('fail the start without a certificate for their peers, where the gate is on', async () => {
    const gate = '--feature-gates=UnknownVersionInteroperabilityProxy=true'
    await assert.rejects(startComposed(folder.path, [gate]), {
      message: 'error building peer proxy handler, proxy-cert-file not specified',
    })
    const plain = await startComposed(folder.path, ['--emulated-version=1.36'])
    await plain.stop()
    for (const [flag, message] of [
      ['--peer-advertise-ip=here', '--peer-advertise-ip: "here" is no IP address'],
      ['--peer-advertise-port=70000', '--peer-advertise-port: "70000" is no port'],
      ['--peer-ca-file=/nowhere', '--peer-ca-file: /nowhere: no such file or folder'],
    ] as const)
      await assert.rejects(start('third', [flag]), { message })
  })
})

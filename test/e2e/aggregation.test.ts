import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { keyPem } from '../support/certificates.ts'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { flunderDefinition } from '../support/flunders.ts'
import { makeFrontProxy } from '../support/frontproxy.ts'
import { createKubectl, findKubectl } from '../support/kubectl.ts'
import { type Proxy, startProxy } from '../support/proxy.ts'
import { defineOnReplicas, ok, type Stage } from '../support/stages.ts'

/** Addresses of services that this machine itself answers at. */
const serviceRange = '127.0.77.0/24'
const serviceAddress = '127.0.77.7'

const flunder = (name: string, size: number): string =>
  JSON.stringify({ apiVersion: 'wardle.example.com/v1', kind: 'Flunder', metadata: { name }, spec: { size } })

/** A second Pilothouse serves `wardle.example.com/v1`; the servers of `stage` pass its requests on. */
function defineScript(stage: () => Stage, backend: () => { readonly door: Proxy; readonly caBundle: string }): void {
  it('accepts an APIService and reports when its server is available', async () => {
    const { write } = stage()
    const port = Number(new URL(backend().door.url).port)
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'backend' },
      spec: { clusterIP: serviceAddress, ports: [{ port }] },
    }
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'backend', labels: { 'kubernetes.io/service-name': 'backend' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }],
      ports: [{ name: '', port }],
    }
    const apiService = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.wardle.example.com' },
      spec: {
        group: 'wardle.example.com',
        version: 'v1',
        groupPriorityMinimum: 2000,
        versionPriority: 15,
        service: { namespace: 'default', name: 'backend', port },
        caBundle: backend().caBundle,
      },
    }
    const objects = { apiVersion: 'v1', kind: 'List', items: [service, slice, apiService] }
    assert.equal(
      await ok(write, 'apply -f -', JSON.stringify(objects)),
      'service/backend created\n' +
        'endpointslice.discovery.k8s.io/backend created\n' +
        'apiservice.apiregistration.k8s.io/v1.wardle.example.com created\n',
    )
    await ok(write, 'wait --for=condition=Available --timeout=30s apiservice/v1.wardle.example.com')
    assert.match(
      await ok(write, 'get apiservice v1.wardle.example.com'),
      /^NAME +SERVICE +AVAILABLE +AGE\nv1.wardle.example.com +default\/backend +True +\S+\n$/,
    )
  })

  it('serves its kinds like its own', async () => {
    const { write, read } = stage()
    await eventuallyEquals(
      async () => (await read(['get', 'flunders'])).stderr,
      'No resources found in default namespace.\n',
      'the other replica knows them',
    )
    assert.match(await ok(read, 'api-resources --api-group=wardle.example.com'), /^flunders +fl +\S+ +true +Flunder$/m)
    await eventually(
      async () => (await read(['explain', 'flunder.spec.size'])).stdout.includes('How large it is.'),
      'they are explained',
    )
    assert.equal(await ok(write, 'create -f -', flunder('one', 1)), 'flunder.wardle.example.com/one created\n')
    assert.equal(await ok(write, 'apply -f -', flunder('two', 2)), 'flunder.wardle.example.com/two created\n')
    assert.match(await ok(write, 'apply -f -', flunder('two', 3)), /configured/)
    assert.match(await ok(read, 'get fl'), /^NAME +SIZE\none +1\ntwo +3\n$/)
    assert.match(
      await ok(write, 'apply --server-side --field-manager=other --force-conflicts -f -', flunder('two', 4)),
      /serverside-applied/,
    )
    await ok(write, `patch fl two --subresource=status --type=merge -p '{"status":{}}'`)
    assert.match(await ok(read, 'describe fl two'), /Size: +4/)
    assert.equal(await ok(write, 'label fl one tier=gold'), 'flunder.wardle.example.com/one labeled\n')
    assert.equal(await ok(read, 'get fl -l tier=gold -o name'), 'flunder.wardle.example.com/one\n')
    assert.match(await ok(read, 'auth can-i delete flunders'), /^yes$/m)
  })

  it("passes on refusals with the other server's text", async () => {
    const { write } = stage()
    const large = await write(['create', '-f', '-'], { input: flunder('large', 10) })
    assert.match(
      large.stderr,
      /^The Flunder "large" is invalid: spec\.size: Invalid value: 10: spec\.size in body should be less than or equal to 9$/m,
    )
    const unknown = await write(['create', '-f', '-'], { input: flunder('odd', 1).replace('"size"', '"seize"') })
    assert.match(unknown.stderr, /unknown field "spec.seize"/)
  })

  it('watches', async () => {
    const { write, read } = stage()
    const watched = read(['get', 'fl', '--watch', '-o', 'name'], { isEnough: (out) => out.includes('/three') })
    await ok(write, 'create -f -', flunder('three', 3))
    assert.match((await watched).stdout, /^flunder.wardle.example.com\/three$/m)
    assert.equal(
      await ok(write, 'delete fl --all'),
      ['one', 'three', 'two'].map((name) => `flunder.wardle.example.com "${name}" deleted\n`).join(''),
    )
  })

  it('answers 503 while it is down, serves everything else, and finds it again', async () => {
    const { write, read } = stage()
    const { door } = backend()
    door.refusing = true
    door.reset()
    const gone = await read(['get', '--raw', '/apis/wardle.example.com/v1/namespaces/default/flunders'])
    assert.match(gone.stderr, /^Error from server \(ServiceUnavailable\): /m)
    // It would look every thirty seconds; a change to the service makes it look now.
    await ok(write, 'label service backend looked=once')
    await eventually(
      async () => /False \(FailedDiscoveryCheck\)/.test(await ok(write, 'get apiservice v1.wardle.example.com')),
      'its APIService says so',
    )
    assert.match(await ok(read, 'get namespaces'), /^default +Active/m)
    assert.match(await ok(read, 'api-resources --cached=false --api-group=apps'), /^deployments /m)
    door.refusing = false
    await ok(write, 'wait --for=condition=Available --timeout=60s apiservice/v1.wardle.example.com')
    await eventuallyEquals(async () => (await read(['get', 'fl'])).code, 0, 'the other replica knows it, too')
  })

  it('no longer serves it once its APIService is deleted', async () => {
    const { write, read } = stage()
    await ok(write, 'delete apiservice v1.wardle.example.com')
    await eventually(async () => {
      const answer = await read(['get', '--raw', '/apis/wardle.example.com/v1'])
      return /\(NotFound\)/.test(answer.stderr)
    }, 'nothing is served there any more')
  })
}

describe('an aggregated API server, by kubectl', function () {
  if (!findKubectl()) {
    it.skip('needs kubectl on PATH')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('e2e-aggregation')
  const { authority, files, serving } = makeFrontProxy(folder.path)
  const caBundle = Buffer.from(authority.pem).toString('base64')
  let server: ServerProcess
  let door: Proxy
  before(async () => {
    const [cert, key] = [join(folder.path, 'serving.pem'), join(folder.path, 'serving-key.pem')]
    writeFileSync(cert, serving.pem)
    writeFileSync(key, keyPem(serving.key), { mode: 0o600 })
    const flags = [
      `--data-dir=${folder.path}/data`,
      `--tls-cert-file=${cert}`,
      `--tls-private-key-file=${key}`,
      `--requestheader-client-ca-file=${files.ca}`,
      '--requestheader-allowed-names=front-proxy',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ]
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
    door = await startProxy(server.url, { host: serviceAddress })
    const kubectl = createKubectl(server, folder.path)
    await ok(kubectl, 'create -f -', JSON.stringify(flunderDefinition))
    await ok(kubectl, 'wait --for=condition=Established --timeout=30s crd/flunders.wardle.example.com')
  })
  after(async () => {
    await door?.close()
    assert.equal(await server?.stop(), 0)
    folder.remove()
  })
  defineOnReplicas('behind', (stage) => defineScript(stage, () => ({ door, caBundle })), [
    `--service-cluster-ip-range=${serviceRange}`,
    `--proxy-client-cert-file=${files.cert}`,
    `--proxy-client-key-file=${files.key}`,
  ])
})

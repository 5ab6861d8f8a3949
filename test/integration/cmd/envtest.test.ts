import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../../support/apiserver.ts'
import { hasFlag, servedPair, startTestPlane, type TestPlane } from '../../support/envtest.ts'
import { eventually } from '../../support/eventually.ts'
import { startHookServer } from '../../support/hookserver.ts'
import { runProgram } from '../../support/program.ts'

const program = 'cmd/pilothouse/main.ts'
const namespaces = '/api/v1/namespaces'
const configMaps = `${namespaces}/default/configmaps`

describe('pilothouse envtest', function () {
  this.timeout(300_000)
  let folder: ReturnType<typeof scratchFolder>
  let assets: string
  const planes: TestPlane[] = []
  const start = async (name: string): Promise<TestPlane> => {
    const plane = await startTestPlane(assets, mkdtempSync(join(folder.path, `${name}-`)))
    planes.push(plane)
    return plane
  }
  before(async () => {
    folder = scratchFolder('envtest')
    const { code, stdout, stderr } = await runProgram(program, ['envtest', join(folder.path, 'assets')])
    assert.deepEqual([code, stderr], [0, ''])
    assets = stdout.trim()
  })
  afterEach(async () => {
    for (const plane of planes.splice(0)) await plane.stop()
  })
  after(() => folder.remove())

  it('prints the folder with the programs, kubectl among them where it is installed', () => {
    assert.equal(assets, join(folder.path, 'assets'))
    const hasKubectl = spawnSync('sh', ['-c', 'command -v kubectl']).status === 0
    assert.deepEqual(
      readdirSync(assets).toSorted(),
      ['etcd', 'kube-apiserver', ...(hasKubectl ? ['kubectl'] : [])].toSorted(),
    )
  })

  it('installs programs that list their flags', async () => {
    assert.equal(await hasFlag(join(assets, 'kube-apiserver'), 'insecure-port'), false)
    assert.equal(await hasFlag(join(assets, 'kube-apiserver'), 'secure-port'), true)
    assert.equal(await hasFlag(join(assets, 'etcd'), 'unsafe-no-fsync'), true)
  })

  const refused: readonly (readonly [string[], RegExp])[] = [
    [['--emulated-version=2.0'], /^pilothouse: --emulated-version: /],
    [['--controllers=dance'], /^pilothouse: --controllers: .*dance/],
    [['a', 'b'], /^pilothouse: unexpected argument: b\n$/],
    [['/dev/null/x'], /^pilothouse: \/dev\/null\/x can't be used: /],
  ]
  for (const [line, message] of refused)
    it(`refuses ${line.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runProgram(program, ['envtest', ...line])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, message)
    })

  it('serves users by their certificates, and leaves the files of the test unchanged', async () => {
    const plane = await start('users')
    const before = servedPair(plane)
    assert.equal((await plane.ask(`${namespaces}/default`)).status, 200)
    assert.match((await plane.ask('/version')).json.gitVersion ?? '', /^v1\.36\./)
    const user = plane.addUser('jane', ['devs'])
    assert.equal((await plane.ask(configMaps, { user })).status, 403)
    assert.deepEqual(servedPair(plane), before)
    const [server, etcd] = await plane.stop()
    assert.deepEqual([server.code, etcd.code], [0, 0], server.output)
    assert.deepEqual(readdirSync(join(plane.folder, 'data')), [])
    assert.equal(readdirSync(join(plane.folder, 'certs')).length, 5)
  })

  it('serves definitions, and calls webhooks whose bundle is their own certificate', async () => {
    const plane = await start('hooks')
    const hooks = await startHookServer()
    try {
      hooks.on('/mutate', () => ({
        response: {
          allowed: true,
          patchType: 'JSONPatch',
          patch: Buffer.from('[{"op":"add","path":"/data","value":{"from":"hook"}}]').toString('base64'),
        },
      }))
      const clientConfig = { url: `${hooks.url}//mutate`, caBundle: hooks.certificate }
      const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }]
      const webhook = {
        name: 'a.example.com',
        clientConfig,
        rules,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      }
      const configuration = { metadata: { name: 'a' }, webhooks: [webhook] }
      const admission = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
      assert.equal((await plane.ask(admission, { method: 'POST', body: configuration })).status, 201)
      let tries = 0
      await eventually(async () => {
        const body = { metadata: { name: `c${tries++}` } }
        const { status, json } = await plane.ask(configMaps, { method: 'POST', body })
        assert.equal(status, 201, JSON.stringify(json))
        return json.data?.from === 'hook'
      }, 'the webhook')
      assert.equal(
        (
          await plane.ask('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
            method: 'POST',
            body: definition,
          })
        ).status,
        201,
      )
      await eventually(async () => (await plane.ask('/apis/example.com/v1')).status === 200, 'discovery')
      const widgets = '/apis/example.com/v1/namespaces/default/widgets'
      const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }
      assert.equal((await plane.ask(widgets, { method: 'POST', body: widget })).status, 201)
    } finally {
      await hooks.close()
    }
  })

  it('runs nodes and a scheduler with --nodes, so that pods become ready', async () => {
    const withNodes = join(folder.path, 'with-nodes')
    assert.equal((await runProgram(program, ['envtest', '--nodes=1', withNodes])).code, 0)
    const plane = await startTestPlane(withNodes, mkdtempSync(join(folder.path, 'nodes-')))
    planes.push(plane)
    const pods = `${namespaces}/default/pods`
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }
    await eventually(async () => (await plane.ask(`${pods}`, { method: 'POST', body })).status === 201, 'a pod')
    await eventually(async () => {
      const { json } = await plane.ask(`${pods}/p`)
      return JSON.stringify(json).includes('"phase":"Running"')
    }, 'a running pod')
  })

  it('starts again with an empty store', async () => {
    const plane = await start('again')
    const body = { metadata: { name: 'kept' } }
    assert.equal((await plane.ask(namespaces, { method: 'POST', body })).status, 201)
    assert.equal((await plane.stopServer()).code, 0)
    await plane.startServer()
    assert.equal((await plane.ask(`${namespaces}/kept`)).status, 404)
    assert.equal((await plane.ask(`${namespaces}/default`)).status, 200)
  })

  it('runs twenty control planes concurrently, each with its own objects', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => start(`one-${index}`)))
    for (const [index, plane] of many.entries())
      assert.equal(
        (await plane.ask(namespaces, { method: 'POST', body: { metadata: { name: `own-${index}` } } })).status,
        201,
      )
    for (const [index, plane] of many.entries()) {
      const { json } = await plane.ask(namespaces)
      const own = (json.items ?? []).map(({ metadata }) => metadata.name)
      assert.deepEqual(
        own.filter((name) => name.startsWith('own-')),
        [`own-${index}`],
      )
    }
    for (const [server, etcd] of await Promise.all(planes.splice(0).map((plane) => plane.stop())))
      assert.deepEqual([server.code, etcd.code], [0, 0], server.output)
  })
})

const schema = { openAPIV3Schema: { type: 'object' } }
const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
}

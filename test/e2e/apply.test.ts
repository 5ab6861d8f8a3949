import assert from 'node:assert/strict'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { createKubectl, findKubectl, type Kubectl, type KubectlResult } from '../support/kubectl.ts'

const deployment = (replicas: number | undefined, image: string): string =>
  [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata: {name: web, labels: {app: web}}',
    'spec:',
    ...(replicas === undefined ? [] : [`  replicas: ${replicas}`]),
    '  selector: {matchLabels: {app: web}}',
    '  template:',
    '    metadata: {labels: {app: web}}',
    '    spec:',
    '      containers:',
    `      - {name: web, image: "${image}", ports: [{containerPort: 80}]}`,
    '',
  ].join('\n')

describe('kubectl and server-side apply', function () {
  if (!findKubectl()) {
    it.skip('needs kubectl on PATH')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('e2e-apply')
  let server: ServerProcess
  let kubectl: Kubectl
  before(async () => {
    server = await startServer('cmd/pilothouse/main.ts', [`--data-dir=${folder.path}/data`], folder.path)
    kubectl = createKubectl(server, folder.path)
  })
  after(async () => {
    assert.equal(await server.stop(), 0)
    folder.remove()
  })

  const run = (args: string, input?: string): Promise<KubectlResult> =>
    kubectl(args.split(' '), input === undefined ? {} : { input })
  const ok = async (args: string, input?: string): Promise<string> => {
    const result = await run(args, input)
    assert.equal(result.code, 0, `kubectl ${args}\n${result.stdout}${result.stderr}`)
    return result.stdout
  }

  it('creates, and changes nothing the second time', async () => {
    assert.equal(await ok('apply --server-side -f -', deployment(2, 'one')), 'deployment.apps/web serverside-applied\n')
    const version = await ok('get deployment web -o jsonpath={.metadata.resourceVersion}')
    await ok('apply --server-side -f -', deployment(2, 'one'))
    assert.equal(await ok('get deployment web -o jsonpath={.metadata.resourceVersion}'), version)
    assert.equal(
      await ok('get deployment web --show-managed-fields -o jsonpath={.metadata.managedFields[*].manager}'),
      'kubectl',
    )
  })

  it('reports conflicts with another manager, and forces them', async () => {
    const refused = await run('apply --server-side --field-manager=other -f -', deployment(5, 'two'))
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /Apply failed with 2 conflicts: conflicts with "kubectl":\n- \.spec\.replicas\n/)
    await ok('apply --server-side --force-conflicts --field-manager=other -f -', deployment(5, 'two'))
    assert.equal(await ok('get deployment web -o jsonpath={.spec.replicas}'), '5')
  })

  it('leaves replicas to their scaler, once they are not applied any more', async () => {
    await ok('apply --server-side --force-conflicts -f -', deployment(undefined, 'two'))
    await ok('scale deployment web --replicas=7')
    await ok('apply --server-side --field-manager=other -f -', deployment(undefined, 'two'))
    assert.equal(await ok('get deployment web -o jsonpath={.spec.replicas}'), '7')
  })

  it('takes over from client-side apply', async () => {
    const map = (value: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: moved}\ndata: {a: "${value}", b: "2"}\n`
    await ok('apply -f -', map('1'))
    await ok('apply --server-side -f -', map('3'))
    assert.equal(await ok('get cm moved -o jsonpath={.data.a}'), '3')
    const dropped = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: moved}\ndata: {a: "3"}\n'
    await ok('apply --server-side -f -', dropped)
    assert.equal(await ok('get cm moved -o jsonpath={.data}'), '{"a":"3"}')
  })

  it('shows what an apply would change', async () => {
    const shown = await run(
      'diff --server-side -f -',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: moved}\ndata: {a: "4"}\n',
    )
    assert.equal(shown.code, 1, shown.stderr)
    assert.match(shown.stdout, /-  a: "3"\n\+  a: "4"/)
  })
})

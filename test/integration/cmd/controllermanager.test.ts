import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { freePort } from '../../support/ports.ts'
import { type RunningProgram, runProgram, spawnProgram } from '../../support/program.ts'
import { assertRecorded } from '../../support/recorded.ts'

const program = 'cmd/controller-manager/main.ts'

const deployment = (name: string, replicas: number): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  })

describe('pilothouse-controller-manager', () => {
  const folder = scratchFolder('managers')
  let server: ServerProcess
  let kubeconfig: string

  before(async () => {
    const key = join(folder.path, 'accounts.key')
    const { generateKeyPairSync } = await import('node:crypto')
    writeFileSync(
      key,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }),
    )
    server = await startServer(
      'cmd/apiserver/main.ts',
      [
        '--storage-backend=memory',
        '--authorization-mode=RBAC',
        '--service-account-issuer=https://pilothouse.test',
        `--service-account-signing-key-file=${key}`,
        `--service-account-key-file=${key}`,
        '--disable-admission-plugins=ServiceAccount',
      ],
      folder.path,
    )
    kubeconfig = join(folder.path, 'kubeconfig')
    const cluster = { server: server.url, 'insecure-skip-tls-verify': true }
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user: { token: adminToken } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    )
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  const pods = async (name: string): Promise<number> => {
    const { body } = await request(server, `/api/v1/namespaces/default/pods?labelSelector=app%3D${name}`)
    return (JSON.parse(body) as { items: unknown[] }).items.length
  }
  const deploy = async (name: string, replicas: number): Promise<void> => {
    const body = deployment(name, replicas)
    const { status } = await request(server, '/apis/apps/v1/namespaces/default/deployments', { method: 'POST', body })
    assert.equal(status, 201)
  }
  const start = async (more: readonly string[] = []): Promise<RunningProgram & { url: string }> => {
    const port = await freePort()
    const running = spawnProgram(program, [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--leader-elect-lease-duration=9s',
      '--leader-elect-renew-deadline=6s',
      '--leader-elect-retry-period=500ms',
      '--use-service-account-credentials',
      ...more,
    ])
    await running.says(/"serving"/)
    return { ...running, url: `https://127.0.0.1:${port}` }
  }

  it('runs one leader of two; the other takes over when the leader is killed, and no work is done twice', async () => {
    const first = await start()
    const second = await start()
    // Another name each time: tests of processes may be tried again.
    const [web, late] = ['web', 'late'].map((name) => `${name}-${first.process.pid}`) as [string, string]
    await deploy(web, 3)
    await eventuallyEquals(() => pods(web), 3, 'three pods')
    first.process.kill('SIGKILL')
    await first.exited
    await second.says(/"controllers are running"/)
    // Nothing scales here: that controller has asked for nothing yet.
    const idle = '/api/v1/namespaces/kube-system/serviceaccounts/horizontal-pod-autoscaler'
    await eventuallyEquals(async () => (await request(server, idle)).status, 200, 'the account of an idle controller')
    await deploy(late, 2)
    await eventuallyEquals(() => pods(late), 2, 'two pods by the second manager')
    assert.equal(await pods(web), 3)
    second.process.kill('SIGTERM')
    assert.equal(await second.exited, 0)
    const lease = await request(
      server,
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager',
    )
    assert.equal((JSON.parse(lease.body) as { spec: { holderIdentity: string } }).spec.holderIdentity, '')
  })

  it('fills secrets with tokens under its own account, where each controller has its own service account', async () => {
    const key = `--service-account-private-key-file=${join(folder.path, 'accounts.key')}`
    const manager = await start(['--leader-elect=false', '--controllers=serviceaccount,serviceaccount-token', key])
    const path = '/api/v1/namespaces/default/secrets'
    const name = `token-${manager.process.pid}`
    const accounts = '/api/v1/namespaces/default/serviceaccounts/default'
    await eventuallyEquals(async () => (await request(server, accounts)).status, 200, 'an account')
    const metadata = { name, annotations: { 'kubernetes.io/service-account.name': 'default' } }
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/service-account-token' }
    assert.equal((await request(server, path, { method: 'POST', body: JSON.stringify(secret) })).status, 201)
    await eventually(async () => {
      const { body } = await request(server, `${path}/${name}`)
      return (JSON.parse(body) as { data?: { token?: string } }).data?.token !== undefined
    }, 'a token')
    manager.process.kill('SIGTERM')
    assert.equal(await manager.exited, 0)
  })

  it('serves /statusz and /flagz behind their gates', async () => {
    const gates = '--feature-gates=ComponentStatusz=true,ComponentFlagz=true'
    const manager = await start(['--leader-elect=false', '--controllers=deployment', gates])
    const status = await request(manager, '/statusz')
    assert.match(status.body, /^\nkube-controller-manager statusz\nWarning: /)
    assert.match(status.body, /\nPaths\S* .?\/configz \/flagz \/healthz \/metrics \/statusz\n$/)
    const flags = await request(manager, '/flagz')
    assert.match(flags.body, /\ncontrollers\S* ?\[deployment\]\n/)
    assert.equal((await request(manager, '/flagz', { token: undefined })).status, 403)
    manager.process.kill('SIGTERM')
    assert.equal(await manager.exited, 0)
  })

  it('shows its pages to users that the API server authorizes', async () => {
    const manager = await start(['--leader-elect=false', '--controllers=deployment,replicaset'])
    const isUp = async (): Promise<boolean> => (await request(manager, '/healthz/deployment-controller')).status === 200
    await eventually(isUp, 'the controllers run')
    const health = await request(manager, '/healthz?verbose', { token: undefined })
    assert.deepEqual(
      [health.status, health.body],
      [200, '[+]deployment-controller ok\n[+]replicaset-controller ok\nhealthz check passed\n'],
    )
    assert.equal((await request(manager, '/healthz/deployment-controller')).body, 'ok')
    assert.equal((await request(manager, '/healthz/nothing', { token: undefined })).status, 403)
    assert.equal((await request(manager, '/metrics', { token: undefined })).status, 403)
    assert.equal((await request(manager, '/metrics', { token: 'stranger' })).status, 401)
    const metrics = await request(manager, '/metrics')
    assert.match(metrics.body, /workqueue_adds_total\{name="deployment"\} \d/)
    const configz = await request(manager, '/configz')
    const { 'kubecontrollermanager.config.k8s.io': shown } = JSON.parse(configz.body) as Record<
      string,
      Record<string, Record<string, unknown>>
    >
    assert.deepEqual(shown?.['Generic']?.['Controllers'], ['deployment', 'replicaset'])
    assert.deepEqual(shown?.['HPAController']?.['HorizontalPodAutoscalerSyncPeriod'], '15s')
    assert.deepEqual(shown?.['NamespaceController'], { NamespaceSyncPeriod: '5m0s', ConcurrentNamespaceSyncs: 10 })
    assert.doesNotMatch(configz.body, /PRIVATE KEY|serviceAccountPrivateKey/)
    manager.process.kill('SIGTERM')
    assert.equal(await manager.exited, 0)
  })

  const refusals: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown controller', ['--controllers=nothing'], /--controllers: "nothing" is no controller/],
    [
      'a lease shorter than its renewal',
      ['--leader-elect-lease-duration=1s'],
      /must be greater than --leader-elect-renew-deadline/,
    ],
    ['a kubeconfig that is not there', ['--kubeconfig=/nowhere'], /--kubeconfig: no such file or folder/],
    ['a signer with half a pair', ['--cluster-signing-kubelet-serving-cert-file=/x'], /go together/],
    ['an unknown flag, naming the nearest', ['--kubeconfg=x'], /--kubeconfig/],
  ]
  for (const [what, flags, line] of refusals)
    it(`refuses ${what} with one line`, async () => {
      const { code, stderr } = await runProgram(program, flags)
      assert.equal(code, 1)
      assert.match(stderr, line)
      assert.equal(stderr.trim().split('\n').length, 1)
    })

  it('has every flag of the stock controller manager @recorded', async () => {
    const facts = join(import.meta.dirname, '../../../../shared/facts/controller_manager_flags.tsv')
    const table = existsSync(facts) ? readFileSync(facts, 'utf8') : ''
    const { stdout } = await runProgram(program, ['--help'])
    for (const line of table.trim().split('\n').slice(1)) {
      const name = (line.split('\t')[0] ?? '').replace(/\(.*/, '')
      assert.match(stdout, new RegExp(`--${name}[ =\\n]`), name)
    }
    const own = Array.from(stdout.matchAll(/^ +(?:-\w, )?--([a-z0-9-]+)/gm), ([, name = '']) => name)
    assertRecorded(
      'controllermanagerflags',
      [...new Set(own)].toSorted().map((name) => [name, true]),
    )
  })
})

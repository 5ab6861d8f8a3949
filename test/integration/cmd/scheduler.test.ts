import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { freePort } from '../../support/ports.ts'
import { type RunningProgram, runProgram, spawnProgram } from '../../support/program.ts'

const program = 'cmd/scheduler/main.ts'
const schedulerToken = 'test-scheduler-token'
const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler'

interface ShownPod {
  spec: { nodeName?: string }
  status: { conditions?: { type: string; message?: string }[] }
}

const configuration = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: false
clientConnection:
  kubeconfig: KUBECONFIG
profiles:
  - schedulerName: default-scheduler
  - schedulerName: packing
    pluginConfig:
      - name: NodeResourcesFit
        args:
          scoringStrategy:
            type: MostAllocated
            resources:
              - name: cpu
                weight: 1
    plugins:
      score:
        disabled:
          - name: '*'
        enabled:
          - name: NodeResourcesFit
      filter:
        disabled:
          - name: NodeUnschedulable
`

describe('pilothouse-scheduler', () => {
  const folder = scratchFolder('schedulers')
  let server: ServerProcess
  let kubeconfig: string

  before(async () => {
    const [key, tokens] = ['accounts.key', 'tokens.csv'].map((name) => join(folder.path, name)) as [string, string]
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(key, privateKey.export({ type: 'sec1', format: 'pem' }))
    writeFileSync(
      tokens,
      `${adminToken},admin,admin,"system:masters"\n${schedulerToken},system:kube-scheduler,scheduler\n`,
    )
    server = await startServer(
      'cmd/apiserver/main.ts',
      [
        '--storage-backend=memory',
        '--authorization-mode=RBAC',
        '--service-account-issuer=https://pilothouse.test',
        `--service-account-signing-key-file=${key}`,
        `--service-account-key-file=${key}`,
        `--token-auth-file=${tokens}`,
        '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
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
        users: [{ name: 'u', user: { token: schedulerToken } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    )
    for (const [name, cpu] of [
      ['large', '8'],
      ['small', '4'],
    ]) {
      const status = { allocatable: { cpu, memory: '8Gi', pods: '110' }, capacity: { cpu, memory: '8Gi', pods: '110' } }
      await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, status })
    }
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  async function create(path: string, object: object): Promise<void> {
    const { status, body } = await request(server, path, { method: 'POST', body: JSON.stringify(object) })
    assert.equal(status, 201, body)
  }
  const createPod = (name: string, cpu: string, more: object = {}): Promise<void> =>
    create('/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }], ...more },
    })
  const podOf = async (name: string): Promise<ShownPod> =>
    JSON.parse((await request(server, `/api/v1/namespaces/default/pods/${name}`)).body) as ShownPod
  const isPlaced = async (name: string): Promise<boolean> => (await podOf(name)).spec.nodeName !== undefined

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
      ...more,
    ])
    await running.says(/"serving"/)
    return { ...running, url: `https://127.0.0.1:${port}` }
  }

  it('assigns pods with the rights of system:kube-scheduler alone, and hands over to another one', async () => {
    const first = await start()
    const second = await start()
    const [one, two] = ['one', 'two'].map((name) => `${name}-${first.process.pid}`) as [string, string]
    await createPod(one, '100m')
    await eventually(() => isPlaced(one), 'a node for the first pod')
    const lease = JSON.parse((await request(server, leasePath)).body) as { spec: { holderIdentity: string } }
    assert.match(lease.spec.holderIdentity, /_[0-9a-f-]{36}$/)
    // The one that waits is ready to take over.
    assert.equal((await request(second, '/readyz', { token: undefined })).body, 'ok')
    first.process.kill('SIGTERM')
    assert.equal(await first.exited, 0)
    await second.says(/"the scheduler is running"/)
    await createPod(two, '100m')
    await eventually(() => isPlaced(two), 'a node for the second pod')
    second.process.kill('SIGTERM')
    assert.equal(await second.exited, 0)
  })

  it('serves its health, its configuration and the stock metrics', async () => {
    const scheduler = await start(['--leader-elect=false'])
    const name = `huge-${scheduler.process.pid}`
    await createPod(name, '64')
    const isRefused = async (): Promise<boolean> =>
      (await podOf(name)).status.conditions?.some(({ message = '' }) => message.includes('2 Insufficient cpu')) === true
    await eventually(isRefused, 'the reason')
    await eventuallyEquals(async () => (await request(scheduler, '/readyz')).status, 200, 'a ready scheduler')
    const ready = await request(scheduler, '/readyz?verbose', { token: undefined })
    assert.equal(
      ready.body,
      '[+]ping ok\n[+]shutdown ok\n[+]sched-handler-sync ok\n[+]scheduler ok\nreadyz check passed\n',
    )
    for (const path of ['/healthz', '/livez'])
      assert.equal((await request(scheduler, path, { token: undefined })).body, 'ok')
    assert.equal((await request(scheduler, '/metrics', { token: undefined })).status, 403)
    const { body: metrics } = await request(scheduler, '/metrics')
    for (const line of [
      /^scheduler_schedule_attempts_total\{profile="default-scheduler",result="unschedulable"\} [1-9]/m,
      /^scheduler_pending_pods\{queue="unschedulable"\} 1$/m,
      /^scheduler_pending_pods\{queue="gated"\} 0$/m,
      /^scheduler_cache_size\{type="nodes"\} 2$/m,
      /^scheduler_unschedulable_pods\{plugin="NodeResourcesFit",profile="default-scheduler"\} 1$/m,
      /^scheduler_queue_incoming_pods_total\{event="UnscheduledPodAdd",queue="active"\} [1-9]/m,
      /^scheduler_queue_incoming_pods_total\{event="ScheduleAttemptFailure",queue="unschedulable"\} [1-9]/m,
      /^scheduler_framework_extension_point_duration_seconds_count\{extension_point="Filter",profile="default-scheduler",status="Success"\} [1-9]/m,
      /^scheduler_plugin_execution_duration_seconds_count\{extension_point="Filter",plugin="NodeResourcesFit",status="Unschedulable"\} [1-9]/m,
      /^scheduler_preemption_attempts_total [1-9]/m,
    ])
      assert.match(metrics, line)
    const configz = JSON.parse((await request(scheduler, '/configz')).body) as {
      componentconfig: { leaderElection: object }
    }
    assert.deepEqual(configz.componentconfig.leaderElection, {
      leaderElect: false,
      leaseDuration: '9s',
      renewDeadline: '6s',
      retryPeriod: '0.5s',
      resourceLock: 'leases',
      resourceName: 'kube-scheduler',
      resourceNamespace: 'kube-system',
    })
    assert.equal((await request(server, `/api/v1/namespaces/default/pods/${name}`, { method: 'DELETE' })).status, 200)
    scheduler.process.kill('SIGTERM')
    assert.equal(await scheduler.exited, 0)
  })

  it('runs the profiles of its configuration file, each under its name', async () => {
    const file = join(folder.path, 'scheduler.yaml')
    writeFileSync(file, configuration.replace('KUBECONFIG', kubeconfig))
    const scheduler = await start([`--config=${file}`])
    const name = `packed-${scheduler.process.pid}`
    await createPod(name, '1', { schedulerName: 'packing' })
    await eventually(() => isPlaced(name), 'a node')
    // The fuller node, where the default profile prefers the emptier one.
    assert.equal((await podOf(name)).spec.nodeName, 'small')
    const isTold = async (): Promise<boolean> => {
      const { body } = await request(server, '/api/v1/namespaces/default/events?fieldSelector=reason%3DScheduled')
      const events = (JSON.parse(body) as { items: { involvedObject: { name: string }; reportingComponent: string }[] })
        .items
      const event = events.find(({ involvedObject }) => involvedObject.name === name)
      if (event) assert.equal(event.reportingComponent, 'packing')
      return event !== undefined
    }
    await eventually(isTold, 'an event of the profile')
    scheduler.process.kill('SIGTERM')
    assert.equal(await scheduler.exited, 0)
    assert.equal((await request(server, `/api/v1/namespaces/default/pods/${name}`, { method: 'DELETE' })).status, 200)
  })

  it('writes its effective configuration, which it can read again', async () => {
    const [given, written, again] = ['given.yaml', 'written.yaml', 'again.yaml'].map((name) => join(folder.path, name))
    writeFileSync(given ?? '', configuration)
    const flags = (from: string | undefined, to: string | undefined): string[] => [
      `--config=${from}`,
      `--write-config-to=${to}`,
    ]
    assert.equal((await runProgram(program, flags(given, written))).code, 0)
    assert.equal((await runProgram(program, flags(written, again))).code, 0)
    const text = readFileSync(written ?? '', 'utf8')
    assert.match(text, /kubeconfig: KUBECONFIG/)
    assert.match(text, /type: MostAllocated/)
    assert.equal(readFileSync(again ?? '', 'utf8'), text)
  })

  it('refuses a configuration with a mistake with one line', async () => {
    const file = join(folder.path, 'wrong.yaml')
    writeFileSync(file, configuration.replace('weight: 1', 'weight: 0.5'))
    const { code, stderr } = await runProgram(program, [`--config=${file}`, `--kubeconfig=${kubeconfig}`])
    assert.equal(code, 1)
    assert.match(stderr, /^pilothouse-scheduler: --config: .*weight/)
    assert.equal(stderr.trim().split('\n').length, 1)
  })
})

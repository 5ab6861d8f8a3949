import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { findPromtool } from '../../../hack/programs.ts'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/ports.ts'
import { type RunningProgram, spawnProgram } from '../../support/program.ts'

const folder = join(import.meta.dirname, '../../../deploy/observe')

/** Metrics of a rule that show once something has gone wrong, or with audit, encryption, files of admission or etcd configured. */
const occasional = [
  'apiserver_flowcontrol_rejected_requests_total',
  'apiserver_terminated_watchers_total',
  'apiserver_request_terminations_total',
  'apiserver_admission_webhook_fail_open_count',
  'apiserver_audit_error_total',
  'apiserver_client_certificate_expiration_seconds_bucket',
  'apiserver_client_certificate_expiration_seconds_count',
  'apiserver_authentication_config_controller_automatic_reloads_total',
  'apiserver_authorization_config_controller_automatic_reloads_total',
  'apiserver_encryption_config_controller_automatic_reloads_total',
  'apiserver_manifest_admission_config_controller_automatic_reloads_total',
  'etcd_request_errors_total',
  'etcd_requests_total',
]
/** Served by etcd, made by Prometheus. */
const ofOthers = [
  'up',
  'etcd_server_has_leader',
  'etcd_server_leader_changes_seen_total',
  'etcd_server_quota_backend_bytes',
  'etcd_mvcc_db_total_size_in_bytes',
  'etcd_disk_backend_commit_duration_seconds_bucket',
]

interface Dashboard {
  readonly uid: string
  readonly panels: readonly { id: number; title: string; targets: readonly { expr: string }[] }[]
}

interface RuleFile {
  readonly groups: readonly { rules: readonly { record?: string; alert?: string; expr: string }[] }[]
}

describe('deploy/observe', () => {
  const scratch = scratchFolder('observe')
  let server: ServerProcess
  let manager: RunningProgram
  const exposed = new Map<string, ReadonlySet<string>>()

  before(async function () {
    this.timeout(60_000)
    server = await startServer('cmd/apiserver/main.ts', ['--storage-backend=memory'], scratch.path)
    manager = await startManager()
    await failAWebhook()
    await request(server, '/api/v1/pods?watch=true&timeoutSeconds=1')
  })
  after(async () => {
    manager.process.kill('SIGTERM')
    await manager.exited
    await server.stop()
    scratch.remove()
  })

  let managerAt = ''
  async function startManager(): Promise<RunningProgram> {
    const kubeconfig = join(scratch.path, 'kubeconfig')
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
    const port = await freePort()
    managerAt = `https://127.0.0.1:${port}`
    const running = spawnProgram('cmd/controller-manager/main.ts', [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
    ])
    await running.says(/"controllers are running"/)
    return running
  }

  async function failAWebhook(): Promise<void> {
    const hook = {
      name: 'closed.webhook.test',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    }
    const created = await request(server, '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      method: 'POST',
      body: JSON.stringify({ metadata: { name: 'hook' }, webhooks: [hook] }),
    })
    assert.equal(created.status, 201, created.body)
    await eventually(async () => {
      const body = JSON.stringify({ metadata: { generateName: 'x-' } })
      const { status } = await request(server, '/api/v1/namespaces/default/configmaps', { method: 'POST', body })
      return status === 500
    }, 'the webhook fails')
  }

  async function exposedBy(url: string): Promise<ReadonlySet<string>> {
    const known = exposed.get(url)
    if (known !== undefined) return known
    const { body } = await request({ url }, '/metrics')
    const names = new Set(body.split('\n').map((line) => /^[a-zA-Z_]\w*/.exec(line)?.[0] ?? ''))
    exposed.set(url, names)
    return names
  }

  for (const [title, line] of [
    ['rules that Prometheus takes', ['check', 'rules', 'rules.yaml']],
    ['rules that raise the alerts of their unit tests', ['test', 'rules', 'rules.test.yaml']],
  ] as const)
    it(`has ${title}`, async function () {
      // Fetching it takes a while where it is not there yet.
      this.timeout(180_000)
      const promtool = await findPromtool()
      if (promtool === undefined) {
        if (this.test) this.test.title += ' (needs promtool)'
        return this.skip()
      }
      const { status, stdout, stderr } = spawnSync(promtool, line, { cwd: folder, encoding: 'utf8' })
      assert.equal(status, 0, stdout + stderr)
    })

  it('has a unit test of every alert', () => {
    const names = (file: string, pattern: RegExp): string[] =>
      Array.from(readFileSync(join(folder, file), 'utf8').matchAll(pattern), ([, name]) => name ?? '')
    const tested = new Set(names('rules.test.yaml', /alertname: (\w+)/g))
    const untested = names('rules.yaml', /- alert: (\w+)/g).filter((name) => !tested.has(name))
    assert.deepEqual(untested, [])
  })

  for (const [file, whose] of [
    ['apiserver.json', () => server.url],
    ['controller-manager.json', () => managerAt],
  ] as const)
    it(`has the dashboard ${file}, all of whose queries name metrics that the running program exposes`, async () => {
      const names = await exposedBy(whose())
      const dashboard = JSON.parse(readFileSync(join(folder, 'dashboards', file), 'utf8')) as Dashboard
      let queries = 0
      for (const { title, targets } of dashboard.panels)
        for (const { expr } of targets) {
          queries++
          const wanted = metricsOf(expr)
          assert.ok(wanted.length > 0, `${title}: ${expr} names no metric`)
          const missing = wanted.filter((name) => !names.has(name))
          assert.deepEqual(missing, [], `${title}: ${expr}`)
        }
      assert.ok(queries >= 12)
      const ids = dashboard.panels.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length)
    })

  it('has no other dashboards', () => {
    assert.deepEqual(readdirSync(join(folder, 'dashboards')).sort(), ['apiserver.json', 'controller-manager.json'])
  })

  it('has rules whose metrics are exposed, or will be on an occasion', async () => {
    const { groups } = parse(readFileSync(join(folder, 'rules.yaml'), 'utf8')) as RuleFile
    const rules = groups.flatMap((group) => group.rules)
    const recorded = rules.flatMap(({ record }) => (record === undefined ? [] : [record]))
    const known = new Set([
      ...(await exposedBy(server.url)),
      ...(await exposedBy(managerAt)),
      ...occasional,
      ...ofOthers,
      ...recorded,
    ])
    for (const { expr, alert, record } of rules)
      assert.deepEqual(
        metricsOf(expr).filter((name) => !known.has(name)),
        [],
        alert ?? record ?? '',
      )
  })

  it('finds the metrics of a query, and nothing else in it', () => {
    const query =
      'histogram_quantile(0.99, sum by (le, verb) (rate(a_bucket{x=~"b|c",y="d"}[5m]))) / on (job) group_left e:f > 1e3 or absent(g == 1)'
    assert.deepEqual(metricsOf(query), ['a_bucket', 'e:f', 'g'])
  })
})

const words = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'group_left', 'group_right', 'bool'])

/** The names of the metrics that a PromQL expression reads. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  const names = [...bare.matchAll(/(?<![\w:.])([a-zA-Z_:][\w:]*)(?!\w|:|\s*\()/g)].map(([, name = '']) => name)
  return names.filter((name) => !words.has(name))
}

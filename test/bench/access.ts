// The cost of authentication, authorization and audit: a get with a service account's token, RBAC and audit at
// Metadata, against the same with a static token, AlwaysAllow and no audit. Figures are CPU time of the server per
// request; the two take turns, and the least of all rounds counts, since other work on the machine only ever adds to
// it. Usage: node test/bench/access.ts [seconds [rounds]]; needs wrk.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { load, type Target } from './client.ts'
import { cpuMicroseconds } from './process.ts'

const [seconds = 5, rounds = 5] = process.argv.slice(2).map(Number)
const connections = 32
const collection = '/api/v1/namespaces/default/configmaps'
const path = `${collection}/settings`

interface Contender {
  readonly title: string
  readonly server: ServerProcess
  readonly target: { -readonly [Field in keyof Target]: Target[Field] }
  best: number
}

async function post(server: ServerProcess, at: string, body: object): Promise<{ status?: { token: string } }> {
  const answer = await request(server, at, { method: 'POST', body: JSON.stringify(body) })
  if (answer.status !== 201) throw new Error(`${at}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body) as { status?: { token: string } }
}

async function start(title: string, flags: readonly string[], folder: string): Promise<Contender> {
  const common = ['--storage-backend=memory', '--v=0', '--disable-admission-plugins=ServiceAccount']
  const server = await startServer('cmd/apiserver/main.ts', [...common, ...flags], folder)
  await post(server, collection, { metadata: { name: 'settings' }, data: { payload: 'x'.repeat(1000) } })
  const target = { url: server.url, pid: server.process.pid ?? 0, token: adminToken }
  return { title, server, target, best: Number.POSITIVE_INFINITY }
}

/** A service account that may read, as one of 200 with bindings. */
async function accountToken(server: ServerProcess): Promise<string> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const apiGroup = 'rbac.authorization.k8s.io'
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  for (let at = 0; at < 200; at++) {
    const name = `reader-${at}`
    await post(server, accounts, { metadata: { name } })
    await post(server, `${rbac}/namespaces/default/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name }],
    })
  }
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }]
  await post(server, `${rbac}/clusterroles`, { metadata: { name: 'reader' }, rules })
  const { status } = await post(server, `${accounts}/reader-100/token`, { spec: {} })
  if (!status) throw new Error('no token')
  return status.token
}

async function round(contender: Contender, forSeconds: number): Promise<void> {
  const { target } = contender
  const before = cpuMicroseconds(target.pid)
  const { requests, failures } = await load(target, path, { connections, seconds: forSeconds })
  if (failures > 0 || requests === 0) throw new Error(`${contender.title}: ${failures} of ${requests} failed`)
  contender.best = Math.min(contender.best, (cpuMicroseconds(target.pid) - before) / requests)
}

const folder = scratchFolder('bench-access')
const policy = join(folder.path, 'policy.yaml')
writeFileSync(
  policy,
  'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n',
)
const key = join(folder.path, 'sa.key')
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
const log = join(folder.path, 'audit.log')
const audit = [
  `--audit-policy-file=${policy}`,
  `--audit-log-path=${log}`,
  '--audit-log-maxsize=100',
  '--audit-log-maxbackup=1',
]
const rbac = ['--authorization-mode=Node,RBAC']
const tokens = [
  '--service-account-issuer=https://bench.example',
  `--service-account-key-file=${key}`,
  `--service-account-signing-key-file=${key}`,
]
const contenders: Contender[] = []
try {
  contenders.push(await start('static token, AlwaysAllow, no audit', [], folder.path))
  for (const [title, flags] of [
    ['account token', tokens],
    ['account token, RBAC', [...tokens, ...rbac]],
    ['account token, RBAC, audit at Metadata', [...tokens, ...rbac, ...audit]],
  ] as const) {
    const contender = await start(title, flags, folder.path)
    contenders.push(contender)
    contender.target.token = await accountToken(contender.server)
  }
  for (const contender of contenders) await round(contender, 3)
  for (const contender of contenders) contender.best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < rounds; turn++) for (const contender of contenders) await round(contender, seconds)
  for (const { title, best } of contenders) process.stdout.write(`${title.padEnd(44)} ${best.toFixed(1)} us a get\n`)
  const [least, most] = [contenders.at(0)?.best ?? 0, contenders.at(-1)?.best ?? 0]
  process.stdout.write(`ratio ${(most / least).toFixed(2)} (goal: 1.35 at most)\n`)
} finally {
  for (const { server } of contenders) await server.stop()
  folder.remove()
}

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findEtcd } from '../../../hack/programs.ts'
import { request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { runProgram } from '../../support/program.ts'

const program = 'cmd/apiserver/main.ts'

describe('an API server of two processes', function () {
  this.timeout(120_000)
  const folder = scratchFolder('processes')
  const auditLog = join(folder.path, 'audit.log')
  let etcd: EtcdServer
  let server: ServerProcess

  const children = (): number[] => {
    const { pid } = server.process
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  }
  const text = async (path: string): Promise<string> => (await request(server, path)).body
  const metric = async (name: string, labels = /^/): Promise<number> => {
    const all = (await text('/metrics')).split('\n')
    const lines = all.filter((line) => line.startsWith(name) && labels.test(line))
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  }
  const create = async (name: string): Promise<number> => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
    return (await request(server, '/api/v1/namespaces/default/configmaps', { method: 'POST', body })).status
  }
  /** Each request opens a connection, which the system gives to one of the processes. */
  const names = async (): Promise<number> => {
    const { items } = JSON.parse(await text('/api/v1/namespaces/default/configmaps')) as { items: unknown[] }
    return items.length
  }
  /** `starts`: of processes, so far. Reading the log costs less than asking. */
  const bothServe = async (starts: number): Promise<void> => {
    const serving = (): number => server.output().split('"serving"').length - 1
    await eventuallyEquals(serving, starts, `${starts} processes have served`)
    await eventuallyEquals(() => metric('pilothouse_processes '), 2, 'both processes serve')
  }

  before(async function () {
    if ((await findEtcd()) === undefined) this.skip()
    etcd = await startEtcd()
    const policy = join(folder.path, 'policy.yaml')
    writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n')
    const flags = [
      `--etcd-servers=${etcd.url}`,
      '--processes=2',
      '--advertise-address=192.0.2.7',
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${auditLog}`,
    ]
    server = await startServer(program, flags, folder.path)
    await bothServe(2)
  })

  after(async () => {
    if (server?.process.exitCode === null) await server.kill()
    await etcd?.stop()
    folder.remove()
  })

  it('shows in each what was written through the other', async () => {
    const seen: number[] = []
    for (let index = 1; index <= 12; index++) {
      assert.equal(await create(`shared-${index}`), 201)
      seen.push(await names())
    }
    assert.deepEqual(
      seen.map((count) => count - (seen[0] ?? 0)),
      seen.map((_, index) => index),
    )
  })

  it('answers for both at /metrics, whichever is asked', async () => {
    for (let index = 0; index < 10; index++) await text('/api/v1/namespaces/default/configmaps/absent')
    for (let index = 0; index < 6; index++)
      assert.equal(await metric('apiserver_request_total', /code="404".*resource="configmaps"/), 10)
    const lines = (await text('/metrics')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')))
    assert.equal(new Set(series).size, series.length, 'a series is there twice')
  })

  it('answers for both at /readyz: a process that hangs makes it fail', async () => {
    assert.match(await text('/readyz?verbose'), /\[\+\]processes ok\n/)
    const [hanging = 0] = children()
    process.kill(hanging, 'SIGSTOP')
    try {
      // The system gives some connections to the process that hangs.
      const asked = Array.from({ length: 12 }, async () => (await request(server, '/readyz')).status)
      assert.equal(await Promise.race(asked), 500)
    } finally {
      process.kill(hanging, 'SIGCONT')
    }
    await eventuallyEquals(async () => (await request(server, '/readyz')).status, 200, 'the server is ready')
  })

  it('writes one audit log, whole', async () => {
    await names()
    const lines = readFileSync(auditLog, 'utf8').trim().split('\n')
    for (const line of lines) JSON.parse(line)
    const created = lines.filter((line) => line.includes('"verb":"create"') && line.includes('"name":"shared-'))
    assert.equal(new Set(created.map((line) => /"auditID":"([^"]+)"/.exec(line)?.[1])).size, 12)
  })

  it('refuses a second server on its port, which would share it', async () => {
    const { code, stderr } = await runProgram(program, [
      `--etcd-servers=${etcd.url}`,
      '--processes=2',
      '--bind-address=127.0.0.1',
      `--secure-port=${server.port}`,
      `--cert-dir=${folder.path}`,
    ])
    assert.equal(code, 1)
    assert.match(stderr, /^pilothouse-apiserver: can't listen on 127\.0\.0\.1, port \d+: the address is in use\n$/)
  })

  it('goes on when a process is killed, and has it again soon', async () => {
    const before = children()
    const counted = await metric('apiserver_request_total')
    process.kill(before[1] ?? 0, 'SIGKILL')
    for (let index = 0; index < 20; index++) {
      // A connection may have been the killed process's.
      const status = await create(`killed-${index}`).catch(() => create(`killed-again-${index}`))
      assert.equal(status, 201)
    }
    await bothServe(3)
    assert.notDeepEqual(children(), before)
    assert.equal(await metric('pilothouse_process_restarts_total'), 1)
    assert((await metric('apiserver_request_total')) > counted, 'counters fell')
    assert.equal((await request(server, '/readyz')).status, 200)
  })

  it('replaces a process that gets SIGTERM, and refuses nothing meanwhile', async () => {
    const before = children()
    process.kill(before[0] ?? 0, 'SIGTERM')
    for (let index = 0; children().includes(before[0] ?? 0); index++) {
      const status = await create(`replaced-${index}`).catch(() => 'broken')
      assert(status === 201 || status === 'broken', String(status))
    }
    await bothServe(4)
    assert.equal(await metric('pilothouse_process_restarts_total'), 2)
  })

  it('is one server to the cluster, and leaves when all have ended', async () => {
    const leases = JSON.parse(await text('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases')) as {
      items: { metadata: { labels: Record<string, string> } }[]
    }
    const own = leases.items.filter(({ metadata }) => 'apiserver.kubernetes.io/identity' in metadata.labels)
    assert.equal(own.length, 1)
    const endpoints = JSON.parse(await text('/api/v1/namespaces/default/endpoints/kubernetes')) as {
      subsets: { addresses: unknown[] }[]
    }
    assert.deepEqual(
      endpoints.subsets.map(({ addresses }) => addresses),
      [[{ ip: '192.0.2.7' }]],
    )
    assert.equal(await server.stop(), 0)
    const { body } = await etcdKeys(etcd, '/registry/masterleases/')
    assert.equal(body, '0')
  })
})

/** The number of keys with this prefix, as etcd's own JSON gateway answers it. */
async function etcdKeys({ url }: EtcdServer, prefix: string): Promise<{ body: string }> {
  const encode = (key: string): string => Buffer.from(key).toString('base64')
  const end = `${prefix.slice(0, -1)}0`
  const answer = await fetch(`${url}/v3/kv/range`, {
    method: 'POST',
    body: JSON.stringify({ key: encode(prefix), range_end: encode(end), count_only: true }),
  })
  const { count = '0' } = (await answer.json()) as { count?: string }
  return { body: count }
}

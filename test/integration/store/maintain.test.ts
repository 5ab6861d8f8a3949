import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { store as command } from '../../../cmd/pilothouse/store/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { compactFolder, defragmentEtcd, defragmentFolder, openEtcdReader } from '../../../lib/storetools/index.ts'
import { type EtcdCluster, startEtcdCluster } from '../../support/etcd.ts'
import { type ProgramResult, runHere, runProgram } from '../../support/program.ts'
import { startProxy } from '../../support/proxy.ts'
import { dependencies } from '../storage/kit.ts'
import { hasEtcd, openEmbedded, temporary } from './kit.ts'

const run = (...line: string[]): Promise<ProgramResult> => runHere('pilothouse', command, line)
/** In a process of its own, as users run it: only its end lets go of an embedded store. */
const runAlone = (...line: string[]): Promise<ProgramResult> => runProgram('cmd/pilothouse/main.ts', ['store', ...line])

describe('tending an etcd cluster with mutual TLS', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  const folder = temporary()
  const file = (name: string): string => join(folder, name)
  let cluster: EtcdCluster
  let flags: string[]

  before(async () => {
    for (const [name, authority] of [
      ['ca', createAuthority(dependencies, { commonName: 'etcd-ca' })],
      ['other', createAuthority(dependencies, { commonName: 'another-ca' })],
    ] as const) {
      writeFileSync(file(`${name}.crt`), authority.certificate)
      const client = authority.issue({ commonName: 'operator', usage: 'client' })
      writeFileSync(file(`${name}-client.crt`), client.certificate)
      writeFileSync(file(`${name}-client.key`), client.key)
      const names = ['127.0.0.1', 'localhost']
      const server = authority.issue({ commonName: 'etcd', usage: 'both', names })
      writeFileSync(file(`${name}-server.crt`), server.certificate)
      writeFileSync(file(`${name}-server.key`), server.key)
    }
    const tls = { certFile: file('ca-server.crt'), keyFile: file('ca-server.key'), caFile: file('ca.crt') }
    cluster = await startEtcdCluster(3, { tls })
    flags = flagsWith('ca', 'ca-client')
  })
  after(async () => {
    await cluster?.stop()
    rmSync(folder, { recursive: true })
  })

  const flagsWith = (ca: string, client: string, urls: readonly string[] = cluster.urls): string[] => [
    `--etcd-servers=${urls.join(',')}`,
    `--etcd-cafile=${file(`${ca}.crt`)}`,
    ...(client === '' ? [] : [`--etcd-certfile=${file(`${client}.crt`)}`, `--etcd-keyfile=${file(`${client}.key`)}`]),
  ]

  it('status and members list every member, and the leader', async () => {
    const status = await runAlone('status', ...flags)
    assert.equal(status.code, 0, status.stderr)
    assert.equal(status.stdout.match(/^https:/gm)?.length, 3)
    assert.equal(status.stdout.match(/ leader /g)?.length, 1)
    const members = await run('members', '-o', 'json', ...flags)
    const names = (JSON.parse(members.stdout) as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(names.toSorted(), ['m0', 'm1', 'm2'])
  })

  const refused: readonly [what: string, ca: string, client: string][] = [
    ['no client certificate', 'ca', ''],
    ['a client certificate of another authority', 'ca', 'other-client'],
    ['another authority for the servers', 'other', 'ca-client'],
  ]
  it('wrong credentials are refused with one line, without a private key in it', async () => {
    for (const [what, ca, client] of refused) {
      const { code, stderr, stdout } = await run('list', ...flagsWith(ca, client))
      assert.deepEqual([code, stdout.split('\n').length <= 2], [1, true], what)
      assert.match(stderr, /^pilothouse: etcd at https:[^\n]+\n$/, what)
      assert.doesNotMatch(stderr, /PRIVATE KEY/, what)
    }
  })

  it('is reached by a unix socket, whose name the certificate must have', async () => {
    for (const [name, expected] of [
      ['localhost:1', 0],
      ['elsewhere:1', 1],
    ] as const) {
      const socket = await startProxy(cluster.urls[0] ?? '', { path: file(name) })
      const url = socket.url.replace('unix:', 'unixs:')
      const { code, stdout, stderr } = await run('status', '-o', 'json', ...flagsWith('ca', 'ca-client', [url]))
      await socket.close()
      assert.equal(code, expected, stderr)
      if (expected === 1) assert.match(stdout + stderr, /elsewhere/)
      else assert.equal((JSON.parse(stdout) as { members: { endpoint: string }[] }).members[0]?.endpoint, url)
    }
  })

  it('a snapshot is taken, compaction drops old revisions, and members are defragmented with the leader last', async () => {
    const tls = { ca: await read('ca.crt'), cert: await read('ca-client.crt'), key: await read('ca-client.key') }
    const reader = await openEtcdReader(dependencies, { endpoints: cluster.urls, tls })
    const store = reader.ownClient()
    const key = '/registry/x'
    let { revision } = await store.create(key, Buffer.alloc(1_000_000, 1))
    const first = revision
    for (let at = 0; at < 20; at++) revision = (await store.update(key, Buffer.alloc(1_000_000, at), revision)).revision
    const taken = await run('snapshot', file('snapshot'), ...flags)
    assert.equal(taken.code, 0, taken.stderr)
    assert.match(taken.stdout, /1 keys at revision 22, 976\.\d KiB/)
    const compacted = await run('compact', ...flags)
    assert.equal(compacted.stdout, `revisions before ${revision} are gone\n`, compacted.stderr)
    await assert.rejects(reader.get(key, first), /is compacted/)
    assert.equal((await run('compact', `--revision=${first}`, ...flags)).code, 0, 'once more is no error')
    const beyond = await run('compact', '--revision=1000000', ...flags)
    assert.deepEqual([beyond.code, /future revision/.test(beyond.stderr)], [1, true])

    const leader = await cluster.leader()
    const done: string[] = []
    await defragmentEtcd(dependencies.clock, reader.connection, ({ endpoint, bytesBefore, bytesAfter }) => {
      done.push(endpoint)
      assert.ok(bytesAfter < bytesBefore / 4, `${endpoint}: ${bytesBefore} to ${bytesAfter}`)
    })
    assert.equal(done.length, 3)
    assert.equal(done.at(-1), leader.url)
    // A member that is not among the endpoints is found through the cluster.
    const one = await run('defragment', ...flagsWith('ca', 'ca-client', cluster.urls.slice(0, 1)))
    assert.equal(one.code, 0, one.stderr)
    assert.equal(one.stdout.split('\n').length, 4)
    assert.equal((await reader.get(key)).entry?.modRevision, revision)
    await reader.close()
  })

  it('a cluster with a member that is down is read through the others, and no member is defragmented', async () => {
    const [down] = cluster.members
    await down?.kill()
    try {
      const listed = await run('list', '-o', 'name', ...flags)
      assert.deepEqual([listed.code, listed.stdout], [0, '/registry/x\n'], listed.stderr)
      const status = await run('status', ...flags)
      assert.equal(status.code, 1)
      assert.equal(status.stdout.match(/^https:/gm)?.length, 3)
      const refusal = await run('defragment', ...flags)
      assert.deepEqual([refusal.code, refusal.stdout], [1, ''])
      assert.match(refusal.stderr, /the member m0 is not well/)
    } finally {
      await down?.start()
    }
  })

  async function read(name: string): Promise<string> {
    const { readFile } = await import('node:fs/promises')
    return await readFile(file(name), 'utf8')
  }
})

describe('tending an embedded store', function () {
  this.timeout(60_000)
  const folder = temporary()
  after(() => rmSync(folder, { recursive: true }))

  it('is refused while a server has it open, and where none exists', async () => {
    const directory = join(folder, 'used')
    const store = await openEmbedded(directory)
    await assert.rejects(compactFolder(dependencies, directory, asRevision(0)), /in use by/)
    await assert.rejects(defragmentFolder(dependencies, directory), /in use by/)
    assert.deepEqual(readdirSync(directory).toSorted(), ['data.mdb', 'lock.mdb'])
    await store.close()
    const none = join(folder, 'none')
    await assert.rejects(compactFolder(dependencies, none, asRevision(0)), /there is no store/)
    await assert.rejects(defragmentFolder(dependencies, none), /there is no store/)
    assert.equal(readdirSync(folder).includes('none'), false)
  })

  it('compaction and defragmentation free space, and keep live keys with their revisions', async () => {
    const directory = join(folder, 'full')
    const store = await openEmbedded(directory)
    let { revision } = await store.create('/registry/x', Buffer.alloc(500_000, 1))
    for (let at = 0; at < 40; at++)
      revision = (await store.update('/registry/x', Buffer.alloc(500_000, at), revision)).revision
    const { revision: second } = await store.create('/registry/y', Buffer.from('y'))
    await store.close()
    const before = statSync(join(directory, 'data.mdb')).size
    // What a defragmentation that was cut short left.
    mkdirSync(join(directory, 'defragmented'))
    writeFileSync(join(directory, 'defragmented', 'data.mdb'), 'half')
    const compacted = await runAlone('compact', `--revision=${revision}`, `--data-dir=${directory}`)
    assert.equal(compacted.stdout, `revisions before ${revision} are gone\n`, compacted.stderr)
    const done = await runAlone('defragment', `--data-dir=${directory}`)
    assert.equal(done.code, 0, done.stderr)
    assert.ok(statSync(join(directory, 'data.mdb')).size < before / 10)
    assert.deepEqual(
      readdirSync(directory).filter((name) => name !== 'lock.mdb'),
      ['data.mdb'],
    )
    assert.equal(statSync(join(directory, 'data.mdb')).mode & 0o777, 0o600)
    const again = await openEmbedded(directory)
    assert.equal(await again.currentRevision(), second)
    assert.equal((await again.get('/registry/x')).value?.modRevision, revision)
    assert.equal((await again.get('/registry/y', { revision })).value, undefined)
    const { revision: third } = await again.create('/registry/z', Buffer.from('z'))
    assert.equal(third, second + 1)
    await again.close()
    const last = await openEmbedded(directory)
    assert.equal((await last.range({ start: '/', end: '0' })).count, 3)
    await last.close()
  })
})

import assert from 'node:assert/strict'
import https from 'node:https'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { type EtcdCluster, startEtcdCluster } from '../../support/etcd.ts'
import { eventually } from '../../support/eventually.ts'

const base = '/api/v1/namespaces/default/configmaps'
const writerCount = 6

interface WatchEvent {
  readonly type: string
  readonly object: { metadata: { name: string; resourceVersion: string } }
}

/** Two replicas over three etcd servers: under load, the leader of etcd is killed, and then one of the replicas. */
describe('replicas over a cluster of etcd', function () {
  if (!process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs etcd')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('cluster')
  let etcd: EtcdCluster
  let lasting: ServerProcess
  let killed: ServerProcess
  before(async () => {
    etcd = await startEtcdCluster(3)
    const flags = [`--etcd-servers=${etcd.urls.join(',')}`]
    lasting = await startServer('cmd/apiserver/main.ts', flags, folder.path)
    killed = await startServer('cmd/apiserver/main.ts', flags, folder.path)
  })
  after(async () => {
    if (killed?.process.exitCode === null && killed.process.signalCode === null) await killed.kill()
    assert.equal(await lasting?.stop(), 0)
    await etcd?.stop()
    folder.remove()
  })

  /** Creates objects one after the other until `isOver`; those not answered with 201 may or may not exist. */
  async function write(writer: number, created: string[], isOver: () => boolean): Promise<void> {
    for (let count = 0; !isOver(); count++) {
      const name = `w${writer}-${count}`
      const server = writer % 2 ? lasting : killed
      const body = JSON.stringify({ metadata: { name } })
      const answer = await request(server, base, { method: 'POST', body }).catch(() => undefined)
      if (answer?.status === 201) created.push(name)
      if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function watch(server: ServerProcess): Promise<{ events: WatchEvent[]; isOpen(): boolean; close(): void }> {
    const events: WatchEvent[] = []
    let open = true
    const { resourceVersion } = (JSON.parse((await request(server, base)).body) as WatchEvent['object']).metadata
    const call = https.get(`${server.url}${base}?watch=1&resourceVersion=${resourceVersion}`, {
      rejectUnauthorized: false,
      agent: false,
      headers: { authorization: `Bearer ${adminToken}` },
    })
    call.on('error', () => (open = false))
    call.on('response', (answer) => {
      let rest = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) events.push(JSON.parse(line) as WatchEvent)
      })
      answer.on('close', () => (open = false))
    })
    await new Promise((resolve) => call.once('response', resolve))
    return { events, isOpen: () => open, close: () => call.destroy() }
  }

  it('lose no answered write and no event when the leader is killed, and then a replica', async () => {
    const watching = await watch(lasting)
    let over = false
    const written = Array.from({ length: writerCount }, (): string[] => [])
    const writers = written.map((created, writer) => write(writer, created, () => over))
    /** Long enough for some writes of every writer whose server is there. */
    const pause = async (isServed = (_writer: number): boolean => true): Promise<void> => {
      const before = written.map(({ length }) => length)
      const hasWritten = ({ length }: string[], writer: number): boolean => length > (before[writer] ?? 0) + 20
      await eventually(() => written.every((one, at) => !isServed(at) || hasWritten(one, at)), 'writes')
    }
    await pause()
    const leader = await etcd.leader()
    await leader.kill()
    await pause()
    await leader.start()
    await pause()
    await killed.kill()
    await pause((writer) => writer % 2 === 1)
    over = true
    await Promise.all(writers)
    const created = written.flat()
    for (const [writer, names] of written.entries()) assert.ok(names.length > 10, `writer ${writer} wrote nothing`)

    const { body } = await request(lasting, base)
    const { items } = JSON.parse(body) as { items: WatchEvent['object'][] }
    const listed = new Set(items.map(({ metadata }) => metadata.name))
    assert.deepEqual(
      created.filter((name) => !listed.has(name)),
      [],
      'answered, but not there',
    )

    const expected = items.filter(({ metadata }) => metadata.name.startsWith('w')).length
    await eventually(() => watching.events.length >= expected || !watching.isOpen(), 'all events')
    assert.ok(watching.isOpen(), 'the watch ended')
    const seen = watching.events.map(({ type, object }) => `${type} ${object.metadata.name}`)
    assert.deepEqual(
      seen.toSorted(),
      [...listed]
        .filter((name) => name.startsWith('w'))
        .map((name) => `ADDED ${name}`)
        .toSorted(),
    )
    const versions = watching.events.map(({ object }) => Number(object.metadata.resourceVersion))
    assert.deepEqual(
      versions,
      versions.toSorted((left, right) => left - right),
    )
    watching.close()
  })
})

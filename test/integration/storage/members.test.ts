import assert from 'node:assert/strict'
import { createServer as createHttp2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { noRevision } from '../../../lib/object/index.ts'
import { createEtcdStore, type EtcdStore, type StoreWatch } from '../../../lib/storage/index.ts'
import { eventually } from '../../support/eventually.ts'
import { dependencies, openEtcd } from './kit.ts'

/** What a member answers to a call: a reply, or a status other than 0. Streams stay open after their reply. */
type Answer = Buffer | { code: number; message: string }

/** A member of etcd that says what a test has it say. */
interface FakeMember {
  readonly url: string
  /** Paths called, in order. */
  readonly calls: string[]
  /** Of calls that are open. */
  readonly open: Set<string>
  close(): Promise<void>
}

const watchPath = '/etcdserverpb.Watch/Watch'
const rangePath = '/etcdserverpb.KV/Range'
const statusPath = '/etcdserverpb.Maintenance/Status'

/** A header at revision 5, and more. */
function reply(...more: number[]): Buffer {
  return Buffer.from([0x0a, 2, 0x18, 5, ...more])
}
const created = reply(0x18, 1)
const version = reply(0x12, 6, ...Buffer.from('3.5.21'))

async function startMember(answer: (path: string, count: number) => Answer, goingAway = 0): Promise<FakeMember> {
  const calls: string[] = []
  const open = new Set<string>()
  const sockets = new Set<Socket>()
  const sessions = createHttp2Server()
  sessions.on('session', (session: ServerHttp2Session) => void session.on('error', () => {}))
  sessions.on('stream', (stream: ServerHttp2Stream, headers) => {
    const path = String(headers[':path'])
    calls.push(path)
    open.add(path)
    stream.on('error', () => {}).on('close', () => void open.delete(path))
    const answered = answer(path, calls.filter((one) => one === path).length)
    const head = { ':status': 200, 'content-type': 'application/grpc' }
    if (!Buffer.isBuffer(answered)) {
      const { code, message } = answered
      return stream.respond({ ...head, 'grpc-status': code, 'grpc-message': message }, { endStream: true })
    }
    stream.respond(head, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, answered.length]), answered])
    if (path === watchPath) stream.write(frame)
    else stream.end(frame)
  })
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    // Frames of settings and of going away, in one piece.
    if (goingAway-- > 0) socket.once('data', () => void socket.write(Buffer.from(`000000040000000000${goAway}`, 'hex')))
    else sessions.emit('connection', socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    calls,
    open,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The last stream that is served is 2^31-1; no error. */
const goAway = '0000080700000000007fffffff00000000'

describe('etcd members that are half well', function () {
  this.timeout(60_000)
  const members: FakeMember[] = []
  let store: EtcdStore

  async function member(...of: Parameters<typeof startMember>): Promise<FakeMember> {
    const started = await startMember(...of)
    members.push(started)
    return started
  }
  function watch(): StoreWatch {
    const options = { start: '/registry/', end: '/registry0', fromRevision: noRevision }
    return store.watch(options, { onEvents() {}, onProgress() {}, onEnd() {} })
  }
  const well = (path: string): Answer => (path === watchPath ? created : path === statusPath ? version : reply())

  afterEach(async () => {
    await store.close()
    for (const one of members.splice(0)) await one.close()
  })

  it('are tried again when they disconnect as soon as they are reached', async () => {
    const { url, open } = await member(well, 1)
    store = openEtcd([url])
    // Nothing else asks for a connection meanwhile.
    assert.equal(await store.currentRevision(), 5)
    watch()
    await eventually(() => open.has(watchPath), 'the watch')
  })

  it('end the watch along with the requests that they can not answer', async () => {
    const failing = (path: string): Answer =>
      path === rangePath ? { code: 14, message: 'etcdserver: request timed out' } : well(path)
    const [bad, good] = [await member(failing), await member(well)]
    const random = { ...dependencies.random, below: () => 0 }
    store = createEtcdStore({ ...dependencies, random }, { endpoints: [bad.url, good.url] })
    watch()
    await eventually(() => bad.open.has(watchPath), 'the watch at the member that it begins with')
    assert.equal(await store.currentRevision(), 5)
    await eventually(() => good.open.has(watchPath) && !bad.open.has(watchPath), 'the watch at the other member')
  })

  it('are asked for their version again when they did not report it', async () => {
    const { url } = await member((path, count) =>
      path === statusPath && count === 1 ? { code: 4, message: 'context deadline exceeded' } : well(path),
    )
    store = openEtcd([url])
    const watching = watch()
    await eventually(() => watching.requestProgress(), 'a member whose progress is trusted')
  })
})

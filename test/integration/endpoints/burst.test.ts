import assert from 'node:assert/strict'
import http2 from 'node:http2'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'

const base = '/api/v1/namespaces/default/configmaps'
const watcherCount = 100
const streamsPerConnection = 10
const writerCount = 8
const cyclesPerWriter = 30
/** Without any event for this long, a watcher that still lacks some is taken to have lost them. */
const quietMs = 40_000

/** The revisions of its events, as they came. */
interface Watcher {
  readonly revisions: number[]
  readonly stream: Readable
  ended: boolean
}

const headers = { authorization: `Bearer ${adminToken}` }
const path = `${base}?watch=1&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`

function follow(stream: Readable, onEvent: () => void): Watcher {
  const watcher: Watcher = { revisions: [], stream, ended: false }
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) watcher.revisions.push(Number(/"resourceVersion":"(\d+)"/.exec(line)?.[1]))
    onEvent()
  })
  stream.on('error', () => (watcher.ended = true))
  stream.on('close', () => (watcher.ended = true))
  return watcher
}

async function watchOverHttp2(session: http2.ClientHttp2Session, onEvent: () => void): Promise<Watcher> {
  const stream = session.request({ ':path': path, ...headers })
  const watcher = follow(stream, onEvent)
  await new Promise<void>((resolve, reject) => {
    stream.once('error', reject)
    stream.once('response', (answer) =>
      answer[':status'] === 200 ? resolve() : reject(new Error(`watch: ${answer[':status']}`)),
    )
  })
  return watcher
}

function watchOverHttp1(url: string, onEvent: () => void): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    const call = https.get(url + path, { agent: false, rejectUnauthorized: false, headers }, (answer) => {
      if (answer.statusCode === 200) resolve(follow(answer, onEvent))
      else reject(new Error(`watch: ${answer.statusCode}`))
    })
    call.on('error', reject)
  })
}

function ask(session: http2.ClientHttp2Session, method: string, target: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const stream = session.request({ ':path': target, ':method': method, 'content-type': type, ...headers })
    let text = ''
    let status = 0
    stream.setEncoding('utf8')
    stream.on('response', (answer) => (status = Number(answer[':status'])))
    stream.on('data', (chunk: string) => (text += chunk))
    stream.on('error', reject)
    stream.on('end', () => (status < 300 ? resolve(text) : reject(new Error(`${method} ${target}: ${status} ${text}`))))
    stream.end(body && JSON.stringify(body))
  })
}

/** NaN for a Status, as deletions answer one. */
function revisionOf(text: string): number {
  return Number((JSON.parse(text) as { metadata: { resourceVersion?: string } }).metadata.resourceVersion)
}

describe('watches in a burst of writes', function () {
  this.timeout(120_000)
  const folder = scratchFolder('burst')
  let server: ServerProcess
  const sessions: http2.ClientHttp2Session[] = []
  const connect = (): http2.ClientHttp2Session => {
    const session = http2.connect(server.url, { rejectUnauthorized: false })
    session.on('error', () => {})
    sessions.push(session)
    return session
  }
  before(async () => {
    const flags = [`--data-dir=${folder.path}/data`, '--feature-gates=WatchList=true']
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
  })
  afterEach(() => {
    for (const session of sessions.splice(0)) session.destroy()
  })
  after(async () => {
    assert.equal(await server.stop(), 0)
    folder.remove()
  })

  /** Creates, changes and deletes as fast as it can; answers how many writes that were, and revisions answered. */
  async function write(writer: number): Promise<{ writes: number; answered: number[] }> {
    const session = connect()
    const answered: number[] = []
    let writes = 0
    const data = { text: 'x'.repeat(1000) }
    const wrote = (text: string): void => {
      writes++
      const revision = revisionOf(text)
      if (!Number.isNaN(revision)) answered.push(revision)
    }
    for (let count = 0; count < cyclesPerWriter; count++) {
      const name = `w${writer}-${count}`
      wrote(await ask(session, 'POST', base, { metadata: { name }, data }))
      wrote(await ask(session, 'PATCH', `${base}/${name}`, { data: { more: 'y' } }))
      if (count % 2 === 0) wrote(await ask(session, 'DELETE', `${base}/${name}`))
    }
    return { writes, answered }
  }

  it(`each of ${watcherCount} watchers over HTTP/2 sees each of the writes of ${writerCount} once and in order`, async () => {
    let lastAtMs = performance.now()
    const onEvent = (): void => void (lastAtMs = performance.now())
    const watchers: Watcher[] = []
    for (let opened = 0; opened < watcherCount; opened += streamsPerConnection) {
      const session = connect()
      for (let stream = 0; stream < streamsPerConnection; stream++)
        watchers.push(await watchOverHttp2(session, onEvent))
    }

    const written = await Promise.all(Array.from({ length: writerCount }, (_, writer) => write(writer)))
    const writes = written.reduce((sum, one) => sum + one.writes, 0)
    const answered = written.flatMap((one) => one.answered)
    const isDone = ({ revisions, ended }: Watcher): boolean => ended || revisions.length >= writes
    while (!watchers.every(isDone) && performance.now() - lastAtMs < quietMs)
      await new Promise((resolve) => setTimeout(resolve, 50))

    assert.equal(watchers.filter(({ ended }) => ended).length, 0, 'watches ended')
    const [first] = watchers
    assert.ok(first)
    assert.equal(first.revisions.length, writes)
    const disordered = first.revisions.findIndex(
      (revision, index) => index > 0 && !(revision > (first.revisions[index - 1] ?? 0)),
    )
    assert.equal(disordered, -1, 'revisions ascend')
    const seen = new Set(first.revisions)
    assert.deepEqual(
      answered.filter((revision) => !seen.has(revision)),
      [],
      'every write that was answered was seen',
    )
    for (const [index, { revisions }] of watchers.entries()) {
      const at = first.revisions.findIndex((revision, event) => revision !== revisions[event])
      const [here, there]: number[][] = [revisions.slice(at, at + 3), first.revisions.slice(at, at + 3)]
      assert.ok(at < 0 && revisions.length === writes, `watcher ${index} has ${here} where the first has ${there}`)
    }
    const metrics = (await request(server, '/metrics')).body
    assert.doesNotMatch(metrics, /^apiserver_terminated_watchers_total\{.*configmaps.*\} [1-9]/m)
  })

  for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const)
    it(`a watcher over ${protocol} that reads in bursts sees every write once and in order`, async () => {
      const ignore = (): void => {}
      const session = connect()
      const watcher = await (protocol === 'HTTP/2'
        ? watchOverHttp2(connect(), ignore)
        : watchOverHttp1(server.url, ignore))
      const data = { text: 'x'.repeat(100_000) }
      const answered: number[] = []
      for (let round = 0; round < 3; round++) {
        watcher.stream.pause()
        // More than the buffers between the two of them hold.
        const write = async (writer: number): Promise<void> => {
          for (let count = 0; count < 15; count++) {
            const name = `${protocol.replace(/\W/g, '').toLowerCase()}-${round}-${writer}-${count}`
            answered.push(revisionOf(await ask(session, 'POST', base, { metadata: { name }, data })))
          }
        }
        await Promise.all(Array.from({ length: writerCount }, (_, writer) => write(writer)))
        answered.sort((one, other) => one - other)
        assert.ok(watcher.revisions.length < answered.length, 'it is not behind')
        watcher.stream.resume()
        const deadline = performance.now() + quietMs
        while (watcher.revisions.length < answered.length && !watcher.ended && performance.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 20))
        assert.deepEqual(watcher.revisions, answered)
      }
      watcher.stream.destroy()
    })
})

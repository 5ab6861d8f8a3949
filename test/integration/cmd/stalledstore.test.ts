import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { adminToken, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { type Proxy, startProxy } from '../../support/proxy.ts'

const path = '/api/v1/namespaces/default/configmaps'
const timeoutMs = 1000
const outOfTime = /"Timeout: request did not complete within the allotted timeout","reason":"Timeout"/

interface Answer {
  readonly status: number
  /** From the request to the head of the answer. */
  readonly tookMs: number
  /** '' for a stream, which is left at once. */
  readonly body: string
}

async function ask({ port }: ServerProcess, url: string): Promise<Answer> {
  const beganMs = performance.now()
  const headers = { authorization: `Bearer ${adminToken}` }
  const call = https.get({ host: '127.0.0.1', port, path: url, headers, agent: false, rejectUnauthorized: false })
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  const tookMs = performance.now() - beganMs
  let body = ''
  if (answer.statusCode !== 200) for await (const chunk of answer.setEncoding('utf8')) body += String(chunk)
  call.destroy()
  return { status: answer.statusCode ?? 0, tookMs, body }
}

describe('apiserver: while its store does not answer', function () {
  if (!process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs etcd')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('stalled')
  let etcd: EtcdServer
  let proxy: Proxy
  let server: ServerProcess
  before(async () => {
    etcd = await startEtcd()
    proxy = await startProxy(etcd.url)
    const flags = [`--etcd-servers=${proxy.url}`, `--request-timeout=${timeoutMs}ms`]
    server = await startServer('cmd/apiserver/main.ts', flags, folder.path)
    proxy.stalled = true
  })
  after(async () => {
    await server?.kill()
    await proxy?.close()
    await etcd?.stop()
    folder.remove()
  })

  const unanswered: readonly [what: string, url: string][] = [
    ['a list', path],
    ['a get', `${path}/a`],
    ['a watch from now on', `${path}?watch=1`],
    ['a watch whose query names a longer time', `${path}?watch=1&timeout=30s&timeoutSeconds=30`],
    ['a watch by the older path', '/api/v1/watch/namespaces/default/configmaps'],
  ]
  for (const [what, url] of unanswered)
    it(`${what} answers 504 once --request-timeout is over`, async () => {
      const { status, tookMs, body } = await ask(server, url)
      assert.equal(status, 504, body)
      assert.match(body, outOfTime)
      assert.ok(tookMs >= timeoutMs - 50 && tookMs < timeoutMs + 15_000, `${tookMs} ms`)
    })

  for (const url of [`${path}?resourceVersion=0`, `${path}?watch=1&resourceVersion=0`])
    it(`${url.slice(path.length)} is answered from memory`, async () => {
      const { status, body } = await ask(server, url)
      assert.equal(status, 200, body)
    })

  it('requests answer 504 after their own limit when --request-timeout is long', async () => {
    const own = await startProxy(etcd.url)
    const patient = await startServer('cmd/apiserver/main.ts', [`--etcd-servers=${own.url}`], folder.path)
    try {
      own.stalled = true
      const answers = await Promise.all(unanswered.map(([, url]) => ask(patient, url)))
      for (const { status, body } of answers) {
        assert.equal(status, 504, body)
        assert.match(body, outOfTime)
      }
    } finally {
      await patient.kill()
      await own.close()
    }
  })
})

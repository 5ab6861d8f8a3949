import assert from 'node:assert/strict'
import https from 'node:https'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { startEtcd } from '../../support/etcd.ts'
import { eventually } from '../../support/eventually.ts'
import { hasEtcd } from '../storage/kit.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const delayMs = 2000
const graceMs = 1000
/** Machines are slow at times: limits from above are generous. */
const slackMs = 5000

/** Milliseconds from now until each of the watches has ended. */
async function openWatches(
  server: ServerProcess,
  count: number,
): Promise<{ ended(sinceMs: number): Promise<number[]> }> {
  const opened = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<{ readonly end: Promise<number> }>((resolve, reject) => {
          const options = {
            rejectUnauthorized: false,
            agent: false,
            headers: { authorization: `Bearer ${adminToken}` },
          }
          https
            .get(`${server.url}${configMaps}?watch=1`, options, (answer) => {
              answer.resume()
              resolve({ end: new Promise((ended) => answer.on('close', () => ended(performance.now()))) })
            })
            .on('error', reject)
        }),
    ),
  )
  return { ended: async (sinceMs) => (await Promise.all(opened.map(({ end }) => end))).map((at) => at - sinceMs) }
}

describe('apiserver: its end after that of etcd', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  const folder = scratchFolder('afteretcd')
  after(() => folder.remove())

  it('is graceful, and does not wait for etcd', async () => {
    const etcd = await startEtcd()
    const flags = [`--etcd-servers=${etcd.url}`, '--advertise-address=10.1.2.3']
    const server = await startServer('cmd/apiserver/main.ts', flags, folder.path)
    await etcd.stop()
    const startedMs = performance.now()
    assert.equal(await server.stop(), 0, server.output())
    assert.ok(performance.now() - startedMs < slackMs, server.output())
    assert.match(server.output(), /the address of this replica stays until it expires/)
  })
})

describe('apiserver: the flags of its end', () => {
  const folder = scratchFolder('shutdown')
  after(() => folder.remove())

  interface Answer {
    readonly status: number
    readonly headers: Record<string, unknown>
  }

  const answer = async (server: ServerProcess, path: string): Promise<Answer> =>
    await request(server, path).catch((error: { code?: string }) => ({ status: 0, headers: { code: error.code } }))

  /** Sends requests until one is answered as a server does behind its delay. */
  async function lateAnswer(server: ServerProcess, isLate: (answer: Answer) => boolean): Promise<Answer> {
    let late: Answer = { status: 0, headers: {} }
    await eventually(async () => {
      late = await answer(server, configMaps)
      return isLate(late) || late
    }, 'an answer behind the delay')
    return late
  }

  async function stopAndLook(flags: readonly string[], isLate: (answer: Answer) => boolean) {
    const server = await startServer(
      'cmd/apiserver/main.ts',
      [
        '--storage-backend=memory',
        `--shutdown-delay-duration=${delayMs}ms`,
        `--shutdown-watch-termination-grace-period=${graceMs}ms`,
        ...flags,
      ],
      folder.path,
    )
    const watches = await openWatches(server, 5)
    const code = server.stop()
    const sinceMs = performance.now()
    await eventually(async () => (await answer(server, '/readyz')).status !== 200, 'it has got the signal')
    const during = await Promise.all(['/readyz', '/livez', configMaps].map((path) => answer(server, path)))
    assert.ok(performance.now() - sinceMs < delayMs, 'the machine is too slow for this delay')
    const late = await lateAnswer(server, isLate)
    assert.ok(performance.now() - sinceMs >= delayMs, 'it serves as before during the delay')
    const ends = await watches.ended(sinceMs)
    assert.equal(await code, 0)
    return { during: during.map(({ status }) => status), late, ends, tookMs: performance.now() - sinceMs }
  }

  it('keeps serving for --shutdown-delay-duration while it is not ready, then refuses connections and closes watches one by one', async () => {
    const isRefused = ({ headers: { code } }: Answer): boolean => code === 'ECONNREFUSED'
    const { during, ends, tookMs } = await stopAndLook([], isRefused)
    assert.deepEqual(during, [500, 200, 200])
    assert.ok(Math.min(...ends) >= delayMs && Math.max(...ends) < delayMs + graceMs + slackMs, ends.join())
    assert.ok(Math.max(...ends) - Math.min(...ends) > graceMs / 2, `all at once: ${ends.join()}`)
    assert.ok(tookMs < delayMs + graceMs + slackMs)
  })

  it('the flag --shutdown-send-retry-after answers 429 instead of refusing connections, and asks to close them', async () => {
    const { during, late } = await stopAndLook(['--shutdown-send-retry-after=true'], ({ status }) => status === 429)
    assert.deepEqual(during, [500, 200, 200])
    assert.equal(late.status, 429)
    assert.equal(late.headers['connection'], 'close')
    assert.match(String(late.headers['retry-after']), /^\d+$/)
  })
})

import assert from 'node:assert/strict'
import { type LogFields, type Logger, silentLogger } from '../../../lib/base/index.ts'
import type { Server, ServerDependencies } from '../../../lib/server/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { ask } from '../../support/plane.ts'
import { get1, run, small } from './support.ts'

interface Line {
  readonly message: string
  readonly fields: LogFields
}

/** Notes the lines, at all levels up to `verbosity`. */
function noting(lines: Line[], verbosity: number): Logger {
  const note = (message: string, fields: LogFields = {}): void => void lines.push({ message, fields })
  const log: Logger = {
    ...silentLogger,
    info: note,
    lines: (all) => note(all.join('\n')),
    enabled: (level) => level <= verbosity,
    verbose: (level, message, fields) => (level <= verbosity ? note(message, fields) : undefined),
    named: () => log,
  }
  return log
}

describe('the access log', () => {
  let server: Server | undefined
  afterEach(async () => server?.close())

  async function tracesOf(handle: ServerDependencies['resources']['handle']): Promise<Line[]> {
    const lines: Line[] = []
    const running = await run(handle, {}, { log: noting(lines, 0) })
    server = running.server
    assert.equal((await get1(running.port, '/api/v1/namespaces/default/pods/a?secret=1')).status, 200)
    return lines.filter(({ message }) => message.startsWith('Trace['))
  }

  it('has at any level the steps of a request that took more than half a second, in the stock format', async () => {
    const lines = await tracesOf(async (call) => {
      call.step?.('Listing from storage done', { count: 3 })
      // A timer counts from the start of the loop's turn, so on a busy machine it may end some milliseconds early.
      for (const endMs = performance.now() + 520; performance.now() < endMs; )
        await new Promise((resolve) => setTimeout(resolve, 10))
      await call.responder.send(200, { 'content-type': 'application/json' }, small)
    })
    assert.equal(lines.length, 1)
    const text = lines[0]?.message.split('\n') ?? []
    const id = /^Trace\[\d+\]:/.exec(text[0] ?? '')?.[0] ?? ''
    assert.ok(text.every((line) => line.startsWith(id)))
    const [head = '', ...rest] = text.map((line) => line.slice(id.length + 1))
    const time = String.raw`\d\d:\d\d:\d\d\.\d{3}`
    const about = [
      `"Get" accept:[^ ]*,audit-id:[-0-9a-f]{36},client:127.0.0.1,api-group:,api-version:v1,name:a,subresource:`,
      'namespace:default,protocol:HTTP/1.1,resource:pods,scope:resource,url:/api/v1/namespaces/default/pods/a\\?secret=1',
      String.raw`user-agent:[^ ]*,verb:GET,code:200 \(\d\d-[A-Z][a-z]{2}-\d{4} ${time}\) \(total time: (?:[5-9]\d\d|\d{4,})ms\):`,
    ]
    assert.match(head, new RegExp(`^${about.join(',')}$`))
    const steps = rest.map((line) => new RegExp(String.raw`^---"(.+)" (count:3 )?(\d+)ms \(${time}\)$`).exec(line))
    const names = [
      'Authentication done',
      'Authorization done',
      'Listing from storage done',
      'Writing http response done',
    ]
    const found = steps.slice(0, -1).map((step) => step?.[1] ?? '')
    assert.deepEqual(
      found.filter((name) => !name.includes('fairness')),
      names,
    )
    assert.equal(steps.find((step) => step?.[1] === names[2])?.[2], 'count:3 ')
    assert.ok(Number(steps.at(-2)?.[3]) >= 515)
    assert.match(rest.at(-1) ?? '', /^\[5\d\d\.\d+ms\] \[5\d\d\.\d+ms\] END$/)
  })

  it('omits a fast request by default', async () => {
    assert.deepEqual(await tracesOf((call) => call.responder.send(200, {}, small)), [])
  })

  it('has the priority level, the flow schema and the seats of each request at --v=3', async () => {
    const folder = scratchFolder('accesslog')
    const lines: Line[] = []
    const plane = await startComposed(folder.path, [], { log: noting(lines, 3), tokens: ['user-token,user,user'] })
    try {
      await ask(plane.url, '/api/v1/namespaces?from=user', { token: 'user-token' })
      await ask(plane.url, '/api/v1/namespaces?from=admin', { token: adminToken })
      const of = (user: string): LogFields | undefined =>
        lines.find(({ message, fields }) => message === 'HTTP' && fields['uri'] === `/api/v1/namespaces?from=${user}`)
          ?.fields
      await eventually(() => of('user') !== undefined && of('admin') !== undefined, 'both are logged')
      const { apf_pl, apf_fs, apf_iseats, apf_fseats, apf_additionalLatency } = of('user') ?? {}
      assert.deepEqual(
        { apf_pl, apf_fs, apf_iseats, apf_fseats, apf_additionalLatency },
        { apf_pl: 'global-default', apf_fs: 'global-default', apf_iseats: 1, apf_fseats: 0, apf_additionalLatency: 0 },
      )
      assert.ok(Number(of('user')?.['apf_execution_time']) >= 0)
      assert.equal(of('admin')?.['apf_pl'], 'exempt')
    } finally {
      await plane.stop()
      folder.remove()
    }
  })
})

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
    enabled: (level) => level <= verbosity,
    verbose: (level, message, fields) => (level <= verbosity ? note(message, fields) : undefined),
    named: () => log,
  }
  return log
}

describe('the access log', () => {
  let server: Server | undefined
  afterEach(async () => server?.close())

  async function slowLinesOf(handle: ServerDependencies['resources']['handle']): Promise<Line[]> {
    const lines: Line[] = []
    const running = await run(handle, {}, { log: noting(lines, 0) })
    server = running.server
    assert.equal((await get1(running.port, '/api/v1/namespaces/default/pods/a?secret=1')).status, 200)
    return lines.filter(({ message }) => message === 'slow request')
  }

  it('tells at any level of a request that took more than half a second, and what took the time', async () => {
    const lines = await slowLinesOf(async (call) => {
      // A timer counts from the start of the loop's turn, so on a busy machine it may end some milliseconds early.
      for (const endMs = performance.now() + 520; performance.now() < endMs; )
        await new Promise((resolve) => setTimeout(resolve, 10))
      await call.responder.send(200, { 'content-type': 'application/json' }, small)
    })
    assert.equal(lines.length, 1)
    const fields = lines[0]?.fields ?? {}
    assert.deepEqual(
      [fields['method'], fields['uri'], fields['code']],
      ['GET', '/api/v1/namespaces/default/pods/a?secret=1', 200],
    )
    const ms = (name: string): number => Number(fields[name])
    assert.ok(ms('handlerMs') >= 515 && ms('latencyMs') >= ms('handlerMs'))
    for (const step of ['authenticationMs', 'seatMs', 'authorizationMs'])
      assert.ok(ms(step) >= 0 && ms(step) < 300, step)
  })

  it('tells nothing of a fast one unless it is asked to', async () => {
    assert.deepEqual(await slowLinesOf((call) => call.responder.send(200, {}, small)), [])
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

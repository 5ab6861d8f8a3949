import assert from 'node:assert/strict'
import { existsSync, linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Closable, silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createProfiler } from '../../../lib/observe/index.ts'
import { openDebugSocket } from '../../../lib/server/index.ts'

describe('the debug socket', () => {
  let folder: string
  let path: string
  let socket: Closable | undefined
  const levels: number[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-debug-'))
    path = join(folder, 'debug.sock')
  })
  afterEach(async () => {
    await socket?.close()
    socket = undefined
    rmSync(folder, { recursive: true })
  })
  async function open(): Promise<void> {
    const dependencies = { log: silentLogger, clock: systemClock, random: systemRandom }
    const profiler = createProfiler(systemClock)
    socket = await openDebugSocket(
      { ...dependencies, profiler, setVerbosity: (level) => void levels.push(level) },
      path,
    )
  }
  async function ask(url: string, method = 'GET', body = ''): Promise<{ status: number; text: string }> {
    return await new Promise((resolve, reject) => {
      const call = request({ socketPath: path, path: url, method, agent: false }, (answer) => {
        let text = ''
        answer.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        answer.on('error', reject)
      })
      call.on('error', reject)
      call.end(body)
    })
  }

  it('serves profiles and the verbosity of the log, and nothing else', async () => {
    await open()
    assert.match((await ask('/debug/pprof/')).text, /href="profile"/)
    const profile = await ask('/debug/pprof/profile?seconds=0.1')
    assert.deepEqual([profile.status, profile.text.slice(0, 2)], [200, '\x1f\x8b'])
    assert.equal((await ask('/debug/pprof/profile?seconds=x')).status, 400)
    assert.equal((await ask('/debug/flags/v', 'PUT', '4')).status, 200)
    assert.deepEqual(levels, [4])
    for (const other of ['/', '/api/v1/secrets', '/metrics', '/livez']) assert.equal((await ask(other)).status, 404)
    assert.equal((await ask('/debug/pprof/heap', 'POST')).status, 405)
  })

  it('is opened by its owner alone, and removed with the server', async () => {
    const before = process.umask()
    await open()
    assert.equal(process.umask(), before)
    assert.ok(statSync(path).isSocket())
    assert.equal(statSync(path).mode & 0o777, 0o600)
    await socket?.close()
    assert.equal(existsSync(path), false)
  })

  it('replaces a stale socket, and nothing else', async () => {
    await open()
    await assert.rejects(open(), { code: 'EADDRINUSE' })
    assert.equal((await ask('/debug/pprof/cmdline')).status, 200)
    await socket?.close()

    // A server that is killed leaves its socket.
    const left = createServer()
    await new Promise<void>((resolve) => left.listen(join(folder, 'first'), resolve))
    linkSync(join(folder, 'first'), path)
    await new Promise((resolve) => left.close(resolve))
    assert.ok(statSync(path).isSocket())
    await open()
    assert.equal((await ask('/debug/pprof/cmdline')).status, 200)
    await socket?.close()

    writeFileSync(path, 'precious')
    await assert.rejects(open(), { code: 'EADDRINUSE' })
    assert.ok(statSync(path).isFile())
  })
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'

describe('apiserver: --debug-socket-path', () => {
  const folder = scratchFolder('debugging')
  after(() => folder.remove())

  it('serves profiles without authentication, whether or not the secure port does', async () => {
    const socketPath = join(folder.path, 'debug.sock')
    const server = await startComposed(folder.path, [`--debug-socket-path=${socketPath}`, '--profiling=false'])
    try {
      const status = await new Promise((resolve, reject) => {
        get({ socketPath, path: '/debug/pprof/heap', agent: false }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        }).on('error', reject)
      })
      assert.equal(status, 200)
    } finally {
      await server.stop()
    }
    assert.equal(existsSync(socketPath), false)
  })

  it('fails the start when the socket can not be created', async () => {
    await assert.rejects(startComposed(folder.path, ['--debug-socket-path=/dev/null/debug.sock']), {
      message: /^--debug-socket-path: can't listen at \/dev\/null\/debug\.sock: /,
    })
  })
})

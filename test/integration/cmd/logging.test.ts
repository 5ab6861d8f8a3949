import assert from 'node:assert/strict'
import { request, scratchFolder, startServer } from '../../support/apiserver.ts'

const program = 'cmd/apiserver/main.ts'

describe('apiserver: its log', () => {
  const folder = scratchFolder('logging')
  after(() => folder.remove())

  it('is split, and says more of the parts that --vmodule names', async () => {
    const flags = ['--storage-backend=memory', '--log-text-split-stream', '--vmodule=serv?r=3,cache=1']
    const server = await startServer(program, flags, folder.path)
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      server.process[name]?.on('data', (chunk) => (written[name] += String(chunk)))
    await request(server, '/api?asked')
    await server.stop()
    assert.match(written.stdout, /^I.* server\] "HTTP".*\/api\b/m)
    assert.match(written.stdout, /^I.* main\] "stopped"$/m)
    assert.equal(written.stderr, '')
  })
})

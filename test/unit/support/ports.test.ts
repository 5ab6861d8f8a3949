import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { claimPort, freePorts } from '../../support/ports.ts'

describe('ports of tests', () => {
  it('are given once, and to one process of the machine', async () => {
    const [port = 0, other] = await freePorts(2)
    assert.notEqual(port, other)
    assert.equal(await claimPort(port), false, 'here')
    const module = join(import.meta.dirname, '..', '..', 'support', 'ports.ts')
    const script = `import { claimPort } from ${JSON.stringify(module)}; console.log(await claimPort(${port}))`
    const elsewhere = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
    assert.equal(elsewhere.trim(), 'false')
  })

  it('are free for a server on every address', async () => {
    const [port = 0] = await freePorts(1)
    const server = createServer()
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '0.0.0.0', resolve))
    await new Promise((resolve) => server.close(resolve))
  })
})

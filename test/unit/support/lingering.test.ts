import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'

const require = createRequire(import.meta.url)
const trackLingering = require('../../support/lingering.cjs') as (runner: EventEmitter) => () => string

describe('what keeps a test process alive', () => {
  it('is named with the suite that left it', async () => {
    const runner = new EventEmitter()
    const complaint = trackLingering(runner)
    const end = (title: string, root: boolean): boolean => runner.emit('suite end', { title, parent: { root } })
    end('clean', true)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const timer = setInterval(() => {}, 60_000)
    try {
      end('part of a leaky one', false)
      end('leaky', true)
      end('another', true)
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      const lines = complaint().split('\n')
      assert.ok(lines.includes(`  Server at 127.0.0.1:${port}, there after: leaky`), lines.join('\n'))
      assert.ok(
        lines.some((line) => /× Timeout, more of them after: .*leaky$/.test(line)),
        lines.join('\n'),
      )
    } finally {
      clearInterval(timer)
      await new Promise((resolve) => server.close(resolve))
    }
  })
})

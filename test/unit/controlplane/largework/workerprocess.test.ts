import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ThreadData } from '../../../../lib/controlplane/largework/messages.ts'
import { startWorker } from '../../../../lib/controlplane/largework/workerprocess.ts'
import { scratchFolder } from '../../../support/apiserver.ts'

const own = new URL('../../../../lib/controlplane/largework/workerprocess.ts', import.meta.url).href

describe('a process for large objects', () => {
  const scratch = scratchFolder('workerprocess')
  after(() => scratch.remove())

  function program(name: string, text: string): URL {
    const path = join(scratch.path, `${name}.mjs`)
    writeFileSync(path, `import { parentProcess } from ${JSON.stringify(own)}\n${text}`)
    return pathToFileURL(path)
  }

  it('gets its data first, then all messages in their order, and ends by terminate', async () => {
    const echo = program(
      'echo',
      `const { port, data } = parentProcess()
       const given = await data
       await new Promise((resolve) => setTimeout(resolve, 20))
       port.on('message', (message) => port.postMessage([given, message, Object.keys(process.env)], []))`,
    )
    const worker = startWorker(echo, { settings: new Map([['a', 1n]]) } as unknown as ThreadData, 64)
    const answers: unknown[] = []
    const both = Promise.withResolvers<void>()
    worker.on('message', (answer) => answers.push(answer) === 2 && both.resolve())
    worker.postMessage(new Uint8Array([1, 2]), [])
    worker.postMessage('second', [])
    await both.promise
    const [first, second] = answers as [unknown, unknown, string[]][]
    assert.deepEqual(first?.slice(0, 2), [{ settings: new Map([['a', 1n]]) }, new Uint8Array([1, 2])])
    assert.equal(second?.[1], 'second')
    const secrets = second?.[2].filter((name) => !/^(NODE_|PATH$)/.test(name))
    assert.deepEqual(secrets, [])
    const exited = new Promise<void>((resolve) => void worker.on('exit', resolve))
    await worker.terminate()
    await exited
  })

  it('reports that it ended for want of memory', async () => {
    const greedy = program('greedy', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))')
    const worker = startWorker(greedy, {} as ThreadData, 16)
    const error = await new Promise((resolve) => void worker.on('error', resolve))
    assert.equal((error as { code?: string }).code, 'ERR_WORKER_OUT_OF_MEMORY')
  })
})

import assert from 'node:assert/strict'
import { createAdmission } from '../../../../lib/admission/index.ts'
import { alwaysAllow } from '../../../../lib/authz/index.ts'
import { silentMetrics, systemClock } from '../../../../lib/base/index.ts'
import type { ItemTask, ThreadData } from '../../../../lib/controlplane/largework/messages.ts'
import { WorkerThread } from '../../../../lib/controlplane/largework/workerthread.ts'
import { StatusError } from '../../../../lib/object/index.ts'

/** Runs timers of the thread's watch at each `pass`. */
function controlledClock(): { clock: typeof systemClock; pass(ms: number): void } {
  let aheadMs = 0
  const looks = new Set<() => void>()
  return {
    clock: {
      ...systemClock,
      monotonicMs: () => systemClock.monotonicMs() + aheadMs,
      every(_periodMs, run) {
        looks.add(run)
        return { close: () => void looks.delete(run) }
      },
    },
    pass(ms) {
      aheadMs += ms
      looks.forEach((look) => look())
    },
  }
}

function start(program: string, clock = systemClock): { thread: WorkerThread; ended(): number } {
  let ended = 0
  const services = {
    clock,
    admission: createAdmission([], { metrics: silentMetrics, clock }),
    authorizer: alwaysAllow,
    registry: undefined as never,
    resolve: () => Promise.reject(new Error('no service')),
    storeOf: () => undefined as never,
  }
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
  const thread = new WorkerThread(url, {} as ThreadData, services, () => void ended++)
  return { thread, ended: () => ended }
}

const task = { id: 1 } as ItemTask

describe('a thread for large objects', () => {
  it('a thread that is silent for too long is ended, and its requests answer 504', async () => {
    const { clock, pass } = controlledClock()
    const { thread, ended } = start('setInterval(() => {}, 1000)', clock)
    const item = thread.item(task)
    pass(10_000)
    assert.equal(ended(), 0)
    pass(21_000)
    await assert.rejects(item, (error) => error instanceof StatusError && error.code === 504)
    assert.equal(ended(), 1)
    await assert.rejects(thread.item(task), { message: 'the thread ended' })
    await thread.close()
  })

  it('a thread that ends fails its requests', async () => {
    const { thread, ended } = start('process.exit(3)')
    await assert.rejects(thread.item(task), { message: 'the thread ended' })
    assert.equal(ended(), 1)
    await thread.close()
  })

  it('a thread that is idle is never ended for its silence', async () => {
    const { clock, pass } = controlledClock()
    const { thread, ended } = start('setInterval(() => {}, 1000)', clock)
    pass(100_000)
    assert.equal(ended(), 0)
    await thread.close()
  })
})

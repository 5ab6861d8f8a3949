import assert from 'node:assert/strict'
import { MessageChannel } from 'node:worker_threads'
import { WorkerChannel } from '../../../../lib/controlplane/largework/workerchannel.ts'
import { StatusError, statusErrors } from '../../../../lib/object/index.ts'
import { StoreError } from '../../../../lib/storage/index.ts'

type Methods = {
  readonly double: { readonly takes: Uint8Array; readonly gives: Uint8Array }
  readonly fail: { readonly takes: 'status' | 'store' | 'other'; readonly gives: void }
}
type Nothing = Record<never, { readonly takes: unknown; readonly gives: unknown }>

const kept = new Uint8Array(10_000).fill(7)

function connect(givesAway: boolean): { client: WorkerChannel<Methods, Nothing>; close(): void } {
  const { port1, port2 } = new MessageChannel()
  const client = new WorkerChannel<Methods, Nothing>(port1, {})
  new WorkerChannel<Nothing, Methods>(
    port2,
    {
      double: (bytes) => (bytes.length === 0 ? kept : Buffer.concat([bytes, bytes])),
      fail(type) {
        if (type === 'status') throw statusErrors.badRequest('bad')
        if (type === 'store') throw new StoreError('too-large', 'large')
        throw new TypeError('ours')
      },
    },
    { givesAway },
  )
  return { client, close: () => port1.close() }
}

describe('a channel between threads', () => {
  it('answers calls, many at a time', async () => {
    const { client, close } = connect(true)
    const answers = await Promise.all([1, 2, 3].map((size) => client.call('double', new Uint8Array(size))))
    assert.deepEqual(
      answers.map(({ length }) => length),
      [2, 4, 6],
    )
    close()
  })

  it('leaves results with a thread that goes on using them', async () => {
    const { client, close } = connect(false)
    assert.equal((await client.call('double', new Uint8Array())).length, 10_000)
    assert.equal(kept.length, 10_000)
    close()
  })

  it('rejects with the errors of the other thread, as what they are', async () => {
    const { client, close } = connect(true)
    await assert.rejects(client.call('fail', 'status'), (error) => error instanceof StatusError && error.code === 400)
    await assert.rejects(
      client.call('fail', 'store'),
      (error) => error instanceof StoreError && error.code === 'too-large',
    )
    await assert.rejects(client.call('fail', 'other'), { message: 'ours' })
    close()
  })

  it('rejects all calls that wait when the other thread is gone', async () => {
    const { client, close } = connect(true)
    const waiting = client.call('double', new Uint8Array(1))
    client.fail(new Error('gone'))
    await assert.rejects(waiting, { message: 'gone' })
    close()
  })
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { createFailureLog, failuresDocument } from '../../../lib/controller/failures.ts'
import { StatusError } from '../../../lib/object/index.ts'

describe('controller: failures', () => {
  const at = { key: 'ns/a', atMs: 0, failures: 1 }
  const messageOf = (error: unknown): string => {
    const log = createFailureLog()
    log.failed({ queue: 'q', ...at, error })
    return log.latest()[0]?.message ?? ''
  }

  it('the latest of each queue is kept, the newest first, until a later turn of its key succeeds', () => {
    const log = createFailureLog()
    log.failed({ queue: 'one', key: 'ns/a', atMs: 1, failures: 1, error: new Error('first') })
    log.failed({ queue: 'two', key: 'ns/b', atMs: 2, failures: 1, error: new Error('second') })
    log.failed({ queue: 'one', key: 'ns/c', atMs: 3, failures: 2, error: 'no error' })
    log.failed({ queue: 'one', key: 'ns/d', atMs: 4, failures: 1, error: 'a conflict', isMinor: true })
    log.recovered('one', 'ns/a')
    log.recovered('two', 'ns/b')
    deepEqual(failuresDocument(log.latest()), {
      failures: [
        {
          queue: 'one',
          key: 'ns/c',
          message: 'no error',
          failures: 2,
          isOver: false,
          time: '1970-01-01T00:00:00.003Z',
        },
        { queue: 'two', key: 'ns/b', message: 'second', failures: 1, isOver: true, time: '1970-01-01T00:00:00.002Z' },
      ],
    })
  })

  it('messages hold neither refused values nor credentials', () => {
    const error = new StatusError(
      422,
      'Invalid',
      'Secret "a" is invalid: [data[x]: Invalid value: "hun\\"ter2: y": too short, spec: Unsupported value: "hunter2": supported values: "a", b: Invalid value: {"p":"hunter2"}: no]',
    )
    const message = messageOf(error)
    ok(!message.includes('hunter2'), message)
    ok(message.includes('data[x]: Invalid value: [redacted]: too short'), message)
    ok(message.endsWith(' (Invalid)'), message)
    equal(messageOf(new Error('sent authorization: Bearer abc.def')), 'sent authorization: Bearer [redacted]')
  })

  it('keys, messages and queues are bounded', () => {
    const log = createFailureLog()
    const error = new Error('m'.repeat(1e6))
    for (let at = 0; at < 1000; at++)
      log.failed({ queue: `q${at}`, key: 'k'.repeat(1000), atMs: at, failures: 1, error })
    const latest = log.latest()
    deepEqual([latest.length, latest[0]?.queue, latest.at(-1)?.queue], [200, 'q999', 'q800'])
    ok(latest.every(({ key, message }) => key.length === 300 && message.length === 500))
    log.recovered('q999', 'k'.repeat(1000))
    equal(log.latest()[0]?.isOver, true)
  })
})

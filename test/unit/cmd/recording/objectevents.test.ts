import assert from 'node:assert/strict'
import { createMapping } from '../../../../cmd/pilothouse/replay/mapping.ts'
import {
  comparedObjects,
  differingEvents,
  ObjectEvents,
  writtenObjects,
} from '../../../../cmd/pilothouse/replay/objectevents.ts'
import type { RecordedCall } from '../../../../cmd/pilothouse/replay/read.ts'

/** Events as `one+ one~ two+ one-`: added, modified and deleted. */
function eventsOf(text: string): ObjectEvents {
  const events = new ObjectEvents()
  const types: Readonly<Record<string, string>> = { '+': 'ADDED', '~': 'MODIFIED', '-': 'DELETED', '.': 'BOOKMARK' }
  for (const word of text.split(' ').filter((each) => each !== ''))
    events.add(types[word.slice(-1)] ?? '', { namespace: 'n', name: word.slice(0, -1) })
  return events
}

const call = (method: string, path: string, status: number, name?: string): RecordedCall => ({
  request: { type: 'request', id: 1, atMs: 0, method, path, query: '', headers: {} },
  answer: { type: 'answer', id: 1, atMs: 1, status, ...(name === undefined ? {} : { outline: { name } }) },
  line: 2,
  events: new ObjectEvents(),
  isStream: false,
})

describe('events of watches in recordings', () => {
  const mapping = createMapping()
  mapping.learn({ name: 'made-a' }, { name: 'made-b' })
  const cases: readonly (readonly [recorded: string, actual: string, isFresh: boolean, found: string | undefined])[] = [
    ['a+ b+ a~ a-', 'b+ a+ a~ a~ a~ a-', false, undefined],
    ['a+ a~ a~ a~', 'a+ a~ a.', false, undefined],
    ['a+ a~ a-', 'a+ a-', false, 'events of n/a: ADDED DELETED, not ADDED MODIFIED DELETED'],
    ['a+', '', false, 'events of n/a: none, not ADDED'],
    ['a+ a- a+', 'a+ a-', false, 'events of n/a: ADDED DELETED, not ADDED DELETED ADDED'],
    ['a~ a-', 'a+ a~ a-', true, undefined],
    ['a~ a-', 'a+ a~ a-', false, 'events of n/a: ADDED MODIFIED DELETED, not MODIFIED DELETED'],
    ['made-a+', 'made-b+', false, undefined],
  ]
  for (const [recorded, actual, isFresh, found] of cases)
    it(`${JSON.stringify(recorded)} and ${JSON.stringify(actual)}${isFresh ? ' of a new watch' : ''} ${found === undefined ? 'are the same' : 'differ'}`, () => {
      const events = eventsOf(recorded)
      assert.equal(differingEvents(events, eventsOf(actual), [...events.objects], { mapping, isFresh }), found)
    })

  it('only objects that the recording itself writes are compared', () => {
    const written = writtenObjects([
      call('POST', '/apis/apps/v1/namespaces/n/deployments', 201, 'made'),
      call('PATCH', '/apis/apps/v1/namespaces/n/deployments/a/scale', 200),
      call('DELETE', '/api/v1/namespaces/n', 200),
      call('PUT', '/apis/apps/v1/namespaces/n/deployments/refused', 409),
      call('GET', '/apis/apps/v1/namespaces/n/deployments/read', 200),
    ])
    assert.deepEqual([...written], ['apps/deployments/n/made', 'apps/deployments/n/a', '/namespaces//n'])
    const events = eventsOf('a+ read+ other+')
    assert.deepEqual(comparedObjects({ ...call('GET', '/apis/apps/v1/deployments', 200), events }, written), ['n/a'])
  })

  it('events of an object and objects of a watch have a largest number', () => {
    const events = new ObjectEvents()
    for (let count = 0; count < 3000; count++) events.add(count % 2 === 0 ? 'ADDED' : 'DELETED', { name: 'a' })
    assert.equal(events.of('/a').length, 1000)
    for (let count = 0; count < 11_000; count++) events.add('ADDED', { name: `o${count}` })
    assert.equal([...events.objects].length, 10_000)
  })
})

import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { CacheWatchEvent, FrameEncoding } from '../../../lib/cache/index.ts'
import { type Batches, createBatches as createAny } from '../../../lib/endpoints/answer/batch.ts'

/** Of frames that the events keep. */
function createBatches(): (events: readonly CacheWatchEvent[], encoding: FrameEncoding) => ReturnType<Batches> {
  const batches = createAny()
  return (events, encoding) => batches(events, encoding, (event) => event.frame(encoding))
}

const [head, end] = [Buffer.from('<'), Buffer.from('>')]

function counted(id = 1): { encoding: FrameEncoding; encoded: () => number } {
  let encoded = 0
  const encode = (event: CacheWatchEvent): Uint8Array[] => [head, Buffer.from(`${++encoded} ${event.type}`), end]
  return { encoding: { id, encode }, encoded: () => encoded }
}

/** What a batch needs of an event. */
function eventOf(type: CacheWatchEvent['type']): CacheWatchEvent {
  const event = { type, frame: (encoding: FrameEncoding) => encoding.encode(event) } as CacheWatchEvent
  return event
}

const events = [eventOf('ADDED'), eventOf('BOOKMARK')]
const text = '<1 ADDED><2 BOOKMARK>'

describe('a batch of events', () => {
  it('is for its first watcher in parts, as they are', () => {
    const { parts, frames } = createBatches()(events, counted().encoding)
    equal(parts[0], head)
    equal(parts[2], end)
    deepEqual([Buffer.concat(parts).toString(), frames], [text, 2])
  })

  it('is joined once for all further ones', () => {
    const { encoding, encoded } = counted()
    const batches = createBatches()
    batches(events, encoding)
    const second = batches(events, encoding).parts
    deepEqual([second.length, Buffer.from(second[0] ?? '').toString()], [1, text])
    batches([...events], counted().encoding)
    equal(batches(events, encoding).parts[0], second[0])
    equal(encoded(), 2)
  })

  it('is another one in another encoding', () => {
    const batches = createBatches()
    const [one, other] = [counted(1), counted(2)]
    for (const { encoding } of [one, other, one, other]) batches(events, encoding)
    deepEqual([one.encoded(), other.encoded()], [2, 2])
  })

  it('counts the bytes of objects, not of bookmarks', () => {
    const { sizes, frames } = createBatches()(events, counted().encoding)
    deepEqual([sizes, frames], [['<1 ADDED>'.length], 2])
  })
})

import assert from 'node:assert/strict'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

describe('eventually', () => {
  it('waits for a condition that comes to hold', async () => {
    let asked = 0
    await eventually(() => ++asked === 3, 'the third question')
    assert.equal(asked, 3)
  })

  it('rejects after its limit with the awaited condition', async () => {
    await assert.rejects(
      eventually(() => false, 'a sunny day', 20),
      /^Error: waited 20 ms in vain: a sunny day$/,
    )
  })

  it('rejects with the last state of its condition', async () => {
    let asked = 0
    const state = (): object => ({ sky: 'grey', asked: ++asked })
    await assert.rejects(eventually(state, 'a sunny day', 20), (error: Error) => {
      assert.match(error.message, new RegExp(`in vain: a sunny day; last seen: { sky: 'grey', asked: ${asked} }$`))
      return true
    })
  })

  it('rejects at once where its condition forgets to answer', async () => {
    let asked = 0
    await assert.rejects(
      eventually(async () => {
        asked++
      }, 'an answer'),
      /answered undefined: an answer/,
    )
    assert.equal(asked, 1)
  })
})

describe('eventuallyEquals', () => {
  it('waits until the read value equals the wanted one, in depth', async () => {
    const read: number[] = []
    await eventuallyEquals(() => [...read, read.push(read.length)], [0, 1, 3], 'three numbers')
    assert.equal(read.length, 3)
  })

  it('rejects with the last read and the wanted value', async () => {
    await assert.rejects(
      eventuallyEquals(() => ['a'], ['b'], 'the letter', 20),
      /in vain: the letter; last seen: { seen: \[ 'a' \], wanted: \[ 'b' \] }/,
    )
  })
})

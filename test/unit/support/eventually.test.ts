import assert from 'node:assert/strict'
import { eventually } from '../../support/eventually.ts'

describe('eventually', () => {
  it('waits for a condition that comes to hold', async () => {
    let asked = 0
    await eventually(() => ++asked === 3, 'the third question')
    assert.equal(asked, 3)
  })

  it('fails after its limit and says what it waited for', async () => {
    await assert.rejects(
      eventually(() => false, 'a sunny day', 20),
      /waited 20 ms in vain: a sunny day/,
    )
  })

  for (const forgetful of [() => {}, async () => {}, () => 'yes'] as unknown as (() => boolean)[])
    it(`fails at once for a condition that answers no boolean: ${String(forgetful)}`, async () => {
      await assert.rejects(eventually(forgetful, 'an answer'), /not a boolean: an answer/)
    })
})

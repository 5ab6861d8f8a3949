import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RecentStrings } from '../../../lib/codec/protobuf/recentstrings.ts'

describe('strings of recent messages', () => {
  it('are those that the bytes make, whatever came before', () => {
    const strings = new RecentStrings()
    const text = fc.oneof(
      fc.constantFrom(
        '',
        'Always',
        'é',
        'éé',
        'default-scheduler',
        'default-schedules',
        'x'.repeat(48),
        'x'.repeat(49),
      ),
      fc.string({ maxLength: 4 }),
    )
    const bytes = fc.oneof(
      text.map((each) => Buffer.from(each)),
      fc.uint8Array({ maxLength: 3 }).map((each) => Buffer.from(each)),
    )
    fc.assert(
      fc.property(bytes, bytes, (given, padding) => {
        const whole = Buffer.concat([padding, given, padding])
        const [from, to] = [padding.length, padding.length + given.length]
        const made = given.toString()
        assert.equal(strings.find(whole, from, to) ?? strings.keep(whole, from, to, made), made)
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  it('short ones in ASCII are found again, until another takes their place', () => {
    const strings = new RecentStrings()
    const find = (text: string): string | undefined => strings.find(Buffer.from(text), 0, Buffer.byteLength(text))
    const keep = (text: string): string => strings.keep(Buffer.from(text), 0, Buffer.byteLength(text), text)
    for (const text of ['Always', 'x'.repeat(48), 'x'.repeat(49), 'é']) keep(text)
    assert.deepEqual(['Always', 'x'.repeat(48), 'x'.repeat(49), 'é'].map(find), [
      'Always',
      'x'.repeat(48),
      undefined,
      undefined,
    ])
    const letters = (index: number): string =>
      Array.from({ length: 6 }, (_, at) =>
        String.fromCharCode(33 + ((Math.imul(index + 1, 0x9e3779b1 + at * 0x9e37) >>> 8) % 90)),
      ).join('')
    for (let index = 0; index < 20_000; index++) keep(letters(index))
    assert.equal(find('Always'), undefined)
    assert.equal(find(letters(19_999)), letters(19_999))
  })
})

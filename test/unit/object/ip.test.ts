import assert from 'node:assert/strict'
import { readCidr, readIp } from '../../../lib/object/index.ts'

describe('the numbers of addresses', () => {
  it('have a byte for each decimal part', () => {
    assert.equal(readIp('255.1.20.3')?.value, 0xff011403n)
    assert.equal(readIp('0.0.0.0')?.value, 0n)
    assert.equal(readIp('010.0.0.1')?.value, 0x0a000001n)
    assert.equal(readIp('::ffff:192.168.0.200')?.value, 0xffff_c0a8_00c8n)
  })
})

describe('addresses with zeros', () => {
  it('are strict where a group of IPv6 has up to four digits, and loose beyond, or in decimal parts', () => {
    const cases = [
      ['::00', false],
      ['::1:00', false],
      ['2001:db8::0001', false],
      ['::ffff:1.2.3.4', false],
      ['1.2.3.4', false],
      ['00001::', true],
      ['::0ffff:1.2.3.4', true],
      ['::ffff:01.2.3.4', true],
      ['01.2.3.4', true],
      ['0001.002.3.4', true],
      ['12345::', undefined],
      ['00000256.1.1.1', undefined],
      ['::1:', undefined],
    ] as const
    for (const [text, leadingZeros] of cases) assert.equal(readIp(text)?.leadingZeros, leadingZeros, text)
    assert.equal(readIp('0000a::1')?.value, readIp('a::1')?.value)
  })

  it('may begin the length of a prefix, which makes it loose', () => {
    for (const [text, bits, leadingZeros] of [
      ['10.0.0.0/8', 8, false],
      ['10.0.0.0/008', 8, true],
      ['10.0.0.0/0000000000000008', 8, true],
      ['::/0', 0, false],
      ['00001::/3', 3, true],
    ] as const)
      assert.deepEqual([readCidr(text)?.bits, readCidr(text)?.leadingZeros], [bits, leadingZeros], text)
    assert.equal(readCidr('10.0.0.0/33'), undefined)
  })
})

import assert from 'node:assert/strict'
import {
  clientPreface,
  errorCodes,
  flags,
  frameOf,
  frames,
  goAway,
  resetFrame,
  settings,
  settingsAck,
  settingsFrame,
  unpadded,
  windowMax,
  windowUpdate,
} from '../../../lib/http2/index.ts'
import { withCode } from './headerlist.ts'

describe('frames', () => {
  const written: readonly (readonly [what: string, frame: Buffer, hex: string])[] = [
    ['data', frameOf(frames.data, flags.endStream, 5, Buffer.from('abc')), '000003 00 01 00000005 616263'],
    ['a window update', windowUpdate(3, windowMax), '000004 08 00 00000003 7fffffff'],
    ['a reset', resetFrame(windowMax, errorCodes.refusedStream), '000004 03 00 7fffffff 00000007'],
    ['a goodbye', goAway(9, errorCodes.enhanceYourCalm), '000008 07 00 00000000 00000009 0000000b'],
    [
      'settings',
      settingsFrame([
        [settings.maxConcurrentStreams, 250],
        [settings.maxHeaderListSize, 2 ** 32 - 1],
      ]),
      '00000c 04 00 00000000 0003000000fa 0006ffffffff',
    ],
    ['no settings', settingsFrame([]), '000000 04 00 00000000'],
    ['taken settings', settingsAck, '000000 04 01 00000000'],
  ]
  for (const [what, frame, hex] of written)
    it(`frames of ${what} are as RFC 9113 has them`, () => {
      assert.equal(frame.toString('hex'), hex.replaceAll(' ', ''))
    })

  it('are begun by a client with words that no older server takes for a request', () => {
    assert.equal(clientPreface.toString('hex'), '505249202a20485454502f322e300d0a0d0a534d0d0a0d0a')
  })

  it('hold what is left without the padding', () => {
    const payload = Buffer.of(2, 10, 11, 0, 0)
    assert.deepEqual(unpadded(flags.padded | flags.endStream, payload), Buffer.of(10, 11))
    assert.deepEqual(unpadded(flags.endStream, payload), payload)
    assert.deepEqual(unpadded(flags.padded, Buffer.of(2, 0, 0)), Buffer.alloc(0))
    assert.throws(() => unpadded(flags.padded, Buffer.of(3, 0, 0)), withCode(errorCodes.protocolError))
    assert.throws(() => unpadded(flags.padded, Buffer.alloc(0)), withCode(errorCodes.frameSizeError))
  })
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decodePacket, encodePacket } from '../../../lib/egress/konnectivity/packets.ts'
import { decodeWirePacket, encodeWirePacket, type WirePacket } from '../../support/egress/konnectivityproxy.ts'

const largest = '9223372036854775807'
const data = Buffer.from('bytes')

describe("packets of konnectivity's tunnel", () => {
  const sent: readonly [Parameters<typeof encodePacket>[0], WirePacket][] = [
    [
      { type: 'dialRequest', protocol: 'tcp', address: '[fd00::1]:443', random: largest },
      { type: 'DIAL_REQ', dialRequest: { protocol: 'tcp', address: '[fd00::1]:443', random: largest } },
    ],
    [
      { type: 'data', connectId: '7', data },
      { type: 'DATA', data: { connectID: '7', data } },
    ],
    [
      { type: 'closeRequest', connectId: largest },
      { type: 'CLOSE_REQ', closeRequest: { connectID: largest } },
    ],
    [
      { type: 'closeDial', random: '3' },
      { type: 'DIAL_CLS', closeDial: { random: '3' } },
    ],
  ]
  for (const [packet, wire] of sent)
    it(`${wire.type} is sent as the schema has it`, () =>
      assert.deepEqual(decodeWirePacket(encodePacket(packet)), wire))

  const received: readonly [WirePacket, object][] = [
    [
      { type: 'DIAL_RSP', dialResponse: { connectID: largest, random: '5' } },
      { type: 'dialResponse', error: '', connectId: largest, random: '5' },
    ],
    [
      { type: 'DIAL_RSP', dialResponse: { error: 'no route', random: '5' } },
      { type: 'dialResponse', error: 'no route', connectId: '0', random: '5' },
    ],
    [
      { type: 'DATA', data: { connectID: '7', data } },
      { type: 'data', connectId: '7', error: '', data },
    ],
    [
      { type: 'CLOSE_RSP', closeResponse: { connectID: '7' } },
      { type: 'closeResponse', connectId: '7', error: '' },
    ],
    [{ type: 'DRAIN', drain: {} }, { type: 'other' }],
  ]
  for (const [wire, packet] of received)
    it(`${JSON.stringify(wire).slice(0, 60)} is read as the schema has it`, () => {
      const { data: bytes, ...rest } = decodePacket(encodeWirePacket(wire))
      assert.deepEqual({ ...rest, ...(bytes ? { data: Buffer.from(bytes) } : {}) }, packet)
    })

  it('any other bytes are a packet, or an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          assert.equal(typeof decodePacket(bytes).type, 'string')
        } catch (error) {
          assert.ok(error instanceof Error && !(error instanceof TypeError), String(error))
        }
      }),
    )
  })
})

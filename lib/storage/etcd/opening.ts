import { frameOf, frames, settings, windowUpdate } from './frame.ts'

/** What either side may send before the other has said anything else (RFC 9113, section 6.9.2). */
export const defaultWindowBytes = 65_535

/** What a client says first (RFC 9113, section 3.4), and how much it takes before it has looked at it. */
export function openingOf(of: { readonly streamWindowBytes: number; readonly connectionWindowBytes: number }): Buffer {
  const values = [
    [settings.headerTableSize, 0],
    [settings.enablePush, 0],
    [settings.initialWindowSize, of.streamWindowBytes],
  ] as const
  const payload = Buffer.alloc(values.length * 6)
  for (const [index, [name, value]] of values.entries()) {
    payload.writeUInt16BE(name, index * 6)
    payload.writeUInt32BE(value, index * 6 + 2)
  }
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frameOf(frames.settings, 0, 0, payload),
    windowUpdate(0, of.connectionWindowBytes - defaultWindowBytes),
  ])
}

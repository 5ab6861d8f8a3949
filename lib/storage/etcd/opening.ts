import { clientPreface, defaultWindowBytes, settings, settingsFrame, windowUpdate } from '../../http2/index.ts'

/** What a client says first (RFC 9113, section 3.4), and how much it takes before it has looked at it. */
export function openingOf(of: { readonly streamWindowBytes: number; readonly connectionWindowBytes: number }): Buffer {
  return Buffer.concat([
    clientPreface,
    settingsFrame([
      [settings.headerTableSize, 0],
      [settings.enablePush, 0],
      [settings.initialWindowSize, of.streamWindowBytes],
    ]),
    windowUpdate(0, of.connectionWindowBytes - defaultWindowBytes),
  ])
}

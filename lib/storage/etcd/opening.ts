import { clientPreface, defaultWindowBytes, settings, settingsFrame, windowUpdate } from '../../http2/index.ts'

/** The client's preface and settings (RFC 9113, section 3.4), with the sizes of its receive windows. */
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

import { errorCodes, frameBytesMax, ProtocolError, settings, windowMax } from '../../http2/index.ts'

const settingBytes = 6

/**
 * The initial window size in a SETTINGS frame, the last of several; undefined where it has none. Other settings don't
 * concern this server: it pushes nothing, has no dynamic table, and sends small frames. Throws ProtocolError for values
 * out of range (RFC 9113, section 6.5.2).
 */
export function readInitialWindow(payload: Buffer): number | undefined {
  if (payload.length % settingBytes !== 0)
    throw new ProtocolError(errorCodes.frameSizeError, 'a frame of the wrong length')
  let initialWindow: number | undefined
  for (let at = 0; at < payload.length; at += settingBytes) {
    const name = payload.readUInt16BE(at)
    const value = payload.readUInt32BE(at + 2)
    check(name, value)
    if (name === settings.initialWindowSize) initialWindow = value
  }
  return initialWindow
}

function check(name: number, value: number): void {
  if (name === settings.enablePush && value > 1)
    throw new ProtocolError(errorCodes.protocolError, 'ENABLE_PUSH is neither 0 nor 1')
  if (name === settings.maxFrameSize && (value < frameBytesMax || value >= 1 << 24))
    throw new ProtocolError(errorCodes.protocolError, 'MAX_FRAME_SIZE is out of range')
  if (name === settings.initialWindowSize && value > windowMax)
    throw new ProtocolError(errorCodes.flowControlError, 'INITIAL_WINDOW_SIZE is out of range')
}

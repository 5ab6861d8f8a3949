import { errorCodes, ProtocolError } from './protocolerror.ts'

/** Types of frames (RFC 9113, section 6). */
export const frames = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const
export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const
/** Settings of either side (RFC 9113, section 6.5.2). */
export const settings = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  /** RFC 8441, section 3. */
  enableConnectProtocol: 8,
} as const

/** Length of the payload (24 bits), type, flags, stream (31 bits): RFC 9113, section 4.1. */
export const frameHeadBytes = 9
/** Largest payload of a frame: the default, which this project keeps. */
export const frameBytesMax = 16_384
/** The maximum of windows and of stream ids. */
export const windowMax = 2 ** 31 - 1
/** Initial flow-control window (RFC 9113, section 6.9.2). */
export const defaultWindowBytes = 65_535
/** The client's connection preface (RFC 9113, section 3.4); its settings follow. */
export const clientPreface: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

/** `id`: the stream's, 0 for the whole connection. */
export function frameOf(type: number, flag: number, id: number, payload: Uint8Array): Buffer {
  const frame = emptyFrame(type, flag, id, payload.length)
  frame.set(payload, frameHeadBytes)
  return frame
}

export function windowUpdate(id: number, increment: number): Buffer {
  return numberFrame(frames.windowUpdate, id, increment)
}

/** `code`: one of `errorCodes`. */
export function resetFrame(id: number, code: number): Buffer {
  return numberFrame(frames.reset, id, code)
}

/** `lastId`: the last stream that may have been processed; `code`: one of `errorCodes`. */
export function goAway(lastId: number, code: number): Buffer {
  const frame = emptyFrame(frames.goAway, 0, 0, 8)
  frame.writeUInt32BE(lastId, frameHeadBytes)
  frame.writeUInt32BE(code, frameHeadBytes + 4)
  return frame
}

/** `values` by the names in `settings`. */
export function settingsFrame(values: readonly (readonly [name: number, value: number])[]): Buffer {
  const frame = emptyFrame(frames.settings, 0, 0, values.length * 6)
  let at = frameHeadBytes
  for (const [name, value] of values) {
    at = frame.writeUInt16BE(name, at)
    at = frame.writeUInt32BE(value, at)
  }
  return frame
}

/** Acknowledges the peer's settings. */
export const settingsAck: Buffer = frameOf(frames.settings, flags.ack, 0, Buffer.alloc(0))

/**
 * The payload of a DATA frame without its padding, as a view. Throws ProtocolError: frameSizeError without the
 * padding's length, protocolError when the padding is too long (RFC 9113, section 6.1).
 */
export function unpadded(flag: number, payload: Buffer): Buffer {
  if ((flag & flags.padded) === 0) return payload
  const padding = payload[0]
  if (padding === undefined) throw new ProtocolError(errorCodes.frameSizeError, 'a padded frame is empty')
  if (padding >= payload.length) throw new ProtocolError(errorCodes.protocolError, 'a frame is all padding')
  return payload.subarray(1, payload.length - padding)
}

function numberFrame(type: number, id: number, value: number): Buffer {
  const frame = emptyFrame(type, 0, id, 4)
  frame.writeUInt32BE(value, frameHeadBytes)
  return frame
}

/** With its head; the payload is uninitialized. */
function emptyFrame(type: number, flag: number, id: number, payloadBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + payloadBytes)
  frame.writeUIntBE(payloadBytes, 0, 3)
  frame[3] = type
  frame[4] = flag
  frame.writeUInt32BE(id, 5)
  return frame
}

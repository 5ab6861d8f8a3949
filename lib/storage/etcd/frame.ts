/** Frames of HTTP/2 (RFC 9113, section 6). */
export const frames = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const
export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const
export const settings = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
} as const
export const resetCodes = { refusedStream: 7, cancel: 8 } as const

export const frameHeadBytes = 9
/** What a frame may hold unless the one who takes it says otherwise, which we don't. */
export const frameBytesMax = 16_384

export function frameOf(type: number, flag: number, id: number, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + payload.length)
  frame.writeUIntBE(payload.length, 0, 3)
  frame[3] = type
  frame[4] = flag
  frame.writeUInt32BE(id, 5)
  frame.set(payload, frameHeadBytes)
  return frame
}

export function windowUpdate(id: number, increment: number): Buffer {
  const payload = Buffer.allocUnsafe(4)
  payload.writeUInt32BE(increment, 0)
  return frameOf(frames.windowUpdate, 0, id, payload)
}

export function resetFrame(id: number, code: number): Buffer {
  const payload = Buffer.allocUnsafe(4)
  payload.writeUInt32BE(code, 0)
  return frameOf(frames.reset, 0, id, payload)
}

export function unpadded(flag: number, payload: Buffer): Buffer {
  if ((flag & flags.padded) === 0) return payload
  const end = payload.length - payload.readUInt8(0)
  if (end < 1) throw new RangeError('a frame is all padding')
  return payload.subarray(1, end)
}

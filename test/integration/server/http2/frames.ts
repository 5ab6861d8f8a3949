/** A frame of HTTP/2 (RFC 9113, 4.1). */
export interface Frame {
  readonly type: number
  readonly flags: number
  readonly id: number
  readonly payload: Buffer
}

export const data = 0
export const headers = 1
export const priority = 2
export const rstStream = 3
export const settings = 4
export const pushPromise = 5
export const ping = 6
export const goaway = 7
export const windowUpdate = 8
export const continuation = 9

export const endStream = 0x1
export const ack = 0x1
export const endHeaders = 0x4
export const padded = 0x8
export const prioritized = 0x20

export const headerTableSize = 1
export const enablePush = 2
export const maxConcurrentStreams = 3
export const initialWindowSize = 4
export const maxFrameSize = 5

/** The largest window, stream and increment there is. */
export const greatest = 2 ** 31 - 1

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
export const nothing = Buffer.alloc(0)

const codes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]

export function codeName(code: number): string {
  return codes[code] ?? `code ${code}`
}

export function frame(type: number, flags: number, id: number, payload: Buffer = nothing): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(id, 5)
  return Buffer.concat([head, payload])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function settingsPayload(pairs: readonly (readonly [setting: number, value: number])[]): Buffer {
  return Buffer.concat(
    pairs.map(([setting, value]) => Buffer.concat([Buffer.from([setting >> 8, setting]), uint32(value)])),
  )
}

/** With the length of the padding in front and the padding behind. */
export function padding(payload: Buffer, bytes: number): Buffer {
  return Buffer.concat([Buffer.from([bytes]), payload, Buffer.alloc(bytes)])
}

/** Frames of whatever pieces a connection brings. */
export class FrameReader {
  #rest: Buffer = nothing

  read(chunk: Buffer, take: (frame: Frame) => void): void {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const length = rest.readUIntBE(0, 3)
      take({
        type: rest.readUInt8(3),
        flags: rest.readUInt8(4),
        id: rest.readUInt32BE(5),
        payload: rest.subarray(9, 9 + length),
      })
      rest = rest.subarray(9 + length)
    }
    this.#rest = rest
  }
}

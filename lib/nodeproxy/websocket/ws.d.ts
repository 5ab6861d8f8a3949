/** The parts of `ws` that are used here: its reader and writer of frames, without its own handling of connections. */
declare module 'ws' {
  import type { Duplex, Writable } from 'node:stream'

  export class Receiver extends Writable {
    constructor(options: { isServer: boolean; maxPayload: number; allowSynchronousEvents: boolean })
    on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): this
    on(event: 'ping', listener: (data: Buffer) => void): this
    on(event: 'conclude', listener: (code: number, reason: Buffer) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'drain', listener: () => void): this
  }

  export class Sender {
    constructor(socket: Duplex)
    send(
      data: Buffer,
      options: { binary: boolean; fin: boolean; mask: boolean; compress: boolean; rsv1: boolean },
    ): void
    pong(data: Buffer, mask: boolean): void
    close(code: number, reason: string, mask: boolean): void
  }
}

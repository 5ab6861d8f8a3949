import type { Clock } from '../../base/index.ts'
import { errorCodes, ProtocolError } from '../../http2/index.ts'
import type { ServerOptions } from '../options.ts'
import { TokenBucket } from './tokenbucket.ts'

/** Limit on frames that cost work without any effect, such as PING or an empty DATA frame. */
const idleFramesBurst = 10_000
const idleFramesPerSecond = 1000
/** How many streams that this side ended are remembered at least: frames for them may still be in flight. */
const abandonedMin = 1000

/** Per-connection limits on legal but costly frames. */
export class AbuseLimits {
  readonly #resets: TokenBucket
  readonly #idleFrames: TokenBucket
  /** Ids of streams that this side ended while the client may still be sending. */
  readonly #abandoned: number[] = []
  readonly #abandonedMax: number

  constructor(clock: Clock, options: ServerOptions) {
    this.#resets = new TokenBucket(clock, options.http2ResetBurst, options.http2ResetsPerSecond)
    this.#idleFrames = new TokenBucket(clock, idleFramesBurst, idleFramesPerSecond)
    this.#abandonedMax = Math.max(abandonedMin, options.http2StreamsMax)
  }

  /** Counts a reset stream. Like the other methods, throws ProtocolError beyond the limit. */
  onReset(): void {
    if (!this.#resets.take()) throw new ProtocolError(errorCodes.enhanceYourCalm, 'too many streams are reset')
  }

  onIdleFrame(): void {
    if (!this.#idleFrames.take()) throw new ProtocolError(errorCodes.enhanceYourCalm, 'too many frames without use')
  }

  /** Remembers a stream that this side ended before the client did. */
  onAbandoned(id: number): void {
    if (this.#abandoned.push(id) > this.#abandonedMax) this.#abandoned.shift()
  }

  /**
   * A frame for an ended stream is tolerated when this side ended it, since the client may not have known; otherwise it
   * is an error.
   */
  onLateFrame(id: number): void {
    if (!this.#abandoned.includes(id)) throw new ProtocolError(errorCodes.streamClosed, 'a frame of a closed stream')
    this.onIdleFrame()
  }
}

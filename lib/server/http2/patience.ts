import type { Clock } from '../../base/index.ts'
import { errorCodes, ProtocolError } from '../../http2/index.ts'
import type { ServerOptions } from '../options.ts'
import { Allowance } from './allowance.ts'

/** Frames that cost work and bring nothing: so many at once, and so many a second after that. */
const idleFramesBurst = 10_000
const idleFramesPerSecond = 1000
/** Ended streams that are remembered, so that what was under way then is no offence; more where more may be open at once. */
const abandonedMin = 1000

/** How much of what clients may do, but should not do often, one connection bears. */
export class Patience {
  readonly #resets: Allowance
  readonly #idleFrames: Allowance
  /** Ids of streams ended here of which more may be under way. */
  readonly #abandoned: number[] = []
  readonly #abandonedMax: number

  constructor(clock: Clock, options: ServerOptions) {
    this.#resets = new Allowance(clock, options.http2ResetBurst, options.http2ResetsPerSecond)
    this.#idleFrames = new Allowance(clock, idleFramesBurst, idleFramesPerSecond)
    this.#abandonedMax = Math.max(abandonedMin, options.http2StreamsMax)
  }

  /** A stream was reset, by the client or for what it did. Throws ProtocolError when that is too often, as all here. */
  onReset(): void {
    if (!this.#resets.take()) throw new ProtocolError(errorCodes.enhanceYourCalm, 'too many streams are reset')
  }

  onIdleFrame(): void {
    if (!this.#idleFrames.take()) throw new ProtocolError(errorCodes.enhanceYourCalm, 'too many frames without use')
  }

  /** A stream ends here before its client has ended it. */
  onAbandoned(id: number): void {
    if (this.#abandoned.push(id) > this.#abandonedMax) this.#abandoned.shift()
  }

  /** A frame of a stream that is over. Where it was ended here, the client may not have known; else it broke a rule. */
  onLateFrame(id: number): void {
    if (!this.#abandoned.includes(id)) throw new ProtocolError(errorCodes.streamClosed, 'a frame of a closed stream')
    this.onIdleFrame()
  }
}

import { RecentParts } from './recentparts.ts'
import type { TranscoderState } from './transcode.ts'

interface Text {
  readonly json: Buffer
  /** As the transcoder's state has it behind the struct. */
  readonly empty: boolean
}

/** The JSON of recent parts of messages: it is copied instead of being written anew. */
export class RecentTexts implements TranscoderState {
  empty = false
  readonly #parts = new RecentParts<Text>()

  readonly transcodePart: TranscoderState['transcodePart'] = (codec, fieldId, bytes, from, to, out, at) => {
    if (!this.#parts.wants(fieldId, to - from)) return codec.transcode(bytes, from, to, out, at, this)
    const known = this.#parts.find(fieldId, bytes, from, to)
    if (known) {
      this.empty = known.empty
      const behind = at + known.json.length
      if (behind <= out.length) known.json.copy(out, at)
      return behind
    }
    const behind = codec.transcode(bytes, from, to, out, at, this)
    // Beyond the end of `out` nothing was written.
    if (behind <= out.length)
      this.#parts.keep(fieldId, bytes, from, to, { json: ownCopy(out, at, behind), empty: this.empty })
    return behind
  }
}

function ownCopy(bytes: Buffer, from: number, to: number): Buffer {
  const own = Buffer.allocUnsafeSlow(to - from)
  bytes.copy(own, 0, from, to)
  return own
}

import { writeText } from './jsonvalues.ts'
import { RecentParts } from './recentparts.ts'
import type { TranscoderState } from './transcode.ts'

interface Text {
  readonly json: Buffer
  /** The transcoder's `empty` after the struct. */
  readonly empty: boolean
}

/** The JSON of recent parts of messages: it is copied instead of written again. */
export class RecentTexts implements TranscoderState {
  empty = false
  readonly #parts = new RecentParts<Text>()

  readonly transcodePart: TranscoderState['transcodePart'] = (codec, fieldId, bytes, from, to, out, at) => {
    if (!this.#parts.wants(fieldId, to - from)) return codec.transcode(bytes, from, to, out, at, this)
    const known = this.#parts.find(fieldId, bytes, from, to)
    if (known) {
      this.empty = known.empty
      return copied(known, out, at)
    }
    const behind = codec.transcode(bytes, from, to, out, at, this)
    this.#keep(fieldId, bytes, from, to, out, at, behind)
    return behind
  }

  transcodeText(fieldId: number, bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
    if (!this.#parts.wants(fieldId, to - from)) return writeText(bytes, from, to, out, at)
    const known = this.#parts.find(fieldId, bytes, from, to)
    if (known) return copied(known, out, at)
    const behind = writeText(bytes, from, to, out, at)
    this.#keep(fieldId, bytes, from, to, out, at, behind)
    return behind
  }

  /** Keeps the JSON between `at` and `behind`; nothing was written beyond the end of `out`. */
  #keep(fieldId: number, bytes: Buffer, from: number, to: number, out: Buffer, at: number, behind: number): void {
    if (behind > out.length) return
    this.#parts.keep(fieldId, bytes, from, to, { json: ownCopy(out, at, behind), empty: this.empty })
  }
}

function copied({ json }: Text, out: Buffer, at: number): number {
  const behind = at + json.length
  if (behind <= out.length) json.copy(out, at)
  return behind
}

function ownCopy(bytes: Buffer, from: number, to: number): Buffer {
  const own = Buffer.allocUnsafeSlow(to - from)
  bytes.copy(own, 0, from, to)
  return own
}

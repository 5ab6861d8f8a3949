import { isEmbedded } from './wire.ts'

const slots = 64
const textBytesMin = 64
const textBytesMax = 16 * 1024

/**
 * Whether embedded values are in canonical form, remembered for some: objects that one controller writes mostly have the
 * same managedFields, and comparing bytes costs a small part of reading JSON.
 */
export class RecentTexts {
  /** By length: texts that are in canonical form. */
  readonly #texts: (Buffer | undefined)[] = Array.from({ length: slots }, () => undefined)

  readonly isEmbedded = (bytes: Uint8Array, from: number, to: number): boolean => {
    const length = to - from
    if (length < textBytesMin || length > textBytesMax) return isEmbedded(bytes, from, to)
    const known = this.#texts[length % slots]
    if (known?.length === length && known.compare(bytes, from, to) === 0) return true
    if (!isEmbedded(bytes, from, to)) return false
    this.#texts[length % slots] = Buffer.from(bytes.subarray(from, to))
    return true
  }
}

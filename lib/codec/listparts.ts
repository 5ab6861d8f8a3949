/** A body in parts with a known length: adding up the lengths of hundreds of thousands of parts takes too long. */
export class ListParts extends Array<Uint8Array> {
  byteLength = 0

  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }

  add(part: Uint8Array): void {
    this.push(part)
    this.byteLength += part.length
  }
}

/** Number of items between two pauses while a list is framed. */
export const itemsPerPause = 512

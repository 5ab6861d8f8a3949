/** A body in parts, which knows its length: to ask hundreds of thousands of parts for theirs takes too long. */
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

/** Items between two pauses of what frames a list. */
export const itemsPerPause = 512

/** A result that is usually available at once: only a key service takes time. */
export type Maybe<Value> = Value | Promise<Value>

/** A value that can't be encrypted or decrypted. The message is for clients: it never quotes a value or a key. */
export class TransformError extends Error {
  override readonly name: string = 'TransformError'
  /** For metrics: the code of a call to a key service that failed. */
  readonly status: string = 'Unknown'
}

/** No provider of the resource writes values with this beginning. */
export class NoMatchingPrefix extends TransformError {
  override readonly name = 'NoMatchingPrefix'
  constructor() {
    super('no matching prefix found')
  }
}

export interface Decrypted {
  readonly value: Uint8Array
  /** The value isn't written as the configuration demands now: the next write renews it. */
  readonly stale: boolean
}

/**
 * Converts values to their stored form and back. `context` is the key at which the value is stored; some providers bind
 * the value to it. Both methods throw, or reject with, TransformError.
 */
export interface Transformer {
  /** The value begins at `from` of `stored`. The result owns its memory. */
  decrypt(stored: Uint8Array, from: number, context: string): Maybe<Decrypted>
  /** Returns parts, which are stored one after the other. */
  encrypt(value: Uint8Array, context: string): Maybe<readonly Uint8Array[]>
}

export function isPromise<Value>(given: Maybe<Value>): given is Promise<Value> {
  return given instanceof Promise
}

/** All results in their order; without a promise where all are available. */
export function inOrder<Value>(all: readonly Maybe<Value>[]): Maybe<readonly Value[]> {
  if (all.some(isPromise)) return Promise.all(all.map(async (each) => await each))
  return all as readonly Value[] // no promise is among them
}

/** A copy of a part, which keeps no other memory alive. */
export function copied(bytes: Uint8Array, from: number, to: number = bytes.length): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(to - from)
  copy.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to))
  return copy
}

export function startsWith(bytes: Uint8Array, from: number, prefix: Uint8Array): boolean {
  if (bytes.length - from < prefix.length) return false
  for (let at = 0; at < prefix.length; at++) if (bytes[from + at] !== prefix[at]) return false
  return true
}

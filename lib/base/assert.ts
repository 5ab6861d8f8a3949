/** A bug of ours, never a caller's mistake (that is a StatusError). */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** Throws AssertionError when `condition` is false: for invariants of our own code only. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}

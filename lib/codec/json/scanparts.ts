import type { Slices } from '../../base/index.ts'

/** Input between two pauses: half a millisecond of work, or some ten where little input becomes much output. */
const bytesPerPause = 64 * 1024

/** Has the bytes of all parts scanned in their order. Yields now and then, also within a large part. */
export function* scanParts(
  parts: Iterable<Uint8Array>,
  scan: (bytes: Uint8Array, from: number, to: number) => void,
): Slices<void> {
  let untilPause = bytesPerPause
  for (const part of parts)
    for (let from = 0; from < part.length; ) {
      const to = Math.min(part.length, from + untilPause)
      scan(part, from, to)
      untilPause -= to - from
      from = to
      if (untilPause > 0) continue
      untilPause = bytesPerPause
      yield undefined
    }
}

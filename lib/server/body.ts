import { statusErrors } from '../object/index.ts'
import { Collected } from './collected.ts'
import { ClientGone } from './errors.ts'
import type { BodySource } from './responder/transport.ts'
import type { Expiring } from './timerwheel.ts'

/** A body on its way in. As an Expiring it gives up when it has not come in time. */
interface BodyReading extends Expiring {
  readonly done: Promise<Uint8Array>
  cancel(reason: Error): void
}

/**
 * Reads the whole body. Fails with 413 as soon as more than `bytesMax` are announced or have come, and with ClientGone
 * when the client leaves in the middle. The transport discards the unread rest.
 */
export function readBody(source: BodySource, bytesMax: number): BodyReading {
  let settle: (error?: Error) => void = () => {}
  const done = new Promise<Uint8Array>((resolve, reject) => {
    const collected = new Collected()
    settle = (error) => {
      source.stopReading()
      if (error) reject(error)
      else resolve(collected.whole())
    }
    if ((source.declaredBytes ?? 0) > bytesMax) return settle(tooLarge(bytesMax))
    source.proceed()
    source.read({
      onChunk(chunk) {
        if (collected.bytes + chunk.byteLength > bytesMax) settle(tooLarge(bytesMax))
        else collected.add(chunk)
      },
      onEnd: () => settle(),
      onGone: () => settle(new ClientGone()),
    })
  })
  return {
    done,
    cancel: (reason) => settle(reason),
    dueMs: 0,
    slot: undefined,
    place: -1,
    expire: () => settle(statusErrors.outOfTime()),
  }
}

function tooLarge(bytesMax: number): Error {
  return statusErrors.tooLarge(`limit is ${bytesMax}`)
}

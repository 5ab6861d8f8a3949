import { statusErrors } from '../object/index.ts'
import type { Expiring } from './deadlines.ts'
import { ClientGone } from './errors.ts'
import type { BodySource } from './responder/transport.ts'

/** A body on its way in. As an Expiring it gives up when it has not come in time. */
export interface BodyReading extends Expiring {
  readonly done: Promise<Uint8Array>
  cancel(reason: Error): void
}

/**
 * Reads the whole body. Fails with 413 as soon as more than `bytesMax` are announced or have come, and with ClientGone
 * when the client leaves in the middle. What is not read then is the transport's to get rid of.
 */
export function readBody(source: BodySource, bytesMax: number): BodyReading {
  let settle: (error?: Error) => void = () => {}
  const done = new Promise<Uint8Array>((resolve, reject) => {
    const { readable } = source
    const chunks: Uint8Array[] = []
    let total = 0
    settle = (error) => {
      readable.off('data', onData)
      readable.off('end', onEnd)
      readable.off('close', onClose)
      readable.off('aborted', onClose)
      if (error) reject(error)
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, total))
    }
    const onData = (chunk: Uint8Array): void => {
      total += chunk.byteLength
      if (total <= bytesMax) return void chunks.push(chunk)
      readable.pause()
      settle(tooLarge(bytesMax))
    }
    const onEnd = (): void => settle()
    const onClose = (): void => settle(new ClientGone())
    if ((source.declaredBytes ?? 0) > bytesMax) return settle(tooLarge(bytesMax))
    if (readable.destroyed) return onClose()
    source.proceed()
    readable.on('data', onData)
    readable.on('end', onEnd)
    readable.on('close', onClose)
    readable.on('aborted', onClose)
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
